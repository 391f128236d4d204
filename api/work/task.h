/* A task: a job in the queue, shared by workers and the reader of a stream.
 *
 * Its mutex protects all functions of the job except job_begin and job_do. Workers take its steps (queue.c). One thread
 * reads the lines of a stream (task_open, task_read) while workers add lines:
 * `progressed` wakes it, and it wakes the workers when it has made room for more lines.
 *
 * The queue decides which task gets the next turn, and when a task ends (queue.h). */
#pragma once

#include "api/job/job.h"
#include "api/work/schedule.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/queue.h>

struct queue;

/* The state of a task. */
enum task_state {
    TASK_NEW,     /* not pushed yet */
    TASK_QUEUED,  /* waiting for turns, or has turns in progress */
    TASK_ENDING,  /* it gets no more turns, but a worker still has it */
    TASK_FINISHED /* `finished` was called, or is about to be called */
};

/* Why the queue refused a task before its first turn. */
enum task_refusal {
    TASK_NOT_REFUSED,
    TASK_EVICTED,   /* the queue was full, and its client had the most waiting tasks */
    TASK_TIMED_OUT, /* it waited for max_wait */
};

/* The event that the reader of a stream is waiting for. */
enum task_reader { TASK_WANTS_HEAD, TASK_WANTS_LINES, TASK_WANTS_NOTHING };

/* A job in the queue. Life cycle: task_init, queue_push, the call of `finished`, task_clear. If it is never pushed:
 * task_init, task_clear. */
struct task {
    struct job *job;
    struct client_address client;          /* the client that sent the job */
    pthread_mutex_t mutex;                 /* protects all functions of the job except job_begin and job_do */
    bool begun;                            /* job_begin is complete */
    enum task_reader reader;               /* protected by the mutex */
    void (*finished)(struct task *task);   /* called when the task is done and the queue no longer accesses it */
    void (*progressed)(struct task *task); /* called with the mutex held, when job_begin is complete or another case
                                            * is done; or NULL */

    /* Used only by the queue. */
    atomic_bool stop; /* the answer is no longer needed; checked by the work budgets */
    void (*wake)(struct queue *queue, struct task *task); /* called when its lines have been read, so that it may get a
                                                           * turn; NULL before it is pushed */
    enum task_state state;
    enum task_refusal refusal;
    struct scheduled scheduled;
    size_t workers;                /* workers that have this task */
    SLIST_ENTRY(task) ended_entry; /* in the list of ended tasks */
    uint64_t pushed, started;      /* microseconds of the monotonic clock: when it was pushed, and when its first
                                    * turn began */
    uint64_t queued;               /* milliseconds: when it was pushed, for checking `max_wait` */
    uint64_t worked;
    enum job_lane lane;
};

/* Initialise a task with a job, which the task then owns. `task` must be zeroed, except for its client and its two
 * callbacks. */
void task_init(struct task *task, struct job *job);

/* Free the job. Does nothing to a task without one. */
void task_clear(struct task *task);

/* ---- for the reader of a stream ---- */

/* The state of a stream's next lines. */
enum task_lines { TASK_SOME_LINES, TASK_NO_LINES_YET, TASK_ALL_READ, TASK_IS_BROKEN };

/* Read at most `size` bytes from a stream's lines. *ret_length is 0 unless the result is TASK_SOME_LINES. If the task
 * was waiting for its reader, it continues. Returns TASK_NO_LINES_YET before job_begin is complete, and for a job that
 * is not a stream. */
enum task_lines task_read(struct queue *queue, struct task *task, char *ret_bytes, size_t size, size_t *ret_length);

/* Estimate how many bytes the reader of a stream has yet to take (job_left). */
size_t task_left(struct task *task);

/* Write the head of a stream, which is known once job_begin is complete. */
void task_open(struct task *task, struct response *ret_response);

/* For `progressed`: must the reader of a stream be woken? Returns true once, if the reader is waiting for the head, or
 * is waiting for lines and there are some. Requires the mutex. */
bool task_wakes_reader(struct task *task);
