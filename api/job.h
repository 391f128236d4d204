/* The life of a request that has a body: bytes in, an answer out. No sockets, no threads, no clocks.
 *
 *     job_new      a job for the body
 *     job_begin    checks the bytes, parses, finds the cases
 *     job_case     decodes, checks, solves and encodes one case; different cases may run on different threads
 *     job_finish   the faults in order, or the parts joined: the response
 *     job_clear
 */
#pragma once

#include "api/answer/response.h"
#include "api/request/admit.h"
#include "api/request/service.h"
#include "base/arena.h"
#include "base/work.h"

#include <stddef.h>

struct job;

/* A job for a body. It lives in `arena`, which is the job's alone until it is cleared; the body outlives the job, and
 * numbers in it may be overwritten. NULL when memory is exhausted. */
struct job *job_new(const struct service *service, const struct admission *admission, char *body, size_t length,
                    struct arena *arena);

/* Check, parse, find the cases. WORK_EXHAUSTED: call again with more. Otherwise WORK_DONE; a body that cannot be read
 * has no cases, and job_finish says why. */
enum work_outcome job_begin(struct job *job, struct work *work);

/* How many cases job_begin found. */
size_t job_case_count(const struct job *job);

/* Decode, check, solve and encode case `index`, with `scratch` to work in, which is reset. Different threads may do
 * different cases. WORK_EXHAUSTED: call again with more. Otherwise WORK_DONE; what went wrong is kept for
 * job_finish. */
enum work_outcome job_case(struct job *job, size_t index, struct arena *scratch, struct work *work);

/* Write the response, once every case is done. It outlives the job. */
void job_finish(struct job *job, struct response *ret_response);

/* Free what is not in the arena. Accepts NULL. */
void job_clear(struct job *job);
