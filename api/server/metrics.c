#include "api/server/metrics.h"

#include "api/answer/problem.h"
#include "api/request/routes.h"
#include "base/assert.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const metrics_lanes[METRICS_LANES] = {
    [METRICS_NOWHERE] = "none", [METRICS_IO] = "io", [METRICS_SHORT] = "short", [METRICS_LONG] = "long"};

enum {
    STATUSES = 600,
    FIRST_CLASS = 2, /* no request ends with a status of 1xx */
    CLASSES = STATUSES / 100,
    BUCKETS = 18,
    MAX_TEXT = 1 << 20,
};

/* The upper bounds of the buckets in microseconds, except the last, which has none. 50 ms is the budget of a case on a
 * short worker, 10 s the default of --max-wait. */
static const uint64_t bounds[BUCKETS] = {100,     250,     500,      1000,     2500,      5000,
                                         10000,   20000,   50000,    100000,   200000,    500000,
                                         1000000, 5000000, 10000000, 60000000, 100000000, 300000000};

typedef atomic_uint_fast64_t counter;

struct histogram {
    counter in_bucket[BUCKETS + 1];
    counter sum; /* microseconds */
};

/* The times of the requests of a route that were solved in a lane. */
struct times {
    struct histogram took, waited, worked;
};

/* The counters of a route. */
struct route_metrics {
    struct route route; /* path NULL: requests that match no route */
    counter by_status[STATUSES];
    counter bytes_in, bytes_out;
    /* Used by routes that solve: */
    struct times times[METRICS_LANES];
    struct histogram answers[CLASSES]; /* answered requests, by the first digit of the status */
};

struct metrics {
    counter by_reason[REASONS];
    size_t route_count;
    struct route_metrics routes[];
};

/* ---- counting ---- */

static void add(counter *to, uint64_t amount) { atomic_fetch_add_explicit(to, amount, memory_order_relaxed); }

static void observe(struct histogram *histogram, uint64_t microseconds) {
    size_t bucket = 0;
    while (bucket < BUCKETS && microseconds > bounds[bucket])
        bucket++;
    add(&histogram->in_bucket[bucket], 1);
    add(&histogram->sum, microseconds);
}

struct metrics *metrics_new(void) {
    size_t count = route_count() + 1;
    struct metrics *metrics = calloc(1, sizeof *metrics + count * sizeof *metrics->routes);
    if (metrics == NULL)
        return NULL;
    metrics->route_count = count;
    for (size_t r = 0; r + 1 < count; r++)
        metrics->routes[r].route = route_at(r);
    metrics->routes[count - 1].route = (struct route){.kind = ROUTE_PAGE};
    return metrics;
}

void metrics_free(struct metrics *metrics) { free(metrics); }

/* Paths are compared as pointers: they come from the table of routes. */
static struct route_metrics *find_route(struct metrics *metrics, const char *path) {
    size_t r = 0;
    while (r + 1 < metrics->route_count && metrics->routes[r].route.path != path)
        r++;
    ASSERT(metrics->routes[r].route.path == path);
    return &metrics->routes[r];
}

void metrics_count(struct metrics *metrics, const struct metrics_request *request) {
    struct route_metrics *route = find_route(metrics, request->route);
    struct times *times = &route->times[request->lane];
    ASSERT(request->status < STATUSES);
    add(&route->by_status[request->status], 1);
    add(&metrics->by_reason[request->reason], 1);
    add(&route->bytes_in, request->bytes_in);
    add(&route->bytes_out, request->bytes_out);
    if (route->route.kind != ROUTE_SOLVE)
        return;
    observe(&times->took, request->took);
    observe(&times->waited, request->waited);
    observe(&times->worked, request->worked);
    if (request->status != 0)
        observe(&route->answers[request->status / 100], request->took);
}

/* ---- writing ---- */

static uint64_t value_of(const counter *from) { return atomic_load_explicit(from, memory_order_relaxed); }

/* The two lines before the samples of a metric. */
static void put_head(struct buffer *out, const char *name, const char *type, const char *help) {
    buffer_printf(out, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, type);
}

/* Integers are written without a fraction. A double keeps 15 digits exactly. */
static void put_value(struct buffer *out, double value) { buffer_printf(out, " %.15g\n", value); }

/* Write the label of a route. */
static void put_route(struct buffer *out, const struct route_metrics *route) {
    const char *path = route->route.path;
    buffer_printf(out, "{route=\"%s%s\"", path == NULL || *path == '/' ? "" : "/", path != NULL ? path : "none");
}

