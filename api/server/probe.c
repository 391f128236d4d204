#include "api/server/probe.h"

#include "api/answer/problem.h"
#include "api/log/log.h"
#include "api/request/pages.h"
#include "api/server/process.h"
#include "api/work/clock.h"
#include "api/work/queue.h"
#include "base/account.h"

enum { MAX_TEXT = 1 << 20 };

/* Microseconds: an event loop whose round takes longer serves nobody. A round takes some milliseconds. */
enum { HANGING = 5000000 };

/* ---- metrics that are read, not counted ---- */

/* A pair of samples, for the lanes of the queue. */
#define BOTH_LANES(values, unit)                                                                                       \
    ((const double[]){(double)(values)[JOB_SHORT] / (unit), (double)(values)[JOB_LONG] / (unit)})

static void put_lanes(struct buffer *out, const struct queue_state *queue) {
    const struct {
        const char *name, *help;
        const double *samples;
    } rows[] = {
        {"arbiter_queue_jobs", "Requests that stand in a lane of the queue; one may stand in both.",
         BOTH_LANES(queue->jobs, 1)},
        {"arbiter_queue_clients", "Clients that have requests in a lane of the queue.", BOTH_LANES(queue->clients, 1)},
        {"arbiter_workers", "Threads that solve what the I/O thread does not.", BOTH_LANES(queue->workers, 1)},
        {"arbiter_workers_busy", "Of them, those that are at a request.", BOTH_LANES(queue->busy, 1)},
        {"arbiter_queue_oldest_seconds",
         "How long ago the oldest of the requests in a lane of the queue came to the queue.",
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
                                         "How long event loops have worked; the rest of the time they have waited.",
                                         "loop", count, NULL, busy});
    metrics_put(out, &(struct metrics_family){
                         "arbiter_loop_longest_round_seconds", "gauge",
                         "The longest time between two looks of an event loop at its sources, in the last one to two "
                         "minutes.",
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
        {"arbiter_ready", level, "Whether the service takes requests: 0 once it is told to leave.",
         gauge_get(&gauges->unready) == 0},
        {"arbiter_queue_waiting", level, "Requests that wait for a worker's first turn.", (double)queue->waiting},
        {"arbiter_queue_waiting_limit", level, "How many requests may wait: the limit \"queue\".",
         (double)queue->limit},
        {"arbiter_inflight_bytes", level, "Bytes of bodies, answers and large trees, as they are charged.",
         (double)(shared->account->limit - account_free(shared->account))},
        {"arbiter_inflight_bytes_limit", level, "How many of them there may be: max_inflight_bytes.",
         (double)shared->account->limit},
        {"arbiter_memory_limit_bytes", level, "The most memory that the options allow: memory_bytes of --check.",
         (double)shared->memory_limit},
        {"arbiter_requests_in_flight", level, "Requests whose head is complete and that have not ended.",
         (double)gauge_get(&gauges->in_flight)},
        {"arbiter_streams_open", level, "Answers in lines that are being sent.", (double)gauge_get(&gauges->streams)},
        {"arbiter_connections", level, "Clients that are connected.", (double)gauge_get(&gauges->connections)},
        {"arbiter_connections_limit", level, "How many may be connected: --max-connections, or fewer by descriptors.",
         (double)shared->max_connections},
        {"arbiter_connections_refused_total", total,
         "Connections that were closed at once, because their client had --max-connections-per-client.",
         (double)gauge_get(&gauges->connections_refused)},
        {"arbiter_connections_closed_total", total,
         "Connections that were closed while they waited for their client, because all were taken and another client "
         "came.",
         (double)gauge_get(&gauges->connections_closed)},
        {"arbiter_search_states_total", total, "Positions that searches of Minesweeper have visited.",
         (double)(queue->statistics.states + gauge_get(&gauges->states))},
        {"arbiter_unknown_total", total, "Fields of Minesweeper left \"Unknown\", because of the limit on positions.",
         (double)(queue->statistics.unknown + gauge_get(&gauges->unknown))},
        {"arbiter_log_lines_dropped_total", total, "Lines of the log for which its reader was too slow.",
         (double)log_dropped(shared->log)},
        {"process_cpu_seconds_total", total, "Processor time of all threads.", process.cpu_seconds},
        {"process_resident_memory_bytes", level, "Memory that is resident.", process.resident_bytes},
        {"process_virtual_memory_bytes", level, "Address space.", process.virtual_bytes},
        {"process_open_fds", level, "Descriptors that are open.", process.open_fds},
        {"process_max_fds", level, "Descriptors that may be open.", process.max_fds},
        {"process_threads", level, "Threads.", process.threads},
        {"process_start_time_seconds", level, "When the process began, in seconds since 1970.", shared->start_time},
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
                  "# HELP arbiter_build_info The version and commit that run; always 1.\n"
                  "# TYPE arbiter_build_info gauge\n"
                  "arbiter_build_info{version=\"%s\",commit=\"%s\"} 1\n",
                  shared->version, shared->commit);
    metrics_put_requests(&out, shared->metrics);
    put_lanes(&out, &queue);
    put_loops(&out, shared->loops, shared->loop_count);
    put_scalars(&out, shared, &queue);
    if (out.outcome != OUTCOME_DONE) {
        buffer_clear(&out);
        problem_respond(PROBLEM_OVERLOADED, cors, ret_response, "memory is exhausted");
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
        problem_respond(PROBLEM_OVERLOADED, cors, ret_response, "the service is about to leave");
    } else if (probe == ROUTE_READYZ && is_hanging(shared)) {
        problem_respond(PROBLEM_OVERLOADED, cors, ret_response, "an event loop hangs");
    } else {
        pages_respond_well(cors, ret_response);
    }
}
