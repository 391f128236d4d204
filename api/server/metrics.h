/* What the service tells Prometheus: counters of the requests that have ended, and what a look at the program finds.
 *
 * Any thread may count and read.
 *
 * https://prometheus.io/docs/instrumenting/exposition_formats, text format 0.0.4. */
#pragma once

#include "api/answer/response.h"
#include "api/server/process.h"
#include "api/server/reason.h"
#include "api/work/queue.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct metrics;

/* Where a request was solved. */
enum metrics_lane { METRICS_NOWHERE, METRICS_IO, METRICS_SHORT, METRICS_LONG, METRICS_LANES };

/* The names of the lanes, as the log tells them too; that of METRICS_NOWHERE is "none". */
extern const char *const metrics_lanes[METRICS_LANES];

/* A request that has ended. Times in microseconds. */
struct metrics_request {
    const char *route; /* as in the table of routes (struct route); NULL: none */
    unsigned status;   /* 0: there was no answer */
    enum reason reason;
    enum metrics_lane lane;
    uint64_t took, waited, worked; /* since its head was complete; for its first turn; by all threads that were at it */
    uint64_t bytes_in, bytes_out;  /* of its body, and of its answer's, as they were sent */
};

/* How busy a loop is: since the start, and the longest round of late. Microseconds. */
struct metrics_loop {
    uint64_t busy, longest;
};

/* What is told of the program, beside its requests. */
struct metrics_snapshot {
    const char *version, *commit;
    struct queue_state queue;
    struct process_facts process;
    uint64_t inflight_bytes, inflight_bytes_limit;
    uint64_t memory_limit; /* bytes: the most memory that the options allow */
    uint64_t connections, connections_limit;
    uint64_t connections_refused; /* ever, because their client had too many */
    uint64_t requests_in_flight, streams;
    uint64_t states;            /* of searches */
    uint64_t log_lines_dropped; /* ever */
    double start_time;          /* process_start_time */
    bool ready;
    const struct metrics_loop *loops; /* at most LOOP_MAX */
    size_t loop_count;
};

/* All counters at 0. NULL when memory is exhausted. */
struct metrics *metrics_new(void);

/* Accepts NULL. */
void metrics_free(struct metrics *metrics);

/* Count a request. */
void metrics_count(struct metrics *metrics, const struct metrics_request *request);

/* Answer with all metrics: some 10 KB at the start, and 80 KB when each route has been used in each way; or 503 where
 * there is no memory for them. */
void metrics_respond(const struct metrics *metrics, const struct metrics_snapshot *snapshot,
                     const struct response_cors *cors, struct response *ret_response);