/* For routes that solve, the statuses that alerts use have a sample from the start, so that the first such request is
 * seen as an increase. */
static void put_requests(struct buffer *out, const struct metrics *metrics) {
    static const char name[] = "arbiter_requests_total";
    put_head(out, name, "counter",
             "Requests that have ended, by route and status; status \"none\": without an answer.");
    for (size_t r = 0; r < metrics->route_count; r++) {
        const struct route_metrics *route = &metrics->routes[r];
        for (unsigned status = 0; status < STATUSES; status++) {
            uint64_t count = value_of(&route->by_status[status]);
            if (count == 0 && !(route->route.kind == ROUTE_SOLVE && (status == 200 || status == 500 || status == 503)))
                continue;
            buffer_put_string(out, name);
            put_route(out, route);
            if (status == 0)
                buffer_put_literal(out, ",status=\"none\"}");
            else
                buffer_printf(out, ",status=\"%u\"}", status);
            put_value(out, (double)count);
        }
    }
}

/* A counter of bytes, by route. A route without any bytes has no sample. */
static void put_bytes(struct buffer *out, const struct metrics *metrics, const char *name, const char *help,
                      size_t offset) {
    put_head(out, name, "counter", help);
    for (size_t r = 0; r < metrics->route_count; r++) {
        const struct route_metrics *route = &metrics->routes[r];
        uint64_t bytes = value_of((const void *)((const char *)route + offset));
        if (bytes == 0 && route->route.kind != ROUTE_SOLVE)
            continue;
        buffer_put_string(out, name);
        put_route(out, route);
        buffer_put_literal(out, "}");
        put_value(out, (double)bytes);
    }
}

static uint64_t count_of(const struct histogram *histogram) {
    uint64_t count = 0;
    for (size_t b = 0; b <= BUCKETS; b++)
        count += value_of(&histogram->in_bucket[b]);
    return count;
}

/* `label` is a further label beside the route: lane="io". An empty histogram is left out, because there are many. */
static void put_histogram(struct buffer *out, const char *name, const struct route_metrics *route, const char *label,
                          const struct histogram *histogram) {
    uint64_t count = 0;
    if (count_of(histogram) == 0)
        return;
    for (size_t b = 0; b <= BUCKETS; b++) {
        count += value_of(&histogram->in_bucket[b]);
        buffer_printf(out, "%s_bucket", name);
        put_route(out, route);
        if (b < BUCKETS)
            buffer_printf(out, ",%s,le=\"%.15g\"}", label, (double)bounds[b] / 1e6);
        else
            buffer_printf(out, ",%s,le=\"+Inf\"}", label);
        put_value(out, (double)count);
    }
    buffer_printf(out, "%s_sum", name);
    put_route(out, route);
    buffer_printf(out, ",%s}", label);
    put_value(out, (double)value_of(&histogram->sum) / 1e6);
    buffer_printf(out, "%s_count", name);
    put_route(out, route);
    buffer_printf(out, ",%s}", label);
    put_value(out, (double)count);
}

/* One of the three histograms of `struct times`, for the lanes from `first` on: the earlier ones have no such time. */
static void put_times(struct buffer *out, const struct metrics *metrics, const char *name, const char *help,
                      size_t offset, enum metrics_lane first) {
    put_head(out, name, "histogram", help);
    for (size_t r = 0; r < metrics->route_count; r++)
        for (enum metrics_lane lane = first; lane < METRICS_LANES; lane++) {
            const struct route_metrics *route = &metrics->routes[r];
            char label[16];
            snprintf(label, sizeof label, "lane=\"%s\"", metrics_lanes[lane]);
            if (route->route.kind == ROUTE_SOLVE)
                put_histogram(out, name, route, label, (const void *)((const char *)&route->times[lane] + offset));
        }
}

static void put_answers(struct buffer *out, const struct metrics *metrics) {
    static const char name[] = "arbiter_answer_duration_seconds";
    put_head(out, name, "histogram",
             "From a request's complete head to the end of its answer, by the class of the answer's status.");
    for (size_t r = 0; r < metrics->route_count; r++)
        for (unsigned class = FIRST_CLASS; class < CLASSES; class ++) {
            const struct route_metrics *route = &metrics->routes[r];
            char label[16];
            snprintf(label, sizeof label, "class=\"%uxx\"", class);
            if (route->route.kind == ROUTE_SOLVE)
                put_histogram(out, name, route, label, &route->answers[class]);
        }
}

