/* How a computation ended; used throughout src and api. Ties, unknown values and misses are results, not outcomes.
 * Outputs are written only with OUTCOME_DONE, unless a function says otherwise. A function with a work budget (work.h)
 * can return OUTCOME_MORE_WORK or OUTCOME_CANCELLED. */
#pragma once

enum outcome {
    OUTCOME_DONE,      /* the outputs are written */
    OUTCOME_MORE_WORK, /* the work budget is used up: the same call with a larger budget gets further (work.h) */
    OUTCOME_NO_MEMORY, /* the system, an arena or an account is exhausted */
    OUTCOME_TOO_LARGE, /* the result would exceed a limit set by the caller, such as the bytes of a buffer or the
                        * states of a search */
    OUTCOME_CANCELLED, /* the stop flag is set: the result is no longer needed */
    OUTCOME_INTERNAL,  /* an invariant does not hold: the program has a bug */
};
