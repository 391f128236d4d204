/* The queue of jobs and the workers that serve it.
 *
 *      push ->  fresh    [job] [job]  \  a worker takes the next step of
 *                                      >  the front job of either line, -> +
 *            +->  running  [job] [job]  /  in turns                         |
 *            +------ back at the end, while there are cases that nobody has taken
 *
 * A job's steps are its cases, the first one together with the begin. A job that has cases left goes back before its
 * case is done: so the cases of a batch are solved by all workers at once. Jobs that have had no turn yet stand in a
 * line of their own. While both lines have jobs, workers take one step from each in turn: so neither new jobs nor old
 * ones wait for all of the others. Who does the last case finishes the job and reports it.
 *
 * Life cycle: queue_start, any number of queue_push, queue_stop, queue_free. Pushing is possible until the queue is
 * freed, and fails once it is stopped. */
#pragma once

#include "api/game/limit.h"
#include "api/job.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

struct queue;

/* A job on its way through the queue. The pusher fills in the first part and leaves the struct alone until `finished`
 * is called. */
struct task {
    struct job *job;
    bool begun;                          /* job_begin is done, and so are the cases before `next_case` */
    size_t next_case;                    /* the next that nobody has taken */
    void (*finished)(struct task *task); /* on a worker, when nothing is left to do; the task is not touched any more */

    /* The queue's own. */
    size_t cases_done;
    bool cut_off; /* it was stopped: there is no answer */
    struct task *behind;
};

/* The values of queue_limits. */
struct queue_limits {
    uint64_t max_inflight_bytes, queue;
};
extern const struct limit_group queue_limits;

/* Start `workers` threads. NULL when that is not possible. `limit`: tasks that may wait. */
struct queue *queue_start(size_t workers, size_t limit, const atomic_bool *stop);

/* Must a task that is pushed now be turned away? Only the thread that pushes may rely on it. */
bool queue_is_full(struct queue *queue);

/* False, and nothing pushed, when the queue was stopped. */
bool queue_push(struct queue *queue, struct task *task);

/* Let the workers finish all tasks, and end them. When the stop flag is set tasks end at once, with cut_off. */
void queue_stop(struct queue *queue);

/* Stop and free the queue. Accepts NULL. */
void queue_free(struct queue *queue);
