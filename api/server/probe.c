#include "api/server/probe.h"

#include "api/answer/problem.h"
#include "api/log/log.h"
#include "api/request/pages.h"
#include "api/server/process.h"
#include "api/work/clock.h"
#include "api/work/queue.h"
#include "base/account.h"

enum { MAX_TEXT = 1 << 20 };

/* Microseconds: an event loop whose round takes longer than this is considered hung. A normal round takes a few
 * milliseconds. */
enum { HANGING = 5000000 };

/* ---- metrics that are read, not counted ---- */

/* A pair of samples, one per lane of the queue. */
#define BOTH_LANES(values, unit)                                                                                       \
    ((const double[]){(double)(values)[JOB_SHORT] / (unit), (double)(values)[JOB_LONG] / (unit)})

static void put_lanes(struct buffer *out, const struct queue_state *queue) {
    const struct {
        const char *name, *help;
        const double *samples;
    } rows[] = {
        {"arbiter_queue_jobs", "Requests in a lane of the queue; a request can be in both lanes.",
         BOTH_LANES(queue->jobs, 1)},
        {"arbiter_queue_clients", "Clients with requests in a lane of the queue.", BOTH_LANES(queue->clients, 1)},
        {"arbiter_workers", "Worker threads, which solve what the event loops do not solve themselves.",
         BOTH_LANES(queue->workers, 1)},
        {"arbiter_workers_busy", "Worker threads that are busy with a request.", BOTH_LANES(queue->busy, 1)},
        {"arbiter_queue_oldest_seconds", "Time since the oldest request in a lane of the queue was queued.",
         BOTH_LANES(queue->oldest, 1e6)},
    };
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++)
        metrics_put(out, &(struct metrics_family){rows[r].name, "gauge", rows[r].help, "lane", JOB_LANES,
                                                  metrics_lanes + METRICS_SHORT, rows[r].samples});
}

static void put_loops(struct buffer *out, const struct http_loop *loops, size_t count) {
    double busy[LOOP_MAX], longest[LOOP_MAX];
    for (size_t l = 0; l < count; l++) {
        busy[l] = (double)meter_busy(&loops[l].loop.meter) / 1e6;
        longest[l] = (double)meter_longest(&loops[l].loop.meter, clock_now_us()) / 1e6;
    }
    metrics_put(out,
                &(struct metrics_family){"arbiter_loop_busy_seconds_total", "counter",
                                         "Time for which an event loop has been busy; the rest of the time, it waits.",
                                         "loop", count, NULL, busy});
    metrics_put(out, &(struct metrics_family){"arbiter_loop_longest_round_seconds", "gauge",
                                              "Longest round of an event loop in the last one to two minutes. The "
                                              "loop's other requests wait until a round ends.",
                                              "loop", count, NULL, longest});
}

