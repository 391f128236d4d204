/* A job: the life of a request that has a body, from its bytes to an answer. No sockets, no threads, no clocks.
 *
 *     job_new       a job for a body
 *     job_begin     checks the body as far as needed before the first case
 *     job_take      takes the next case that can be done in a lane
 *     job_do        reads and solves it, writes its result, and frees everything else
 *     job_deliver   joins the result to the others, in their order
 *     job_write     writes the answer, and compresses it
 *     job_finish    moves the answer to the caller; of a stream its head, and job_read copies its lines
 *     job_free
 *
 * job_do may run on any threads, each with a case and a workspace of its own, at the same time as all other functions
 * but job_free. The caller serialises all other functions. They are quick, except job_begin, job_take (which reads a
 * case of a text), and job_write.
 *
 * job.c joins what other files do:
 *
 *     body -> cases -- a case --> solve -- a result --> results -> answer -> response
 *              |  ^                 |                    job_deliver, job_read
 *            source +- put back ----+
 *
 *     cases.h     finds the cases, and keeps those that must be done again
 *     source.h    reads a format of bodies; a file for each: its cases, their faults, and the faults outside of them
 *     results.h   what a case has written, and what is known of all of them: bounds of memory, the order in which
 *                 results are joined, lines of a stream and their problems, the form of a batch
 *     answer.h    the response: problem or result, headers, compression
 *
 * Where a change goes:
 *
 *     a member in each result    answer_case (job.c), after `answer` of the game
 *     the time of a case         known after job_do, whose callers are task_do (api/work/task.h) and do_cases
 *                                (api/server/dispatch.c); the bytes of the result are written before
 *     the order of the results   results_deliver (results.c); in a stream results_read
 *     the faults of a case       results_start makes their list; its limit is in api/fault/fault.h
 *     when a batch is refused    join_faults, in the order of the cases; results_respond chooses the problem
 *     a bound on memory          results_room, before a case is found; `max_bytes` for what it writes
 *     the form of a batch        `join` and results_respond
 *     a header                   answer.c
 *     a compression              response_pack (api/answer/response.h); negotiate.c and admit.c: what is accepted
 */
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

/* Make a job for a body. The body, the service and the admission must outlive it. Numbers in the body may be
 * overwritten. NULL when memory is exhausted. */
struct job *job_new(const struct service *service, const struct admission *admission, char *body, size_t length);

/* Free the job, but not its body. Accepts NULL. */
void job_free(struct job *job);

/* Check the body as far as needed before the first case. OUTCOME_MORE_WORK: call again with more. OUTCOME_DONE: the job
 * has begun; if the body is refused, it has no cases. */
enum outcome job_begin(struct job *job, struct workspace *workspace, struct work *work);

/* Can a case be taken in this lane now? */
bool job_has_turn(const struct job *job, enum job_lane lane);

/* Take a case for `lane`. False when there is none. False, too, when the budget was exhausted in the search for one:
 * then *ret_outcome is OUTCOME_MORE_WORK or OUTCOME_CANCELLED, and the next call continues. The workspace must not be
 * used between job_take and job_do. */
bool job_take(struct job *job, enum job_lane lane, struct workspace *workspace, struct work *work,
              struct job_turn *ret_turn, enum outcome *ret_outcome);

/* Do a case that was taken. The workspace is that of job_take; it is reset. OUTCOME_DONE: call job_deliver; failures of
 * the case are part of its result. Otherwise call job_put_back; after OUTCOME_MORE_WORK the case needs a larger budget
 * or workspace. */
enum outcome job_do(struct job *job, const struct job_turn *turn, struct workspace *workspace, struct work *work);

/* Deliver a case that is done. If the batch exceeds the limit on the sum of sizes at this case, the case must be done
 * again, to find the position of that fault. */
void job_deliver(struct job *job, const struct job_turn *turn);

/* Return a case that was taken and is not done. It must be done in `lane`. */
void job_put_back(struct job *job, const struct job_turn *turn, enum job_lane lane);

/* Are all cases done? */
bool job_is_done(const struct job *job);

/* When all cases are done: does compressing the answer take so long that a worker must call job_write, and not a loop?
 */
bool job_is_heavy(const struct job *job);

/* Is the answer a stream: a head, and lines that job_read returns? Known after job_begin. */
bool job_is_stream(const struct job *job);

/* When all cases are done: write the response, so that job_finish is quick. Compression takes some 10 us a KiB. Nothing
 * happens if it is written already, or if the answer is a stream. */
void job_write(struct job *job);

/* Move the response to the caller: of a stream as soon as the job has begun, otherwise when all cases are done. Called
 * once. The response outlives the job. For a stream it has no body. */
void job_finish(struct job *job, struct response *ret_response);

/* Append the id of a single case, `"id":7,`. Nothing is appended if it has no valid id. */
void job_put_id(const struct job *job, struct buffer *out);

/* Copy at most `size` bytes of a stream's next lines. Returns the number of bytes; 0: no line is done yet, or all lines
 * were read. The last line of a broken stream is problem_last_line. */
size_t job_read(struct job *job, char *ret_bytes, size_t size);

/* Estimate how many bytes of a stream's lines are yet to be read: those of the lines that are done, and for the cases
 * that are not, as many as they have in the body. */
size_t job_left(const struct job *job);

/* Is this a stream that cannot continue? The connection must be cut off when its lines are read. */
bool job_is_broken(const struct job *job);

/* Can lines of a stream be read, or has it ended? */
bool job_is_readable(const struct job *job);

/* Were all lines of a stream read? Always false for a broken stream. */
bool job_is_read(const struct job *job);

/* Has a line of a stream refused its case (4xx)? Any thread. */
bool job_has_refused(const struct job *job);

/* Was a case not answered for lack of memory, or because of an internal error? Any thread. */
bool job_has_failed(const struct job *job);

/* The progress of a job. */
struct job_progress {
    size_t cases; /* cases that are done */
    size_t bytes; /* of the body: all cases that begin before this offset are done, except the last of them */
};

/* Known after job_begin. */
struct job_progress job_progress(const struct job *job);
