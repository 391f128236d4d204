#include "api/server/metrics.h"

#include "api/request/routes.h"
#include "base/assert.h"

#include <stdio.h>
#include <stdlib.h>

const char *const metrics_lanes[METRICS_LANES] = {
    [METRICS_NOWHERE] = "none", [METRICS_IO] = "io", [METRICS_SHORT] = "short", [METRICS_LONG] = "long"};

enum {
    STATUSES = 600,
    FIRST_CLASS = 2, /* no request ends with a 1xx status */
    CLASSES = STATUSES / 100,
    BUCKETS = 18,
    LABEL_SIZE = 48,
};

/* The upper bounds of the buckets in microseconds; the last bucket has none. 50 ms is the budget of a case on a short
 * worker, 10 s the default of --max-wait. */
static const uint64_t bounds[BUCKETS] = {100,     250,     500,      1000,     2500,      5000,
                                         10000,   20000,   50000,    100000,   200000,    500000,
                                         1000000, 5000000, 10000000, 60000000, 100000000, 300000000};

struct histogram {
    gauge in_bucket[BUCKETS + 1];
    gauge sum; /* microseconds */
};

/* The times that have a histogram for each lane. */
enum time { TOOK, WAITED, WORKED, TIMES };

/* The counters of a route. */
struct route_metrics {
    struct route route; /* path NULL: requests that match no route */
    gauge by_status[STATUSES];
    gauge bytes_in, bytes_out;
    /* Only for routes that solve. */
    struct histogram times[METRICS_LANES][TIMES];
    struct histogram answers[CLASSES]; /* answered requests, by the first digit of the status */
};

struct metrics {
    gauge by_reason[REASONS];
    size_t route_count;
    struct route_metrics routes[];
};

/* ---- counting ---- */

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

/* Paths are compared as pointers, because they all come from the table of routes. */
static struct route_metrics *find_route(struct metrics *metrics, const char *path) {
    size_t r = 0;
    while (r + 1 < metrics->route_count && metrics->routes[r].route.path != path)
        r++;
    ASSERT(metrics->routes[r].route.path == path);
    return &metrics->routes[r];
}

static void observe(struct histogram *histogram, uint64_t microseconds) {
    size_t bucket = 0;
    while (bucket < BUCKETS && microseconds > bounds[bucket])
        bucket++;
    gauge_add(&histogram->in_bucket[bucket], 1);
    gauge_add(&histogram->sum, microseconds);
}

void metrics_count(struct metrics *metrics, const struct ended_request *request) {
    struct route_metrics *route = find_route(metrics, request->route);
    struct histogram *times = route->times[request->lane];
    ASSERT(request->status < STATUSES);
    gauge_add(&route->by_status[request->status], 1);
    gauge_add(&metrics->by_reason[request->reason], 1);
    gauge_add(&route->bytes_in, request->bytes_in);
    gauge_add(&route->bytes_out, request->bytes_out);
    if (route->route.kind != ROUTE_SOLVE)
        return;
    observe(&times[TOOK], request->took);
    observe(&times[WAITED], request->waited);
    observe(&times[WORKED], request->worked);
    if (request->status != 0)
        observe(&route->answers[request->status / 100], request->took);
}

/* ---- writing ---- */

/* The two lines before the samples of a metric. */
static void put_head(struct buffer *out, const char *name, const char *type, const char *help) {
    buffer_printf(out, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, type);
}

/* How a value is written: integers without a fraction; 15 digits, which a double represents exactly. */
#define VALUE "%.15g"

void metrics_put(struct buffer *out, const struct metrics_family *family) {
    put_head(out, family->name, family->type, family->help);
    for (size_t s = 0; s < (family->label != NULL ? family->count : 1); s++) {
        buffer_put_string(out, family->name);
        if (family->label != NULL && family->values != NULL)
            buffer_printf(out, "{%s=\"%s\"}", family->label, family->values[s]);
        else if (family->label != NULL)
            buffer_printf(out, "{%s=\"%zu\"}", family->label, s);
        buffer_printf(out, " " VALUE "\n", family->samples[s]);
    }
}

/* Write a sample of a route. `suffix` is appended to the metric's name; `labels` holds further labels, each preceded by
 * a comma. */
static void put_sample(struct buffer *out, const char *name, const char *suffix, const struct route_metrics *route,
                       const char *labels, double value) {
    const char *path = route->route.path;
    buffer_printf(out, "%s%s{route=\"%s\"%s} " VALUE "\n", name, suffix, path != NULL ? path : "none", labels, value);
}

/* On routes that solve, statuses used in alerts have a sample from the start, so that the first such request shows up
 * as an increase. */
static void put_statuses(struct buffer *out, const struct metrics *metrics) {
    static const char name[] = "arbiter_requests_total";
    put_head(out, name, "counter",
             "Finished requests, by route and status; status \"none\" means that there was no answer.");
    for (size_t r = 0; r < metrics->route_count; r++) {
        const struct route_metrics *route = &metrics->routes[r];
        for (unsigned status = 0; status < STATUSES; status++) {
            uint64_t count = gauge_get(&route->by_status[status]);
            char label[LABEL_SIZE] = ",status=\"none\"";
            if (count == 0 && !(route->route.kind == ROUTE_SOLVE && (status == 200 || status == 500 || status == 503)))
                continue;
            if (status != 0)
                snprintf(label, sizeof label, ",status=\"%u\"", status);
            put_sample(out, name, "", route, label, (double)count);
        }
    }
}

