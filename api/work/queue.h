/* The queue of jobs, and the workers that serve it in two lanes.
 *
 *      push -> fresh [job] [job]  \   a short worker takes the next step of the front job of
 *                                  >  either line, in turns: its begin, or a case           -> done
 *           +> running [job] [job] /        |                                               ^
 *           +-- back while there are more --+-- the case needs more than some 50 ms         |
 *                                           v                                               |
 *              long lane  [job] [job] [job]  -> a long worker does one such case ------------+
 *
 * A job stands in a line while it has a case that could be taken there, also while others of its cases are done, so
 * that the cases of a batch are solved by all workers at once, and jobs take turns case by case. A case begins with a
 * budget of some 50 ms and a room of bounded memory; when either is used up it is started anew by a long worker, of
 * which there are fewer, at a lower priority. Nothing that waits holds memory of a solver. A stream whose reader is
 * slow stands in no line until it reads.
 *
 * A task is over when all cases are done, or when its stop flag is set and no worker is at it; then `finished` is
 * called once, on a worker.
 *
 * Life cycle: queue_start, any number of queue_push, queue_stop, queue_free. Pushing is possible until the queue is
 * freed, and fails once it is stopped. */
#pragma once

#include "api/game/limit.h"
#include "api/job.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct queue;
struct line;

/* A job on its way through the queue. Filled in and freed by who pushes it. */
struct task {
    struct job *job;
    pthread_mutex_t mutex; /* held while any function of the job but job_begin and job_do is called; initialised by
                              who pushes */
    atomic_bool stop;      /* nobody wants the answer any more */
    bool begun;            /* job_begin is done */
    void (*finished)(struct task *task);   /* nothing is left to do; the queue does not touch the task any more */
    void (*progressed)(struct task *task); /* of a stream, with the mutex held: there may be more to read; or NULL */

    bool refused; /* once it is over: it waited for its first turn for too long */

    /* The queue's own. */
    uint64_t pushed, started; /* microseconds of the monotonic clock: when it was pushed, and had its first turn */
    uint64_t queued;          /* milliseconds: when it was pushed, for `max_wait` */
    uint64_t worked;
    enum job_lane lane;
    struct task *before[JOB_LANES], *behind[JOB_LANES];
    struct line *line[JOB_LANES]; /* where it stands; NULL: in none */
    size_t workers;               /* how many are at it */
    bool is_pushed, is_done;      /* all cases are done */
    bool is_over;                 /* `finished` was called, or is about to be */
};

/* The values of queue_limits. */
struct queue_limits {
    uint64_t max_inflight_bytes, queue;
};
extern const struct limit_group queue_limits;

struct queue_config {
    size_t workers, long_workers; /* threads, at least one each */
    size_t limit;                 /* tasks that may wait for their first turn */
    uint64_t max_wait;            /* milliseconds that they may wait for it */
    struct account *account;      /* for what is read */
    size_t most_solving;          /* bytes of a long worker's room */
};

/* How much memory a case may be solved in by others than long workers, bytes. */
#define QUEUE_SHORT_ROOM ((size_t)96 << 20)

/* NULL when the threads cannot be started. */
struct queue *queue_start(const struct queue_config *config);

/* Must a task that is pushed now be turned away? Only the thread that pushes may rely on it. */
bool queue_is_full(struct queue *queue);

/* Have a task done. False, and nothing pushed, when the queue was stopped. */
bool queue_push(struct queue *queue, struct task *task);

/* A task may have become able to go on: its stream was read, or its stop flag is set. One that was not pushed yet, or
 * is over, is left alone. Its mutex is not held. */
void queue_wake(struct queue *queue, struct task *task);

/* How a task has fared so far. */
struct task_report {
    enum job_lane lane;      /* the longest that a case of it was done in */
    uint64_t waited, worked; /* microseconds: until its first turn, and of all workers that were at it */
};
struct task_report queue_report(struct queue *queue, const struct task *task);

/* How a queue fares at the moment. */
struct queue_state {
    size_t jobs[JOB_LANES];                     /* that stand in a line of the lane; one may stand in both */
    size_t waiting, limit;                      /* of them, those that have had no turn yet; and how many may */
    size_t workers[JOB_LANES], busy[JOB_LANES]; /* threads, and those of them that are at a job */
    uint64_t states;                            /* that searches have visited since the start, in cases that are done */
};
struct queue_state queue_look(struct queue *queue);

/* Let the workers finish all tasks, and end them. */
void queue_stop(struct queue *queue);

/* Stop and free the queue. Accepts NULL. */
void queue_free(struct queue *queue);
