#include "api/server/dispatch.h"

#include "api/server/connection.h"
#include "api/server/deadline.h"
#include "api/server/http_loop.h"
#include "api/server/resume.h"
#include "api/server/send.h"
#include "api/work/clock.h"
#include "base/assert.h"
#include "base/owner.h"

const char dispatch_queue_full[] = "the queue is full", dispatch_no_memory[] = "memory is exhausted";

enum { SMALL_WORK = 3000 /* units of some 10 ns; a job that needs more goes to the queue */ };

/* Send an answer that is ready, in a callback of libmicrohttpd. */
static enum MHD_Result send_now(struct exchange *exchange) {
    exchange_happens(exchange, EVENT_SOLVED_HERE);
    enum MHD_Result result = send_response(exchange, EVENT_SEND);
    /* libmicrohttpd refuses a response for a broken connection. */
    if (result != MHD_YES && exchange->reason == REASON_NONE)
        exchange->reason = REASON_CONNECTION_LOST;
    return result;
}

static enum MHD_Result refuse(struct exchange *exchange, enum reason reason, const char *detail) {
    exchange_free_job(exchange);
    exchange_overload(exchange, reason, detail);
    return send_now(exchange);
}

/* ---- while the queue has the job ---- */

/* Resume a stream: its head is ready, or there are more lines. */
static void on_progressed(struct message *message) {
    struct exchange *exchange = OWNER_OF(message, struct exchange, progressed);
    if (exchange->state == STATE_SOLVE) {
        task_open(&exchange->task, &exchange->response);
        exchange_happens(exchange, EVENT_OPENED);
        resume_exchange(exchange);
    } else if (exchange->state == STATE_STREAM_WAIT) {
        exchange_happens(exchange, EVENT_LINES);
        resume_exchange(exchange);
    }
}

/* Prepare the answer of a job that the queue has finished or evicted, and that was not cancelled. */
static void finish_answer(struct exchange *exchange) {
    const struct task *task = &exchange->task;
    if (task->refusal == TASK_EVICTED) {
        exchange_overload(exchange, REASON_QUEUE_FULL, dispatch_queue_full);
    } else if (task->refusal == TASK_TIMED_OUT) {
        exchange_overload(exchange, REASON_MAX_WAIT, "the request has waited for too long");
    } else {
        job_finish(task->job, &exchange->response);
        exchange_note_refusal(exchange);
    }
}

/* The queue has released the job. */
static void on_finished(struct message *message) {
    struct exchange *exchange = OWNER_OF(message, struct exchange, finished);
    enum state before = exchange->state;
    if (before == STATE_SOLVE)
        finish_answer(exchange);
    if (!exchange_let_go(exchange))
        return;
    if (before == STATE_SOLVE || before == STATE_CANCELLED)
        exchange_free_job(exchange);
    resume_exchange(exchange);
}

/* Called on workers, with post_finish. */
static void post_progress(struct task *task) {
    struct exchange *exchange = OWNER_OF(task, struct exchange, task);
    if (task_wakes_reader(task))
        mailbox_post(&exchange->loop->loop.mailbox, &exchange->progressed);
}

static void post_finish(struct task *task) {
    struct exchange *exchange = OWNER_OF(task, struct exchange, task);
    mailbox_post(&exchange->loop->loop.mailbox, &exchange->finished);
}

/* ---- begin ---- */

/* Try to do the whole job on this thread. False when it needs more work than SMALL_WORK. */
static bool solve_small(struct exchange *exchange) {
    struct work work = {.left = SMALL_WORK};
    struct http_loop *loop = exchange->loop;
    struct task *task = &exchange->task;
    struct job_turn turn;
    enum outcome outcome;
    if (exchange->body.length > ADMIT_SMALL_BODY || job_begin(task->job, &loop->workspace, &work) != OUTCOME_DONE)
        return false;
    task->begun = true;
    bool exhausted = false;
    while (!exhausted && job_take(task->job, JOB_SHORT, &loop->workspace, &work, &turn, &outcome)) {
        exhausted = job_do(task->job, &turn, &loop->workspace, &work) != OUTCOME_DONE;
        if (exhausted)
            job_put_back(task->job, &turn, JOB_SHORT);
        else
            job_deliver(task->job, &turn);
    }
    if (work.states != 0)
        gauge_add(&loop->shared->gauges.states, work.states);
    return !exhausted && job_is_done(task->job) && !job_is_heavy(task->job);
}

/* Push the job to the queue. */
static enum MHD_Result push(struct exchange *exchange) {
    struct http_loop *loop = exchange->loop;
    struct task *task = &exchange->task;
    bool is_open = task->begun && job_is_stream(task->job); /* its first lines may be ready */
    task->reader = is_open ? TASK_WANTS_NOTHING : TASK_WANTS_HEAD;
    task->finished = post_finish;
    task->progressed = post_progress;
    exchange->finished.deliver = on_finished;
    exchange->progressed.deliver = on_progressed;
    enum queue_push_result pushed = queue_push(loop->shared->queue, task);
    if (pushed == QUEUE_FULL)
        return refuse(exchange, REASON_QUEUE_FULL, dispatch_queue_full);
    if (pushed != QUEUE_PUSHED)
        return refuse(exchange, REASON_MEMORY, dispatch_no_memory);
    exchange->lane = METRICS_SHORT;
    deadline_stop(exchange->connection);
    exchange_happens(exchange, EVENT_PUSHED);
    if (is_open) {
        task_open(task, &exchange->response);
        exchange_happens(exchange, EVENT_OPENED);
        return send_response(exchange, EVENT_SEND);
    }
    return MHD_YES;
}

enum MHD_Result dispatch_job(struct exchange *exchange) {
    struct http_loop *loop = exchange->loop;
    struct task *task = &exchange->task;
    if (loop->phase >= PHASE_END) {
        exchange_cut_off(exchange, EVENT_FAILED, REASON_LEAVING);
        return MHD_NO;
    }
    if (exchange->body.length > ADMIT_SMALL_BODY && queue_is_full(loop->shared->queue, &task->client))
        return refuse(exchange, REASON_QUEUE_FULL, dispatch_queue_full);
    uint64_t began = clock_now_us();
    struct job *job = job_new(loop->shared->service, &exchange->admission, exchange->body.data, exchange->body.length);
    if (job == NULL)
        return refuse(exchange, REASON_MEMORY, dispatch_no_memory);
    task_init(task, job);
    bool is_solved = solve_small(exchange);
    exchange->worked = clock_now_us() - began;
    if (!is_solved)
        return push(exchange);
    exchange->lane = METRICS_IO;
    job_finish(job, &exchange->response);
    exchange_note_refusal(exchange);
    if (job_is_stream(job)) {
        exchange_happens(exchange, EVENT_OPENED_WHOLE);
        return send_response(exchange, EVENT_SEND);
    }
    exchange_free_job(exchange);
    return send_now(exchange);
}