/* The bytes of request or response bodies. A route without any has no sample. */
static void put_bytes(struct buffer *out, const struct metrics *metrics, bool is_out) {
    const char *name = is_out ? "arbiter_sent_bytes_total" : "arbiter_received_bytes_total";
    put_head(out, name, "counter",
             is_out ? "Bytes of response bodies as sent (after compression), by route; the sum of bytes_out in the log."
                    : "Bytes of the bodies of finished requests, by route; the sum of bytes_in in the log.");
    for (size_t r = 0; r < metrics->route_count; r++) {
        const struct route_metrics *route = &metrics->routes[r];
        uint64_t bytes = gauge_get(is_out ? &route->bytes_out : &route->bytes_in);
        if (bytes != 0 || route->route.kind == ROUTE_SOLVE)
            put_sample(out, name, "", route, "", (double)bytes);
    }
}

/* `label` is a further label besides the route. Empty histograms are left out, because there are many. */
static void put_histogram(struct buffer *out, const char *name, const struct route_metrics *route, const char *label,
                          const struct histogram *histogram) {
    uint64_t count = 0, total = 0;
    for (size_t b = 0; b <= BUCKETS; b++)
        total += gauge_get(&histogram->in_bucket[b]);
    if (total == 0)
        return;
    for (size_t b = 0; b <= BUCKETS; b++) {
        char labels[LABEL_SIZE];
        count += gauge_get(&histogram->in_bucket[b]);
        if (b < BUCKETS)
            snprintf(labels, sizeof labels, "%s,le=\"" VALUE "\"", label, (double)bounds[b] / 1e6);
        else
            snprintf(labels, sizeof labels, "%s,le=\"+Inf\"", label);
        put_sample(out, name, "_bucket", route, labels, (double)count);
    }
    put_sample(out, name, "_sum", route, label, (double)gauge_get(&histogram->sum) / 1e6);
    put_sample(out, name, "_count", route, label, (double)count);
}

static void put_times(struct buffer *out, const struct metrics *metrics) {
    static const struct {
        const char *name, *help;
        enum metrics_lane first; /* lanes before this one do not have this time */
    } rows[TIMES] = {
        [TOOK] = {"arbiter_request_duration_seconds",
                  "Time from receiving the complete headers of a request to the end of its answer, including the "
                  "transfer of the body, by the lane in which the request was solved; lane \"none\" means that it was "
                  "not solved.",
                  METRICS_NOWHERE},
        [WAITED] = {"arbiter_request_waiting_seconds", "Time that requests waited for their first turn on a worker.",
                    METRICS_SHORT},
        [WORKED] = {"arbiter_request_working_seconds", "Time that all threads together spent on a request.",
                    METRICS_IO},
    };
    for (enum time time = 0; time < TIMES; time++) {
        put_head(out, rows[time].name, "histogram", rows[time].help);
        for (size_t r = 0; r < metrics->route_count; r++)
            for (enum metrics_lane lane = rows[time].first; lane < METRICS_LANES; lane++) {
                char label[LABEL_SIZE];
                snprintf(label, sizeof label, ",lane=\"%s\"", metrics_lanes[lane]);
                put_histogram(out, rows[time].name, &metrics->routes[r], label, &metrics->routes[r].times[lane][time]);
            }
    }
}

static void put_answers(struct buffer *out, const struct metrics *metrics) {
    static const char name[] = "arbiter_answer_duration_seconds";
    put_head(out, name, "histogram",
             "Time from receiving the complete headers of a request to the end of its answer, by status class.");
    for (size_t r = 0; r < metrics->route_count; r++)
        for (unsigned class = FIRST_CLASS; class < CLASSES; class ++) {
            char label[LABEL_SIZE];
            snprintf(label, sizeof label, ",class=\"%uxx\"", class);
            put_histogram(out, name, &metrics->routes[r], label, &metrics->routes[r].answers[class]);
        }
}

/* Count the requests that were refused or cut off, by reason. */
static void put_reasons(struct buffer *out, const struct metrics *metrics) {
    static const char *const stages[] = {"head", "body", "send"}; /* from REASON_HEAD_TIMEOUT to REASON_SEND_TIMEOUT */
    enum { STAGES = REASON_SEND_TIMEOUT - REASON_HEAD_TIMEOUT + 1 };
    _Static_assert(sizeof stages / sizeof *stages == STAGES, "each timeout has a stage");
    double samples[REASONS];
    for (size_t r = 0; r < REASONS; r++)
        samples[r] = (double)gauge_get(&metrics->by_reason[r]);
    const double gone = samples[REASON_CONNECTION_LOST] + samples[REASON_CLIENT_GONE];
    const struct metrics_family families[] = {
        {"arbiter_refusals_total", "counter", "Requests refused or cut off by the server, by reason, as in the log.",
         "reason", REASON_HEAD - REASON_QUEUE_FULL + 1, reason_names + REASON_QUEUE_FULL, samples + REASON_QUEUE_FULL},
        {"arbiter_timeouts_total", "counter", "Requests that timed out because the client was too slow, by stage.",
         "stage", STAGES, stages, samples + REASON_HEAD_TIMEOUT},
        {"arbiter_clients_gone_total", "counter", "Requests whose client disconnected before the answer was complete.",
         NULL, 1, NULL, &gone},
    };
    for (size_t f = 0; f < sizeof families / sizeof *families; f++)
        metrics_put(out, &families[f]);
}

void metrics_put_requests(struct buffer *out, const struct metrics *metrics) {
    put_statuses(out, metrics);
    put_bytes(out, metrics, false);
    put_bytes(out, metrics, true);
    put_times(out, metrics);
    put_answers(out, metrics);
    put_reasons(out, metrics);
}
