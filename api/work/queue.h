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
 * schedule.h says which job has the next turn. A job waits for a turn in a lane while it has a case that can be taken
 * there, even while workers do other cases of it. So all workers can solve the cases of one batch at once. A case
 * begins with a budget of some 50 ms and a workspace of bounded memory. When either is used up, a long worker starts
 * the case again; there are fewer long workers, at a lower priority. A job that waits holds no workspace. A stream
 * whose reader is slow does not wait for turns until it is read.
 *
 * A task ends when all its cases are done, when it is cancelled, or when it is refused. It leaves the schedule at once.
 * When no worker has it any more, `finished` is called: on a worker, in queue_push or in queue_expire.
 *
 * Life cycle: queue_start, any number of queue_push, queue_stop, queue_free. queue_push may be called until queue_free,
 * and fails after queue_stop. Lock order: a task's mutex, then the queue's. */
#pragma once

#include "api/game/limit.h"
#include "api/work/task.h"

struct queue;

/* The values of queue_limits. */
struct queue_limits {
    uint64_t queue;
};
extern const struct limit_group queue_limits;

struct queue_config {
    size_t workers, long_workers; /* numbers of threads, each at least 1 */
    size_t limit;                 /* tasks that may wait for their first turn */
    uint64_t max_wait;            /* milliseconds for which they may wait; queue_expire refuses them after that */
    struct account *account;      /* for what the workers read */
    size_t short_solving;         /* bytes of the workspace of a short worker: QUEUE_SHORT_WORKSPACE, or less */
    size_t max_solving;           /* of a long worker */
};

/* With this much, a short worker can solve every pawn board. */
#define QUEUE_SHORT_WORKSPACE ((size_t)96 << 20)

/* Start the workers. NULL when the threads cannot be started. */
struct queue *queue_start(const struct queue_config *config);

/* Would a job of this client be refused now? True if `limit` tasks wait for their first turn, and no other client has
 * more of them than this one. The result may be outdated at once. */
bool queue_is_full(struct queue *queue, const struct client_address *client);

enum queue_push_result { QUEUE_PUSHED, QUEUE_FULL, QUEUE_NO_MEMORY, QUEUE_STOPPED };

/* Push a task. If the queue is full, the newest waiting task of the client with the most of them is refused
 * (TASK_EVICTED), unless it is a stream whose head was sent. Unless the result is QUEUE_PUSHED, nothing has changed.
 */
enum queue_push_result queue_push(struct queue *queue, struct task *task);

/* Cancel a task, because its answer is not needed any more. It leaves the schedule at once, and the workers that have
 * it stop soon. `finished` is called later, and never in this call. Nothing happens to a task that is ending. A task
 * that was not pushed ends when it is pushed. */
void queue_cancel(struct queue *queue, struct task *task);

/* Refuse the tasks that have waited for max_wait (TASK_TIMED_OUT), and call `finished` of all that have ended. Returns
 * the milliseconds until another task can be due. */
uint64_t queue_expire(struct queue *queue);

/* The lane and the times of a task so far. */
struct task_report {
    enum job_lane lane;      /* the long lane, if some case of it was done there */
    uint64_t waited, worked; /* microseconds: until its first turn, and the work of all threads */
};
struct task_report queue_report(struct queue *queue, const struct task *task);

/* The state of a queue. */
struct queue_state {
    size_t jobs[JOB_LANES];                     /* jobs that wait for a turn in the lane; one may wait in both lanes */
    size_t clients[JOB_LANES];                  /* clients that have such jobs */
    uint64_t oldest[JOB_LANES];                 /* microseconds since the oldest of these jobs was pushed; 0: none */
    size_t waiting, limit;                      /* jobs that wait for their first turn, and their limit */
    size_t workers[JOB_LANES], busy[JOB_LANES]; /* threads, and those that have a job */
    struct work_statistics statistics;          /* since the start, of cases that are done */
};
struct queue_state queue_read_state(struct queue *queue);

/* Have a short worker that is idle give unused memory back to the system, which may take some 10 ms. */
void queue_trim_memory(struct queue *queue);

/* Let the workers finish all tasks, and end them. */
void queue_stop(struct queue *queue);

/* Stop and free the queue. Accepts NULL. */
void queue_free(struct queue *queue);
