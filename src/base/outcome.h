/* How a computation has ended, everywhere in src and api. Ties, unknown values and misses are results, not outcomes.
 * Outputs are written only with OUTCOME_DONE, unless a function says otherwise. A function with a budget of work
 * (work.h) may return OUTCOME_MORE_WORK or OUTCOME_CANCELLED. */
#pragma once

enum outcome {
    OUTCOME_DONE,      /* the outputs are written */
    OUTCOME_MORE_WORK, /* the budget of work is exhausted: the same call with a larger budget gets further (work.h) */
    OUTCOME_NO_MEMORY, /* the system, an arena or an account is exhausted */
    OUTCOME_TOO_LARGE, /* the result would exceed a limit of the caller: bytes of a buffer, states of a search */
    OUTCOME_CANCELLED, /* the stop flag is set: the result is not needed */
    OUTCOME_INTERNAL,  /* an invariant does not hold: the program has a bug */
};
