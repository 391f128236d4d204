/* Metrics for Prometheus: counters of ended requests, and a snapshot of the program's state.
 *
 * Any thread may count and read.
 *
 * https://prometheus.io/docs/instrumenting/exposition_formats, text format 0.0.4. */
#pragma once

#include "api/answer/response.h"
#include "api/server/process.h"
#include "api/server/reason.h"
#include "api/work/queue.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- gauges ---- */

/* Counters and flags that all threads share: for metrics, for shutting down, and for events that are logged once. */

typedef atomic_uint_fast64_t gauge;

struct gauges {
    gauge in_flight;           /* requests with a complete head that have not ended */
    gauge streams;             /* streams that are being sent */
    gauge connections;         /* open connections */
    gauge connections_refused; /* since the start, because their client had too many */
    gauge states;              /* states that searches on loops have visited since the start */
    gauge unready;             /* 1: the service is about to shut down */
    gauge untrusted_proxy;     /* 1: the log has reported a proxy that is not trusted */
    gauge room_made;           /* milliseconds: when an answer was last cut off to free memory */
};

static inline void gauge_add(gauge *value, uint64_t more) {
    atomic_fetch_add_explicit(value, more, memory_order_relaxed);
}

static inline void gauge_subtract(gauge *value, uint64_t less) {
    atomic_fetch_sub_explicit(value, less, memory_order_relaxed);
}

/* Set a gauge to 1. Returns true if it was 0. */
static inline bool gauge_set_first(gauge *value) {
    return atomic_exchange_explicit(value, 1, memory_order_relaxed) == 0;
}

/* Replace a time by `now`. False, and nothing is changed, if less than `pause` has passed since that time, or another
 * thread was faster, which may have read a later time. */
static inline bool gauge_claim_time(gauge *value, uint64_t now, uint64_t pause) {
    uint_fast64_t last = atomic_load_explicit(value, memory_order_relaxed);
    return now >= last + pause &&
           atomic_compare_exchange_strong_explicit(value, &last, now, memory_order_relaxed, memory_order_relaxed);
}

static inline uint64_t gauge_get(const gauge *value) { return atomic_load_explicit(value, memory_order_relaxed); }

/* ---- counters of ended requests ---- */

struct metrics;

/* Where a request was solved. */
enum metrics_lane { METRICS_NOWHERE, METRICS_IO, METRICS_SHORT, METRICS_LONG, METRICS_LANES };

/* The names of the lanes, as in the log; METRICS_NOWHERE is "none". */
extern const char *const metrics_lanes[METRICS_LANES];

/* A request that has ended. Times are in microseconds. */
struct metrics_request {
    const char *route; /* the path in the table of routes (struct route); NULL: none */
    unsigned status;   /* 0: there was no answer */
    enum reason reason;
    enum metrics_lane lane;
    uint64_t took, waited, worked; /* since its head was complete; until its first turn; of all threads that worked on
                                    * it */
    uint64_t bytes_in, bytes_out;  /* of its body, and of its answer's body, as they were sent */
};

/* How busy a loop is, in microseconds: in all, and its longest recent round. */
struct metrics_loop {
    uint64_t busy, longest;
};

/* The state of the program, without the counters of requests. */
struct metrics_snapshot {
    const char *version, *commit;
    struct queue_state queue;
    struct process_facts process;
    uint64_t inflight_bytes, inflight_bytes_limit;
    uint64_t memory_limit; /* bytes: the most memory that the options allow */
    uint64_t connections, connections_limit;
    uint64_t connections_refused; /* since the start, because their client had too many */
    uint64_t requests_in_flight, streams;
    uint64_t states;            /* visited by searches */
    uint64_t log_lines_dropped; /* since the start */
    double start_time;          /* process_start_time */
    bool ready;
    const struct metrics_loop *loops; /* at most LOOP_MAX */
    size_t loop_count;
};

/* Make the counters, all 0. NULL when memory is exhausted. */
struct metrics *metrics_new(void);

/* Free them. Accepts NULL. */
void metrics_free(struct metrics *metrics);

/* Count a request that has ended. */
void metrics_count(struct metrics *metrics, const struct metrics_request *request);

/* Answer with all metrics: some 10 KB at the start, and 80 KB when each route has been used in each way. The answer is
 * 503 if there is no memory for them. */
void metrics_respond(const struct metrics *metrics, const struct metrics_snapshot *snapshot,
                     const struct response_cors *cors, struct response *ret_response);