static void put_all_times(struct buffer *out, const struct metrics *metrics) {
    put_times(out, metrics, "arbiter_request_duration_seconds",
              "From a request's complete head to the end of its answer, its body's way included, by the lane in which "
              "it was solved; \"none\": in none.",
              offsetof(struct times, took), METRICS_NOWHERE);
    put_times(out, metrics, "arbiter_request_waiting_seconds", "How long requests waited for a worker's first turn.",
              offsetof(struct times, waited), METRICS_SHORT);
    put_times(out, metrics, "arbiter_request_working_seconds",
              "How long threads were at a request, all of them together.", offsetof(struct times, worked), METRICS_IO);
}

/* A metric with one sample, or with one for each of some values of a label. */
struct family {
    const char *name, *type, *help;
    const char *label; /* NULL: none */
    size_t count;
    const char *const *values; /* of the label */
    const double *samples;
};

static void put_family(struct buffer *out, const struct family *family) {
    put_head(out, family->name, family->type, family->help);
    for (size_t s = 0; s < family->count; s++) {
        buffer_put_string(out, family->name);
        if (family->label != NULL)
            buffer_printf(out, "{%s=\"%s\"}", family->label, family->values[s]);
        put_value(out, family->samples[s]);
    }
}

/* Count the requests that were refused or cut off, by reason. */
static void put_reasons(struct buffer *out, const struct metrics *metrics) {
    static const char *const stages[] = {"head", "body", "send"};
    double samples[REASONS];
    for (size_t r = 0; r < REASONS; r++)
        samples[r] = (double)value_of(&metrics->by_reason[r]);
    const double gone = samples[REASON_CONNECTION_LOST] + samples[REASON_CLIENT_GONE];
    const struct family families[] = {
        {"arbiter_refusals_total", "counter",
         "Requests that were refused, or cut off by the service, by reason: those of the log.", "reason",
         REASON_HEAD - REASON_QUEUE_FULL + 1, reason_names + REASON_QUEUE_FULL, samples + REASON_QUEUE_FULL},
        {"arbiter_timeouts_total", "counter", "Requests whose client was too slow, by what it was slow in.", "stage", 3,
         stages, samples + REASON_HEAD_TIMEOUT},
        {"arbiter_clients_gone_total", "counter", "Requests whose client went away before it had its answer.", NULL, 1,
         NULL, &gone},
    };
    for (size_t f = 0; f < sizeof families / sizeof *families; f++)
        put_family(out, &families[f]);
}

/* Metrics with one sample each. */
static void put_scalars(struct buffer *out, const struct metrics_snapshot *snapshot) {
    static const char state[] = "gauge", total[] = "counter";
    const struct process_facts *process = &snapshot->process;
    const struct {
        const char *name, *type, *help;
        double sample;
    } rows[] = {
        {"arbiter_ready", state, "Whether the service takes requests: 0 once it is told to leave.", snapshot->ready},
        {"arbiter_queue_waiting", state, "Requests that wait for a worker's first turn.",
         (double)snapshot->queue.waiting},
        {"arbiter_queue_waiting_limit", state, "How many requests may wait: the limit \"queue\".",
         (double)snapshot->queue.limit},
        {"arbiter_inflight_bytes", state, "Bytes of bodies, answers and large trees, as they are charged.",
         (double)snapshot->inflight_bytes},
        {"arbiter_inflight_bytes_limit", state, "How many of them there may be: max_inflight_bytes.",
         (double)snapshot->inflight_bytes_limit},
        {"arbiter_memory_limit_bytes", state, "The most memory that the options allow: memory_bytes of --check.",
         (double)snapshot->memory_limit},
        {"arbiter_requests_in_flight", state, "Requests whose head is complete and that have not ended.",
         (double)snapshot->requests_in_flight},
        {"arbiter_streams_open", state, "Answers in lines that are being sent.", (double)snapshot->streams},
        {"arbiter_connections", state, "Clients that are connected.", (double)snapshot->connections},
        {"arbiter_connections_limit", state, "How many may be connected: --max-connections, or fewer by descriptors.",
         (double)snapshot->connections_limit},
        {"arbiter_connections_refused_total", total,
         "Connections that were closed at once, because their client had --max-connections-per-client.",
         (double)snapshot->connections_refused},
        {"arbiter_search_states_total", total, "Positions that searches of Minesweeper have visited.",
         (double)snapshot->states},
        {"arbiter_log_lines_dropped_total", total, "Lines of the log for which its reader was too slow.",
         (double)snapshot->log_lines_dropped},
        {"process_cpu_seconds_total", total, "Processor time of all threads.", process->cpu_seconds},
        {"process_resident_memory_bytes", state, "Memory that is resident.", process->resident_bytes},
        {"process_virtual_memory_bytes", state, "Address space.", process->virtual_bytes},
        {"process_open_fds", state, "Descriptors that are open.", process->open_fds},
        {"process_max_fds", state, "Descriptors that may be open.", process->max_fds},
        {"process_threads", state, "Threads.", process->threads},
        {"process_start_time_seconds", state, "When the process began, in seconds since 1970.", snapshot->start_time},
    };
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++)
        put_family(out, &(struct family){rows[r].name, rows[r].type, rows[r].help, NULL, 1, NULL, &rows[r].sample});
}

