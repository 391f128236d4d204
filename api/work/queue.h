/* The queue of jobs, and the workers that serve it in two lanes.
 *
 *     push -> clients, in turns      short lane                    long lane
 *                A [job] [job]  -->  a short worker does the  -->  a long worker does
 *                B [job]             next step of a job: its       one such case
 *                . . .               beginning, or a case             |
 *                   ^                  |         |                    |
 *                   |                  |         the case needs more than about 50 ms
 *                   +-- more to do ----+------------------------------+--> all cases done, or cancelled: finished
 *
 * schedule.h decides which job gets the next turn. A job waits for a turn in a lane as long as it has a case that can
 * be taken there, even while workers are processing others of its cases, so all workers can solve cases from one batch
 * at once. A case begins with a budget of about 50 ms and a workspace of bounded size. If either runs out, a long
 * worker starts the case again; there are fewer long workers, and they run at a lower priority. A waiting job holds no
 * workspace. A stream whose reader is slow does not wait for turns until its lines are read.
 *
 * A task ends when all its cases are done, when it is cancelled, or when it is refused. It leaves the schedule
 * immediately. `finished` is called when no worker has the task any longer: on a worker, or in queue_push or
 * queue_expire.
 *
 * Life cycle: queue_start, any number of calls to queue_push, queue_stop, queue_free. queue_push may be called until
 * queue_free, but fails after queue_stop. Lock order: a task's mutex before the queue's. */
#pragma once

#include "api/game/limit.h"
#include "api/work/task.h"

struct queue;

/* The values behind queue_limits. */
struct queue_limits {
    uint64_t queue;
};
extern const struct limit_group queue_limits;

struct queue_config {
    size_t workers, long_workers; /* numbers of threads, at least 1 each */
    size_t limit;                 /* the maximum number of tasks that wait for their first turn */
    uint64_t max_wait;            /* milliseconds that they can wait before queue_expire refuses them */
    struct account *account;      /* charged for what the workers read */
    size_t short_solving;         /* bytes of a short worker's workspace: at most QUEUE_SHORT_WORKSPACE */
    size_t max_solving;           /* the same for a long worker */
};

/* Enough for a short worker to solve any pawn board. */
#define QUEUE_SHORT_WORKSPACE ((size_t)96 << 20)

/* Start the workers. Returns NULL if the threads cannot be started. */
struct queue *queue_start(const struct queue_config *config);

/* Would a job from this client be refused now? True if `limit` tasks are waiting for their first turn, and no other
 * client has more of them than this one. The result may be outdated immediately. */
bool queue_is_full(struct queue *queue, const struct client_address *client);

enum queue_push_result { QUEUE_PUSHED, QUEUE_FULL, QUEUE_NO_MEMORY, QUEUE_STOPPED };

/*
 * Push a task. If the queue is full, this refuses (TASK_EVICTED) the newest waiting task of the client that has the
 * most of them, unless that is a stream whose head has been sent. If the result is not QUEUE_PUSHED, nothing has
 * changed.
 */
enum queue_push_result queue_push(struct queue *queue, struct task *task);

/* Cancel a task whose answer is no longer needed. It leaves the schedule immediately, and workers that have it stop
 * soon. `finished` is called later, never during this call. A task that is already ending is left alone. A task that
 * was not pushed yet ends when it is pushed. */
void queue_cancel(struct queue *queue, struct task *task);

/* Refuse tasks that have waited for max_wait (TASK_TIMED_OUT), and call `finished` for all tasks that have ended.
 * Returns the milliseconds until another task can expire. */
uint64_t queue_expire(struct queue *queue);

/* The lane of a task, and its times so far. */
struct task_report {
    enum job_lane lane;      /* the long lane if any of its cases was processed there */
    uint64_t waited, worked; /* in microseconds: the wait for its first turn, and the work on all threads */
};
struct task_report queue_report(struct queue *queue, const struct task *task);

/* The state of a queue. */
struct queue_state {
    size_t jobs[JOB_LANES];                     /* jobs that wait for a turn in the lane; one may wait in both lanes */
    size_t clients[JOB_LANES];                  /* clients with such jobs */
    uint64_t oldest[JOB_LANES];                 /* microseconds since the oldest of these jobs was pushed; 0: none */
    size_t waiting, limit;                      /* jobs that wait for their first turn, and their limit */
    size_t workers[JOB_LANES], busy[JOB_LANES]; /* threads, and those that are working on a job */
    struct work_statistics statistics;          /* since the start, for cases that are done */
};
struct queue_state queue_read_state(struct queue *queue);

/* Make an idle short worker return unused memory to the system, which can take about 10 ms. */
void queue_trim_memory(struct queue *queue);

/* Let the workers finish all tasks, and then stop the workers. */
void queue_stop(struct queue *queue);

/* Stop and free the queue. Accepts NULL. */
void queue_free(struct queue *queue);
