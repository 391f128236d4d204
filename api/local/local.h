/* Requests that are answered on the calling thread: for the WebAssembly module (module.h), tests, fuzzing and benches.
 *
 *     local_ask     admits a request. If its answer is not known yet, it gets a job
 *     local_step    works on the job within a budget; call it until it returns something other than LOCAL_WORKING
 *     local_read    copies the bytes of the body that are ready; for a stream, call it between steps, too
 *     local_clear
 *
 * The caller regains control between two steps, and can pass on the lines of a stream. A case first gets the budget of
 * a step. If that is too small, the case waits until no other case can be taken, and then gets a step of its own
 * without a budget. So the short cases are finished, and their lines can be read, before a long one starts.
 *
 * An answer is the same as that of a server. Knows nothing of sockets, threads or clocks. */
#pragma once

#include "api/answer/response.h"
#include "api/job/job.h"
#include "api/request/admit.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum local_state {
    LOCAL_WORKING, /* further steps are needed */
    LOCAL_DONE,
    LOCAL_BROKEN, /* a stream that cannot continue: once its lines have been read, its reader must be told */
};

/* A request and its answer. The caller holds it; it must not be moved. */
struct local {
    struct admission admission;
    struct buffer from_head;     /* the body of a link; otherwise empty */
    struct job *job;             /* NULL if the answer needs none */
    struct workspace *workspace; /* shared with other requests of this thread */
    struct response response;    /* valid if `has_response`; has no body if the answer is a stream */
    size_t read;                 /* bytes of the response's body that have been read */
    enum local_state state;
    bool begun;        /* job_begin has finished */
    bool has_response; /* from LOCAL_DONE on; for a stream, as soon as its job has begun */
};

/* Admit a request. The service, the workspace, and a body (whose numbers may be overwritten) must outlive *ret_local,
 * the head does not need to. If memory is exhausted, that is the answer. */
void local_ask(const struct service *service, const struct request_head *head, char *body, size_t length,
               struct workspace *workspace, struct local *ret_local);

/* Work on the request: begin its job, process cases in at most about twice `units`, or process one long case. `units`
 * is at least JOB_MIN_WORK. Does nothing once the state is other than LOCAL_WORKING. */
enum local_state local_step(struct local *local, uint64_t units);

/* Copy at most `size` bytes of the body. Returns the number of bytes copied; 0 if none are ready. All have been read if
 * that happens once the state is LOCAL_DONE. */
size_t local_read(struct local *local, char *ret_bytes, size_t size);

/* Free what the request owns. The body and the workspace belong to the caller. */
void local_clear(struct local *local);

/* Take a case in `lane`, process it, and deliver it, or put it back in the lane `next` if the budget is too small.
 * Returns true if a case was delivered. For jobs that only one thread works on. */
bool local_do_case(struct job *job, enum job_lane lane, enum job_lane next, struct workspace *workspace,
                   struct work *work);