/* Metrics with a sample for each lane of the queue. */
static void put_lanes(struct buffer *out, const struct queue_state *queue) {
    const struct {
        const char *name, *help;
        const size_t *samples;
    } rows[] = {
        {"arbiter_queue_jobs", "Requests that stand in a lane of the queue; one may stand in both.", queue->jobs},
        {"arbiter_queue_clients", "Clients that have requests in a lane of the queue.", queue->clients},
        {"arbiter_workers", "Threads that solve what the I/O thread does not.", queue->workers},
        {"arbiter_workers_busy", "Of them, those that are at a request.", queue->busy},
    };
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        double samples[JOB_LANES];
        for (size_t lane = 0; lane < JOB_LANES; lane++)
            samples[lane] = (double)rows[r].samples[lane];
        put_family(out, &(struct family){rows[r].name, "gauge", rows[r].help, "lane", JOB_LANES,
                                         metrics_lanes + METRICS_SHORT, samples});
    }
    double ages[JOB_LANES];
    for (size_t lane = 0; lane < JOB_LANES; lane++)
        ages[lane] = (double)queue->oldest[lane] / 1e6;
    put_family(out,
               &(struct family){"arbiter_queue_oldest_seconds", "gauge",
                                "How long ago the oldest of the requests in a lane of the queue came to the queue.",
                                "lane", JOB_LANES, metrics_lanes + METRICS_SHORT, ages});
}

/* Metrics with a sample for each event loop. */
static void put_loops(struct buffer *out, const struct metrics_snapshot *snapshot) {
    static const char busy[] = "arbiter_loop_busy_seconds_total", longest[] = "arbiter_loop_longest_round_seconds";
    put_head(out, busy, "counter", "How long event loops have worked; the rest of the time they have waited.");
    for (size_t l = 0; l < snapshot->loop_count; l++) {
        buffer_printf(out, "%s{loop=\"%zu\"}", busy, l);
        put_value(out, (double)snapshot->loops[l].busy / 1e6);
    }
    put_head(out, longest, "gauge",
             "The longest time between two looks of an event loop at its sources, in the last one to two minutes.");
    for (size_t l = 0; l < snapshot->loop_count; l++) {
        buffer_printf(out, "%s{loop=\"%zu\"}", longest, l);
        put_value(out, (double)snapshot->loops[l].longest / 1e6);
    }
}

void metrics_respond(const struct metrics *metrics, const struct metrics_snapshot *snapshot,
                     const struct response_cors *cors, struct response *ret_response) {
    struct buffer out;
    buffer_init(&out, MAX_TEXT, NULL);
    put_head(&out, "arbiter_build_info", "gauge", "The version and commit that run; always 1.");
    buffer_printf(&out, "arbiter_build_info{version=\"%s\",commit=\"%s\"} 1\n", snapshot->version, snapshot->commit);
    put_requests(&out, metrics);
    put_bytes(&out, metrics, "arbiter_received_bytes_total",
              "Bytes of the bodies of requests that have ended, by route: the sum of bytes_in of the log.",
              offsetof(struct route_metrics, bytes_in));
    put_bytes(&out, metrics, "arbiter_sent_bytes_total",
              "Bytes of the bodies of answers, packed or not, by route: the sum of bytes_out of the log.",
              offsetof(struct route_metrics, bytes_out));
    put_all_times(&out, metrics);
    put_answers(&out, metrics);
    put_reasons(&out, metrics);
    put_lanes(&out, &snapshot->queue);
    put_loops(&out, snapshot);
    put_scalars(&out, snapshot);
    if (out.outcome != OUTCOME_DONE) {
        buffer_clear(&out);
        problem_respond(PROBLEM_OVERLOADED, cors, ret_response, "memory is exhausted");
        return;
    }
    response_init(ret_response, cors, 200, "text/plain; version=0.0.4; charset=utf-8");
    response_add_header(ret_response, "Cache-Control", "no-store");
    response_take(ret_response, &out);
}
