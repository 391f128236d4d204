/* Does one case of a job: reads it, solves it, writes its result. */
#pragma once

#include "api/job/results.h"

/* Do a case that was taken; see job_do. Any thread. */
enum outcome solve_do(struct cases *cases, struct results *results, const struct job_turn *turn,
                      struct workspace *workspace, struct work *work);
