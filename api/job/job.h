/*
 * A job: a request that has a body, from its bytes to the answer. Knows nothing of sockets, threads or clocks.
 *
 *     job_new       creates a job for a body
 *     job_begin     checks as much of the body as is needed before the first case
 *     job_take      takes the next case that can be processed in a lane
 *     job_do        reads and solves it, writes its result, and frees everything else
 *     job_deliver   joins the result to the others, in order
 *     job_write     writes the answer and compresses it
 *     job_finish    moves the answer to the caller; for a stream only its head, and job_read copies its lines
 *     job_free
 *
 * job_do may run on several threads, each with its own case and workspace, and concurrently with all other functions
 * except job_free. The caller must serialise all other functions. They are quick, except job_begin, job_take (which
 * reads a case of the contest format), and job_write.
 *
 * job.c ties together the other files:
 *
 *     body -> cases -- a case --> solve -- a result --> results -> answer -> response
 *              |  ^                 |                    job_deliver, job_read
 *            source +- put back ----+
 *
 *     cases.h     finds the cases, and keeps those that must be processed again
 *     source.h    reads a body format (one file per format): its cases, their faults, and faults outside them
 *     results.h   what each case has written, and what concerns all of them: bounds on memory, the order in which
 *                 results are joined, lines of a stream and their problems, the form of a batch
 *     answer.h    the response: problem or result, headers, compression
 *
 * Where to make a change:
 *
 *     a member in each result    answer_case (job.c), after the game's `answer`
 *     the time of a case         known after job_do, whose callers are do_step (api/work/queue.c) and do_cases
 *                                (api/server/dispatch.c); the bytes of the result are written before that
 *     the order of the results   results_deliver (results.c); for a stream results_read
 *     the faults of a case       results_start creates their list, whose limit is in api/fault/fault.h
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

/* The values behind job_limits. */
struct job_limits {
    uint64_t max_stream_bytes;
};
extern const struct limit_group job_limits;

/* Create a job for a body. The body, the service and the admission must outlive it. Numbers in the body may be
 * overwritten. Returns NULL when out of memory. */
struct job *job_new(const struct service *service, const struct admission *admission, char *body, size_t length);

/* Free the job, but not its body. Accepts NULL. */
void job_free(struct job *job);

/* Check as much of the body as is needed before the first case. OUTCOME_MORE_WORK: call again with a new budget.
 * OUTCOME_DONE: the job has begun; if the body is refused, it has no cases. */
enum outcome job_begin(struct job *job, struct workspace *workspace, struct work *work);

/* Can a case be taken in this lane now? */
bool job_has_turn(const struct job *job, enum job_lane lane);

/* Take a case for `lane`. Returns false if there is none, or if the budget ran out while searching for one. In the
 * latter case *ret_outcome is OUTCOME_MORE_WORK or OUTCOME_CANCELLED, and the next call continues. The workspace must
 * not be used between job_take and job_do. */
bool job_take(struct job *job, enum job_lane lane, struct workspace *workspace, struct work *work,
              struct job_turn *ret_turn, enum outcome *ret_outcome);

/* Process a case that was taken, in the workspace that was passed to job_take. The workspace is reset afterwards.
 * OUTCOME_DONE: call job_deliver next; failures of the case are part of its result. Otherwise call job_put_back; after
 * OUTCOME_MORE_WORK the case needs a larger budget or workspace. */
enum outcome job_do(struct job *job, const struct job_turn *turn, struct workspace *workspace, struct work *work);

/* Deliver a case that is done. If this case makes the batch exceed the limit on the sum of sizes, it must be processed
 * again to find the position of that fault. */
void job_deliver(struct job *job, const struct job_turn *turn);

/* Return a case that was taken and is not done. It must then be processed in `lane`. */
void job_put_back(struct job *job, const struct job_turn *turn, enum job_lane lane);

/* Are all cases done? */
bool job_is_done(const struct job *job);

/* When all cases are done: would compressing the answer take so long that job_write belongs on a worker, not on a
 * loop? */
bool job_is_heavy(const struct job *job);

/* Is the answer a stream, that is, a head followed by lines that job_read returns? Known after job_begin. */
bool job_is_stream(const struct job *job);

/* When all cases are done: write the response, so that job_finish is quick. Compression takes about 10 us per KiB. Does
 * nothing if the response is already written, or if the answer is a stream. */
void job_write(struct job *job);

/* Move the response to the caller: for a stream as soon as the job has begun, otherwise when all cases are done. Call
 * it once. The response outlives the job; for a stream it has no body. */
void job_finish(struct job *job, struct response *ret_response);

/* Append the id of the only case, as `"id":7,`. Appends nothing if the case has no valid id. */
void job_put_id(const struct job *job, struct buffer *out);

/* Copy at most `size` bytes from a stream's next lines. Returns the number of bytes copied, which is 0 if no line is
 * done yet or all lines have been read. The last line of a broken stream is problem_last_line. */
size_t job_read(struct job *job, char *ret_bytes, size_t size);

/* Estimate how many bytes of a stream's lines are still to be read: the lines that are done, plus one byte per byte of
 * body for the cases that are not. */
size_t job_left(const struct job *job);

/* Is this stream unable to continue? If so, the connection must be cut off once its lines have been read. */
bool job_is_broken(const struct job *job);

/* Can lines of a stream be read now, or has it ended? */
bool job_is_readable(const struct job *job);

/* Have all lines of a stream been read? Always false for a broken stream. */
bool job_is_read(const struct job *job);

/* Has a line of a stream refused its case (4xx)? Can be called from any thread. */
bool job_has_refused(const struct job *job);

/* Did a case remain unanswered for lack of memory or because of an internal error? Can be called from any thread. */
bool job_has_failed(const struct job *job);

/* The progress of a job. */
struct job_progress {
    size_t cases; /* cases that are done */
    size_t bytes; /* an offset in the body: all cases that begin before it are done, except the last of them */
};

/* Known after job_begin. */
struct job_progress job_progress(const struct job *job);
