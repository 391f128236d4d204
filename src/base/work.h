/* The work budget: how much a computation may do before it must release its thread.
 *
 * All code whose loops or allocations grow with the request charges for them in advance, in units of about 10 ns. A
 * thread that must answer quickly passes a small budget. A computation whose budget runs out returns OUTCOME_MORE_WORK:
 * it has no result, and is restarted elsewhere with a larger budget. The stop flag, which is set when the client
 * disconnects or the program shuts down, ends a computation at its next charge (OUTCOME_CANCELLED).
 *
 * A budget belongs to one thread. Any thread may set the flag. */
#pragma once

#include "base/outcome.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WORK_UNBOUNDED UINT64_MAX

struct work {
    uint64_t left;           /* units; WORK_UNBOUNDED never decreases */
    const atomic_bool *stop; /* NULL: it cannot be stopped */
    struct work_statistics {
        uint64_t states;  /* positions that searches have visited with this budget */
        uint64_t unknown; /* results left unknown because of the limit on positions */
    } statistics;
};

/* A scan that is charged as a whole checks the stop flag after every WORK_CHUNK bytes, about every 0.1 ms. */
enum { WORK_CHUNK = 64 << 10 };

/* Is the stop flag set, so that the result is no longer needed? */
static inline bool work_is_stopped(const struct work *work) {
    return work->stop != NULL && atomic_load_explicit(work->stop, memory_order_relaxed);
}

/* Charge `units`. Returns false if the budget is too small or the stop flag is set. */
static inline bool work_charge(struct work *work, uint64_t units) {
    if (units > work->left || work_is_stopped(work))
        return false;
    if (work->left != WORK_UNBOUNDED)
        work->left -= units;
    return true;
}

/* Get the outcome after work_charge has returned false. */
static inline enum outcome work_failure(const struct work *work) {
    return work_is_stopped(work) ? OUTCOME_CANCELLED : OUTCOME_MORE_WORK;
}
