/* Does one case of a job: reads it, solves it, writes its result. */
#pragma once

#include "api/job/state.h"

/* Do the case of a slot that was taken; see job_do. Any thread. */
enum outcome solve_do(struct job *job, struct slot *slot, const struct job_turn *turn, struct workspace *workspace,
                      struct work *work);

/* Are cases only checked, and not solved? True if the request will be refused, or if the client has the answer already.
 * Any thread. */
bool solve_is_off(const struct job *job);
