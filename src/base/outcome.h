/* How a computation ended, everywhere in src and api. Ties, unknowns and misses are results, not outcomes. Outputs are
 * written only with OUTCOME_DONE, unless a function says otherwise. What is given a budget of work (work.h) may end
 * with OUTCOME_MORE_WORK or OUTCOME_CANCELLED. */
#pragma once

enum outcome {
    OUTCOME_DONE,      /* the outputs are written */
    OUTCOME_MORE_WORK, /* the budget of work is used up: the same call again, with more, gets further (work.h) */
    OUTCOME_NO_MEMORY, /* the system, an arena or an account had no more */
    OUTCOME_TOO_LARGE, /* the result would pass a bound that the caller set: the bytes of a buffer, the states of a
                          search */
    OUTCOME_CANCELLED, /* the stop flag is set: nobody needs the result */
    OUTCOME_INTERNAL,  /* an invariant does not hold: a fault of the program */
};
