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
 * with a budget of some 50 ms and a workspace of bounded memory. When either is used up, a long worker starts the case
 * anew; there are fewer long workers, at a lower priority. A job that waits holds no memory of a solver. A stream whose
 * reader is slow waits for no turn until it is read.
 *
 * A task ends when all its cases are done, when it is cancelled, or when it is refused. It leaves the schedule at once,
 * and as soon as no worker is at it `finished` is called: on a worker, in queue_push or in queue_expire.
 *
 * The lines of a stream are read (task_read) by one thread while workers add more.
 *
 * Life cycle: queue_start, any number of queue_push, queue_stop, queue_free. Pushing is possible until the queue is
 * freed, and fails once it is stopped. Lock order: a task's mutex, then the queue's. */
#pragma once

#include "api/game/limit.h"
#include "api/job/job.h"
#include "api/work/schedule.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/queue.h>

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

/* What the reader of a stream waits for. */
enum task_reader { TASK_WANTS_HEAD, TASK_WANTS_LINES, TASK_WANTS_NOTHING };

/* A job on its way through the queue: task_init, queue_push, and once `finished` was called, or without a push,
 * task_clear. */
struct task {
    struct job *job;
    struct client_address client;          /* the client that sent the job */
    pthread_mutex_t mutex;                 /* held during all functions of the job except job_begin and job_do */
    bool begun;                            /* job_begin is done */
    enum task_reader reader;               /* with the mutex held */
    void (*finished)(struct task *task);   /* nothing is left to do; the queue does not touch the task any more */
    void (*progressed)(struct task *task); /* with the mutex held: the job has begun, or more of it is done; or NULL */

    /* The queue's own. */
    atomic_bool stop; /* nobody waits for the answer any more; the budgets of work look at it */
    enum task_state state;
    enum task_refusal refusal;
    struct scheduled scheduled;
    size_t workers;                /* workers that are at it */
    SLIST_ENTRY(task) ended_entry; /* in the list of tasks that have ended */
    uint64_t pushed, started;      /* microseconds of the monotonic clock: when it was pushed, and had its first turn */
    uint64_t queued;               /* milliseconds: when it was pushed, for `max_wait` */
    uint64_t worked;
    enum job_lane lane;
};

/* Begin with a job, which the task owns from here on. `task` is zeroed, but for the client and the two functions. */
void task_init(struct task *task, struct job *job);

/* Free the job. Nothing happens to a task without one. */
void task_clear(struct task *task);

/* What is known of the lines of a stream that follow those that were read. */
enum task_lines { TASK_SOME_LINES, TASK_NO_LINES_YET, TASK_ALL_READ, TASK_IS_BROKEN };

/* Read at most `size` bytes of a stream's lines. *ret_length is 0 unless the result is TASK_SOME_LINES. A task in the
 * queue that has waited for its reader goes on. Before the job has begun, and of one that is no stream: no lines yet.
 */
enum task_lines task_read(struct queue *queue, struct task *task, char *ret_bytes, size_t size, size_t *ret_length);

/* Write the head of a stream, which is known once the job has begun. */
void task_open(struct task *task, struct response *ret_response);

/* For `progressed`: is the reader of a stream to be told? Yes, once, when it waits for the head, or for lines of which
 * there are some now. The mutex is held. */
bool task_wakes_reader(struct task *task);

/* The values of queue_limits. */
struct queue_limits {
    uint64_t queue;
};
extern const struct limit_group queue_limits;

struct queue_config {
    size_t workers, long_workers; /* threads, at least one each */
    size_t limit;                 /* tasks that may wait for their first turn */
    uint64_t max_wait;            /* milliseconds that they may wait for it; queue_expire refuses them */
    struct account *account;      /* for what is read */
    size_t max_solving;           /* bytes of a long worker's workspace */
};

/* How much memory a case may be solved in by others than long workers, bytes. */
#define QUEUE_SHORT_WORKSPACE ((size_t)96 << 20)

/* NULL when the threads cannot be started. */
struct queue *queue_start(const struct queue_config *config);

/* Would a job of this client be refused now? Yes if `limit` tasks wait for their first turn, and no other client has
 * more of them than this one. A moment later it may be otherwise. */
bool queue_is_full(struct queue *queue, const struct client_address *client);

enum queue_push_result { QUEUE_PUSHED, QUEUE_FULL, QUEUE_NO_MEMORY, QUEUE_STOPPED };

/* Put a task into the queue. If the queue is full, the newest waiting task of the client with most of them is refused
 * (TASK_DISPLACED), unless it is a stream whose head is sent. Unless the result is QUEUE_PUSHED nothing has changed. */
enum queue_push_result queue_push(struct queue *queue, struct task *task);

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
    size_t clients[JOB_LANES];                  /* of which there are such jobs */
    uint64_t oldest[JOB_LANES];                 /* microseconds since the oldest of these jobs was pushed; 0: none */
    size_t waiting, limit;                      /* of them, those that have had no turn yet; and how many may */
    size_t workers[JOB_LANES], busy[JOB_LANES]; /* threads, and those of them that are at a job */
    uint64_t states;                            /* that searches have visited since the start, in cases that are done */
};
struct queue_state queue_read_state(struct queue *queue);

/* Let a worker give memory that lies idle back to the system, which may take some 10 ms. */
void queue_trim_memory(struct queue *queue);

/* Let the workers finish all tasks, and end them. */
void queue_stop(struct queue *queue);

/* Stop and free the queue. Accepts NULL. */
void queue_free(struct queue *queue);
