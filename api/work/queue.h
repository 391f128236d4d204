/* The queue of jobs, and the workers that serve it in two lanes.
 *
 *     push -> clients, in turns      short lane                    long lane
 *                A [job] [job]  -->  a short worker does the  -->  a long worker does
 *                B [job]             next step of a job: its       one such case
 *                . . .               begin, or a case                 |
 *                   ^                  |         |                    |
 *                   |                  |         the case needs more than some 50 ms
 *                   +-- more to do ----+------------------------------+--> all cases done, or cancelled: finished
 *
 * schedule.h says which job has the next turn. A job waits for a turn in a lane while it has a case that could be taken
 * there, even while workers are at other cases of it. So all workers solve the cases of a batch at once. A case begins
 * with a budget of some 50 ms and a room of bounded memory. When either is used up, a long worker starts the case anew;
 * there are fewer long workers, at a lower priority. A job that waits holds no memory of a solver. A stream whose
 * reader is slow waits for no turn until it is read.
 *
 * A task ends when all its cases are done, when it is cancelled, or when it is refused. It leaves the schedule at once,
 * and as soon as no worker is at it `finished` is called: on a worker, in queue_push or in queue_expire.
 *
 * Life cycle: queue_start, any number of queue_push, queue_stop, queue_free. Pushing is possible until the queue is
 * freed, and fails once it is stopped. Lock order: a task's mutex, then the queue's. */
#pragma once

#include "api/game/limit.h"
#include "api/job.h"
#include "api/work/schedule.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct queue;

/* Where a task is. */
enum task_state {
    TASK_NEW,     /* it was not pushed */
    TASK_QUEUED,  /* it waits for turns, or has some */
    TASK_ENDING,  /* it gets no more turns, but a worker is at it */
    TASK_FINISHED /* `finished` was called, or will be at once */
};

/* Why the queue gave a task up before its first turn. */
enum task_refusal {
    TASK_NOT_REFUSED,
    TASK_DISPLACED, /* the queue was full, and its client had most jobs waiting */
    TASK_TIMED_OUT, /* it waited for max_wait */
};

/* A job on its way through the queue. The caller of queue_push fills in the first members and frees the task. */
struct task {
    struct job *job;
    struct client_address client; /* the client that sent the job */
    pthread_mutex_t mutex; /* held during all functions of the job except job_begin and job_do; initialised by the
                              caller of queue_push */
    bool begun;            /* job_begin is done */
    void (*finished)(struct task *task);   /* nothing is left to do; the queue does not touch the task any more */
    void (*progressed)(struct task *task); /* of a stream, with the mutex held: there may be more to read; or NULL */

    /* The queue's own. */
    atomic_bool stop; /* nobody waits for the answer any more; the budgets of work look at it */
    enum task_state state;
    enum task_refusal refusal;
    struct scheduled scheduled;
    size_t workers;           /* workers that are at it */
    struct task *next;        /* the next task that has ended */
    uint64_t pushed, started; /* microseconds of the monotonic clock: when it was pushed, and had its first turn */
    uint64_t queued;          /* milliseconds: when it was pushed, for `max_wait` */
    uint64_t worked;
    enum job_lane lane;
};

/* The values of queue_limits. */
struct queue_limits {
    uint64_t max_inflight_bytes, queue;
};
extern const struct limit_group queue_limits;

struct queue_config {
    size_t workers, long_workers; /* threads, at least one each */
    size_t limit;                 /* tasks that may wait for their first turn */
    uint64_t max_wait;            /* milliseconds that they may wait for it; queue_expire refuses them */
    struct account *account;      /* for what is read */
    size_t most_solving;          /* bytes of a long worker's room */
};

/* How much memory a case may be solved in by others than long workers, bytes. */
#define QUEUE_SHORT_ROOM ((size_t)96 << 20)

/* NULL when the threads cannot be started. */
struct queue *queue_start(const struct queue_config *config);

/* Must a job of this client be refused now? Yes if `limit` tasks wait for their first turn, and
 * no other client has more of them than this one. Only the thread that pushes may rely on the answer. */
bool queue_is_full(struct queue *queue, const struct client_address *client);

enum queue_push_result { QUEUE_PUSHED, QUEUE_NO_MEMORY, QUEUE_STOPPED };

/* Put a task into the queue. If the queue is full, the newest waiting task of the client with most of them is refused
 * (TASK_DISPLACED), unless it is a stream whose head is sent. Unless the result is QUEUE_PUSHED nothing has changed. */
enum queue_push_result queue_push(struct queue *queue, struct task *task);

/* A stream was read: its task may be able to go on. Nothing happens to one that was not pushed, or is ending. The
 * task's mutex is not held. */
void queue_wake(struct queue *queue, struct task *task);

/* Cancel a task, because nobody waits for its answer any more. It leaves the schedule at once, and the workers that are
 * at it stop soon. `finished` is called later, and not in here. Nothing happens to a task that is ending; one that was
 * not pushed ends when it is pushed. */
void queue_cancel(struct queue *queue, struct task *task);

/* Refuse the tasks that have waited for max_wait (TASK_TIMED_OUT), and call `finished` of all that have ended. Returns
 * the milliseconds before another task can be due. */
uint64_t queue_expire(struct queue *queue);

/* How a task has fared so far. */
struct task_report {
    enum job_lane lane;      /* the longest that a case of it was done in */
    uint64_t waited, worked; /* microseconds: until its first turn, and of all workers that were at it */
};
struct task_report queue_report(struct queue *queue, const struct task *task);

/* How a queue fares at the moment. */
struct queue_state {
    size_t jobs[JOB_LANES];                     /* jobs that wait for a turn in the lane; one may wait in both */
    size_t waiting, limit;                      /* of them, those that have had no turn yet; and how many may */
    size_t workers[JOB_LANES], busy[JOB_LANES]; /* threads, and those of them that are at a job */
    uint64_t states;                            /* that searches have visited since the start, in cases that are done */
};
struct queue_state queue_look(struct queue *queue);

/* Let the workers finish all tasks, and end them. */
void queue_stop(struct queue *queue);

/* Stop and free the queue. Accepts NULL. */
void queue_free(struct queue *queue);