/* Metrics with one sample each. */
static void put_scalars(struct buffer *out, const struct http_shared *shared, const struct queue_state *queue) {
    static const char level[] = "gauge", total[] = "counter";
    const struct gauges *gauges = &shared->gauges;
    const struct process_facts process = process_read_facts();
    const struct {
        const char *name, *type, *help;
        double sample;
    } rows[] = {
        {"arbiter_ready", level, "1 while the server accepts requests, 0 once it is shutting down.",
         gauge_get(&gauges->unready) == 0},
        {"arbiter_queue_waiting", level, "Requests waiting for their first turn on a worker.", (double)queue->waiting},
        {"arbiter_queue_waiting_limit", level, "Maximum number of waiting requests (--queue).", (double)queue->limit},
        {"arbiter_inflight_bytes", level, "Bytes charged for bodies, answers and large JSON trees.",
         (double)(shared->account->limit - account_free(shared->account))},
        {"arbiter_inflight_bytes_limit", level, "Maximum of arbiter_inflight_bytes (--max-inflight-bytes).",
         (double)shared->account->limit},
        {"arbiter_memory_limit_bytes", level,
         "Maximum memory use with these options (memory_bytes in the output of --check).",
         (double)shared->memory_limit},
        {"arbiter_requests_in_flight", level, "Requests whose headers are complete and that have not ended.",
         (double)gauge_get(&gauges->in_flight)},
        {"arbiter_streams_open", level, "NDJSON answers that are being sent.", (double)gauge_get(&gauges->streams)},
        {"arbiter_connections", level, "Open connections.", (double)gauge_get(&gauges->connections)},
        {"arbiter_connections_limit", level, "Maximum number of connections (at most --max-connections).",
         (double)shared->max_connections},
        {"arbiter_connections_refused_total", total,
         "Connections refused because the client had reached --max-connections-per-client.",
         (double)gauge_get(&gauges->connections_refused)},
        {"arbiter_connections_closed_total", total,
         "Connections closed while waiting for their client, to make room for another client when all were in use.",
         (double)gauge_get(&gauges->connections_closed)},
        {"arbiter_search_states_total", total, "Positions visited by Minesweeper searches.",
         (double)(queue->statistics.states + gauge_get(&gauges->states))},
        {"arbiter_unknown_total", total, "Minesweeper fields answered \"Unknown\" at the search limit.",
         (double)(queue->statistics.unknown + gauge_get(&gauges->unknown))},
        {"arbiter_log_lines_dropped_total", total, "Log lines dropped because of a slow reader or a failed write.",
         (double)log_dropped(shared->log)},
        {"process_cpu_seconds_total", total, "Total CPU time used by all threads.", process.cpu_seconds},
        {"process_resident_memory_bytes", level, "Resident memory.", process.resident_bytes},
        {"process_virtual_memory_bytes", level, "Virtual memory.", process.virtual_bytes},
        {"process_open_fds", level, "Open file descriptors.", process.open_fds},
        {"process_max_fds", level, "Maximum number of open file descriptors.", process.max_fds},
        {"process_threads", level, "Number of threads.", process.threads},
        {"process_start_time_seconds", level, "Start time of the process, in seconds since 1970.", shared->start_time},
    };
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++)
        metrics_put(out,
                    &(struct metrics_family){
                        .name = rows[r].name, .type = rows[r].type, .help = rows[r].help, .samples = &rows[r].sample});
}

/* ---- answers ---- */

static void respond_metrics(struct http_shared *shared, const struct response_cors *cors,
                            struct response *ret_response) {
    const struct queue_state queue = queue_read_state(shared->queue);
    struct buffer out;
    buffer_init(&out, MAX_TEXT, NULL);
    buffer_printf(&out,
                  "# HELP arbiter_build_info Version and commit of the running server; always 1.\n"
                  "# TYPE arbiter_build_info gauge\n"
                  "arbiter_build_info{version=\"%s\",commit=\"%s\"} 1\n",
                  shared->version, shared->commit);
    metrics_put_requests(&out, shared->metrics);
    put_lanes(&out, &queue);
    put_loops(&out, shared->loops, shared->loop_count);
    put_scalars(&out, shared, &queue);
    if (out.outcome != OUTCOME_DONE) {
        buffer_clear(&out);
        problem_respond(PROBLEM_OVERLOADED, cors, ret_response, "out of memory");
        return;
    }
    response_init(ret_response, cors, 200, "text/plain; version=0.0.4; charset=utf-8");
    response_add_header(ret_response, "Cache-Control", "no-store");
    response_take(ret_response, &out);
}

static bool is_hanging(const struct http_shared *shared) {
    uint64_t now = clock_now_us();
    bool found = false;
    for (size_t l = 0; l < shared->loop_count; l++)
        found |= meter_current(&shared->loops[l].loop.meter, now) > HANGING;
    return found;
}

void probe_respond(struct http_shared *shared, enum route_probe probe, bool gzip, const struct response_cors *cors,
                   struct response *ret_response) {
    if (probe == ROUTE_METRICS) {
        respond_metrics(shared, cors, ret_response);
        response_pack(ret_response, gzip);
    } else if (probe == ROUTE_READYZ && gauge_get(&shared->gauges.unready) != 0) {
        problem_respond(PROBLEM_OVERLOADED, cors, ret_response, "the server is shutting down");
    } else if (probe == ROUTE_READYZ && is_hanging(shared)) {
        problem_respond(PROBLEM_OVERLOADED, cors, ret_response, "an event loop is stuck");
    } else {
        pages_respond_well(cors, ret_response);
    }
}
