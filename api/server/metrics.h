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

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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
