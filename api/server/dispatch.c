#include "api/server/dispatch.h"

#include "api/local/local.h"
#include "api/server/http_loop.h"
#include "api/work/clock.h"
#include "base/owner.h"

enum { SMALL_WORK = 3000 /* units of about 10 ns; larger jobs go to the queue */ };

/* ---- reports from the queue ---- */

/* Is the job in the queue, with no part of its answer sent? */
static bool is_solving(const struct exchange *exchange) {
    return state_after(exchange->state, EVENT_OPENED) != STATE_NONE;
}

static void open_stream(struct exchange *exchange) {
    task_open(&exchange->task, &exchange->response);
    exchange_happens(exchange, EVENT_OPENED);
}

/* A stream's head is ready, or more of its lines are. */
static void on_progressed(struct message *message) {
    struct exchange *exchange = OWNER_OF(message, struct exchange, progressed);
    if (is_solving(exchange))
        open_stream(exchange);
    else if (exchange->state == STATE_STREAM_WAIT)
        exchange_happens(exchange, EVENT_LINES);
}

/* Prepare the answer for a job that the queue has finished or refused and that was not cancelled. */
static void finish_answer(struct exchange *exchange) {
    const struct task *task = &exchange->task;
    if (task->refusal == TASK_EVICTED) {
        exchange_overload(exchange, REASON_QUEUE_FULL);
    } else if (task->refusal == TASK_TIMED_OUT) {
        exchange_overload(exchange, REASON_MAX_WAIT);
    } else {
        job_finish(task->job, &exchange->response);
    }
}

/* The queue has released the job. */
static void on_finished(struct message *message) {
    struct exchange *exchange = OWNER_OF(message, struct exchange, finished);
    if (is_solving(exchange))
        finish_answer(exchange);
    exchange_happens(exchange, EVENT_SOLVED);
}

/* Like post_finish, called on a worker. */
static void post_progress(struct task *task) {
    struct exchange *exchange = OWNER_OF(task, struct exchange, task);
    if (task_wakes_reader(task))
        mailbox_post(&exchange->loop->loop.mailbox, &exchange->progressed);
}

static void post_finish(struct task *task) {
    struct exchange *exchange = OWNER_OF(task, struct exchange, task);
    mailbox_post(&exchange->loop->loop.mailbox, &exchange->finished);
}

/* ---- solve ---- */

static void refuse(struct exchange *exchange, enum reason reason) {
    exchange_overload(exchange, reason);
    exchange_happens(exchange, EVENT_ANSWERED);
}

bool dispatch_begin(struct exchange *exchange) {
    struct http_shared *shared = exchange->loop->shared;
    if (exchange->body.length > ADMIT_SMALL_BODY && queue_is_full(shared->queue, &exchange->task.client)) {
        refuse(exchange, REASON_QUEUE_FULL);
        return false;
    }
    struct job *job = job_new(shared->service, &exchange->admission, exchange->body.data, exchange->body.length);
    if (job == NULL)
        refuse(exchange, REASON_MEMORY);
    else
        task_init(&exchange->task, job);
    return job != NULL;
}

/* Solve cases until all are done or the budget is used up. Returns true if all are done. */
static bool do_cases(struct job *job, struct workspace *workspace, struct work *work) {
    bool more;
    do
        more = local_do_case(job, JOB_SHORT, JOB_SHORT, workspace, work);
    while (more);
    return job_is_done(job) && !job_is_heavy(job);
}

bool dispatch_here(struct exchange *exchange) {
    struct work work = {.left = SMALL_WORK};
    struct http_loop *loop = exchange->loop;
    struct task *task = &exchange->task;
    uint64_t began = clock_now_us();
    if (exchange->body.length <= ADMIT_SMALL_BODY)
        task->begun = job_begin(task->job, &loop->workspace, &work) == OUTCOME_DONE;
    bool is_done = task->begun && do_cases(task->job, &loop->workspace, &work);
    if (work.statistics.states != 0)
        gauge_add(&loop->shared->gauges.states, work.statistics.states);
    if (work.statistics.unknown != 0)
        gauge_add(&loop->shared->gauges.unknown, work.statistics.unknown);
    exchange->worked = clock_now_us() - began;
    if (!is_done)
        return false;
    exchange->solver = SOLVER_LOOP;
    job_finish(task->job, &exchange->response);
    exchange_happens(exchange, job_is_stream(task->job) ? EVENT_OPENED : EVENT_ANSWERED);
    return true;
}

void dispatch_push(struct exchange *exchange) {
    struct task *task = &exchange->task;
    bool is_open = task->begun && job_is_stream(task->job); /* its first lines may already be available */
    task->reader = is_open ? TASK_WANTS_NOTHING : TASK_WANTS_HEAD;
    task->finished = post_finish;
    task->progressed = post_progress;
    exchange->finished.deliver = on_finished;
    exchange->progressed.deliver = on_progressed;
    enum queue_push_result pushed = queue_push(exchange->loop->shared->queue, task);
    if (pushed != QUEUE_PUSHED) {
        refuse(exchange, pushed == QUEUE_FULL ? REASON_QUEUE_FULL : REASON_MEMORY);
        return;
    }
    exchange->solver = SOLVER_QUEUE;
    exchange_happens(exchange, EVENT_PUSHED);
    if (is_open)
        open_stream(exchange);
}
