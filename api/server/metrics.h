/* Metrics for Prometheus: gauges of current activity, and counters of ended requests. Any thread may count.
 * probe.h serves the result.
 *
 * Format: https://prometheus.io/docs/instrumenting/exposition_formats, text format 0.0.4. */
#pragma once

#include "api/server/state.h"
#include "base/buffer.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- gauges ---- */

/* A number shared by all threads. */
typedef atomic_uint_fast64_t gauge;

/* Counters and flags, for metrics, for the shutdown, and for events that are logged only once. */
struct gauges {
    gauge in_flight;           /* requests with a complete head that have not ended */
    gauge streams;             /* streams that are being sent */
    gauge connections;         /* open connections */
    gauge connections_refused; /* since the start: refused because the client had too many */
    gauge connections_closed;  /* since the start: closed because all were taken and another client was waiting */
    gauge states, unknown;     /* for the work on loops since the start: see struct work_statistics */
    gauge unready;             /* 1: the service is about to shut down */
    gauge untrusted_proxy;     /* 1: the log has reported a proxy that is not trusted */
    gauge room_made;           /* milliseconds: when an answer was last cut off to free memory */
};

/* Add to a gauge; UINT64_MAX subtracts 1. */
static inline void gauge_add(gauge *value, uint64_t more) {
    atomic_fetch_add_explicit(value, more, memory_order_relaxed);
}

/* Set a gauge to 1. Returns true if it was 0 before. */
static inline bool gauge_set_first(gauge *value) {
    return atomic_exchange_explicit(value, 1, memory_order_relaxed) == 0;
}

/* Set a time to `now`. Returns false, and changes nothing, if less than `pause` has passed since the stored time, or if
 * another thread was faster (it may have stored a later time). */
static inline bool gauge_claim_time(gauge *value, uint64_t now, uint64_t pause) {
    uint_fast64_t last = atomic_load_explicit(value, memory_order_relaxed);
    return now >= last + pause &&
           atomic_compare_exchange_strong_explicit(value, &last, now, memory_order_relaxed, memory_order_relaxed);
}

static inline uint64_t gauge_get(const gauge *value) { return atomic_load_explicit(value, memory_order_relaxed); }

/* ---- counters of ended requests ---- */

struct metrics;

/* Where a request was solved; from METRICS_SHORT on, as in enum job_lane. */
enum metrics_lane { METRICS_NOWHERE, METRICS_IO, METRICS_SHORT, METRICS_LONG, METRICS_LANES };

/* The names of the lanes in the log; METRICS_NOWHERE is "none". */
extern const char *const metrics_lanes[METRICS_LANES];

/* A request that has ended. Times are in microseconds. */
struct ended_request {
    const char *route; /* the path in the table of routes (struct route), or NULL */
    unsigned status;   /* 0: there was no answer */
    enum reason reason;
    enum metrics_lane lane;
    uint64_t took, waited, worked; /* since the complete head; until the first turn; summed over all threads that
                                    * worked on it */
    uint64_t bytes_in, bytes_out;  /* in its body and in the response body, as transferred */
};

/* Create the counters, all 0. Returns NULL when out of memory. */
struct metrics *metrics_new(void);

/* Free them. Accepts NULL. */
void metrics_free(struct metrics *metrics);

/* Count a request that has ended. */
void metrics_count(struct metrics *metrics, const struct ended_request *request);

/* ---- writing ---- */

/* A metric with one sample, or with one sample for each value of a label. */
struct metrics_family {
    const char *name, *type, *help;
    const char *label; /* NULL: no label, and one sample */
    size_t count;
    const char *const *values; /* the values of the label; NULL: 0, 1, 2, … */
    const double *samples;
};

/* Write a metric. */
void metrics_put(struct buffer *out, const struct metrics_family *family);

/* Write the counters of ended requests: about 80 KB once every route has been used in every way. */
void metrics_put_requests(struct buffer *out, const struct metrics *metrics);
