/* The budget of work: how much a computation may still do before it must give its thread back.
 *
 * Whatever loops or allocates in proportion to a request charges for it first, in units of some 10 ns. A thread that
 * must answer quickly gives a small budget, and a computation that cannot pay returns OUTCOME_MORE_WORK: that is no
 * answer, the same computation is started again elsewhere with more. The stop flag ends any budget at once
 * (OUTCOME_CANCELLED). It is set when the client has left or the program ends.
 *
 * One budget belongs to one thread; the flag may be set by any. */
#pragma once

#include "base/outcome.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WORK_UNBOUNDED UINT64_MAX

struct work {
    uint64_t left;           /* units; WORK_UNBOUNDED is never used up */
    const atomic_bool *stop; /* NULL: nobody can stop it */
    uint64_t states;         /* positions that searches have visited meanwhile, for who counts them */
};

/* A scan of a request that is charged as a whole looks at the stop flag every WORK_CHUNK bytes: some 0.1 ms. */
enum { WORK_CHUNK = 64 << 10 };

/* Was the stop flag set? Then nobody needs the result. */
static inline bool work_is_stopped(const struct work *work) {
    return work->stop != NULL && atomic_load_explicit(work->stop, memory_order_relaxed);
}

/* Pay `units`; false when the budget does not hold them or was stopped. */
static inline bool work_charge(struct work *work, uint64_t units) {
    if (units > work->left || work_is_stopped(work))
        return false;
    if (work->left != WORK_UNBOUNDED)
        work->left -= units;
    return true;
}

/* Why work_charge was false. */
static inline enum outcome work_failure(const struct work *work) {
    return work_is_stopped(work) ? OUTCOME_CANCELLED : OUTCOME_MORE_WORK;
}
