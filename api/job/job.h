/* The life of a request that has a body: bytes in, an answer out. No sockets, no threads, no clocks.
 *
 *     job_new       a job for a body
 *     job_begin     checks as much as must be known before the first case
 *     job_take      the next case that is to be done in a lane
 *     job_do        parses, decodes, checks, solves and encodes it, and forgets all but its result
 *     job_deliver   puts the result to the others, in their order
 *     job_finish    the whole answer; or, of an answer in lines, its head, and job_read the lines
 *     job_free
 *
 * A job knows its cases by number. Those that are found and not yet joined stand in a window:
 *
 *     0 . . . . joined [ done | taken | done | to be done again | . . . ] not yet found
 *                       oldest                                  found
 *
 * so that a job takes as much memory however many cases it has. An answer in lines is joined by who reads it, any other
 * as soon as a case and all before it are done.
 *
 * job_do may run on any threads, each with a case and a workspace of its own, beside everything else but job_free. Of
 * all other functions one runs at a time: they are quick, but for job_begin, which comes before them, and job_take,
 * which reads a case where it is a text. */
#pragma once

#include "api/answer/response.h"
#include "api/job/workspace.h"
#include "api/request/admit.h"
#include "api/request/service.h"
#include "base/work.h"

#include <stddef.h>

struct job;

/* The values of job_limits. */
struct job_limits {
    uint64_t max_stream_bytes;
};
extern const struct limit_group job_limits;

/* A case is done in the first lane whose budget and workspace are large enough for it. */
enum job_lane { JOB_SHORT, JOB_LONG, JOB_LANES };

/* A case whose turn it is. */
struct job_turn {
    size_t number;   /* from 0 */
    void *text_case; /* read on the way, into the workspace; or NULL */
};

/* A job for a body, which outlives it as the admission does, and in which numbers may be overwritten. NULL when memory
 * is exhausted. */
struct job *job_new(const struct service *service, const struct admission *admission, char *body, size_t length);

/* Free all but the body. Accepts NULL. */
void job_free(struct job *job);

/* Who calls job_begin or job_take with a budget of so much again and again gets to the end. */
enum { JOB_LEAST_WORK = 100000 };

/* Check the body as far as must be known before the first case. OUTCOME_MORE_WORK: call again with more. Otherwise
 * OUTCOME_DONE; a body that is refused has no cases. */
enum outcome job_begin(struct job *job, struct workspace *workspace, struct work *work);

/* Is there a case that could be taken in this lane now? */
bool job_has_turn(const struct job *job, enum job_lane lane);

/* Take a case that is to be done in `lane`. False when there is none, or when work gave out in looking for it, as
 * *ret_outcome says: then call again with more. In between the workspace must not be used for anything else. */
bool job_take(struct job *job, enum job_lane lane, struct workspace *workspace, struct work *work,
              struct job_turn *ret_turn, enum outcome *ret_outcome);

/* Do a case that was taken. Resets the workspace. OUTCOME_DONE; what went wrong is part of the result.
 * OUTCOME_MORE_WORK: it needs more work, or a larger workspace. */
enum outcome job_do(struct job *job, const struct job_turn *turn, struct workspace *workspace, struct work *work);

/* A case is done. If the batch passes its limit with it, it is to be done again, for the place of that fault. */
void job_deliver(struct job *job, const struct job_turn *turn);

/* A case needs more work than it was given: it is to be done in `lane`. */
void job_put_back(struct job *job, const struct job_turn *turn, enum job_lane lane);

/* Is every case done? */
bool job_is_done(const struct job *job);

/* Once every case is done: does the answer need so much packing that a thread which others wait for must not finish
 * it? */
bool job_is_heavy(const struct job *job);

/* Will job_finish write the head of an answer whose body are lines? Known after job_begin. */
bool job_is_stream(const struct job *job);

/* Write the response: of a stream as soon as it has begun, otherwise once every case is done. It outlives the job, and
 * a stream's has no body. */
void job_finish(struct job *job, struct response *ret_response);

/* Append the id of the case, `"id":7,`, or nothing if it has no good one. For a job that is no batch and no stream, and
 * whose case was refused. */
void job_put_id(const struct job *job, struct buffer *out);

/* Copy at most `size` bytes of a stream's lines that are known and follow each other; returns how many, 0 when none
 * are known yet or all were read. The last line of a stream that has failed is problem_last_line. */
size_t job_read(struct job *job, char *ret_bytes, size_t size);

/* Has a stream failed, so that it must be cut off once its lines are read? */
bool job_is_broken(const struct job *job);

/* Is there something to be read of a stream, or has it come to its end? */
bool job_is_readable(const struct job *job);

/* Was all of a stream read? Never of one that has failed. */
bool job_is_read(const struct job *job);

/* What came of the cases of a stream that are done: is a problem among its lines; and is one of them no fault of the
 * case, but want of memory, or a fault of ours? Any thread. */
bool job_has_refused(const struct job *job);
bool job_has_failed(const struct job *job);

/* How far a job is. */
struct job_progress {
    size_t cases; /* done */
    size_t bytes; /* of the body, before the first case that is not */
};

/* Known after job_begin. */
struct job_progress job_progress(const struct job *job);
