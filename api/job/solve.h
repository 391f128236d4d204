/* One case of a job: read, solved, its result written. */
#pragma once

#include "api/job/state.h"

/* Do the case of a slot that was taken: see job_do. Any thread. */
enum outcome solve_do(struct job *job, struct slot *slot, const struct job_turn *turn, struct workspace *workspace,
                      struct work *work);

/* Are cases checked only, and not solved? So it is when the request is refused, whatever its other cases are, or when
 * its client has the answer. Any thread. */
bool solve_is_off(const struct job *job);
