#include "api/work/queue.h"

#include "base/assert.h"

#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

/* In the order of struct queue_limits. */
static const struct limit limits[] = {
    {"max_inflight_bytes", "bytes of bodies and answers over all requests", (uint64_t)1 << 30, LIMIT_MOST, false},
    {"queue", "requests waiting for a worker", 1024, 1 << 20, false},
};
LIMITS_MATCH(limits, struct queue_limits);
const struct limit_group queue_limits = {limits, sizeof limits / sizeof *limits};

enum {
    STEP_BACK = 5,    /* of nice */
    SLICE = 10000000, /* nanoseconds */
};

struct queue {
    pthread_mutex_t mutex;
    pthread_cond_t not_empty;
    struct line {
        struct task *front, *back;
    } fresh, running; /* tasks that have had no turn yet; and those that have */
    bool fresh_is_next;
    size_t waiting, limit;
    bool ending;
    const atomic_bool *stop;
    size_t worker_count;
    pthread_t workers[];
};

static void append(struct queue *queue, struct line *line, struct task *task) {
    ASSERT((line->front == NULL) == (line->back == NULL));
    task->behind = NULL;
    if (line->back != NULL)
        line->back->behind = task;
    else
        line->front = task;
    line->back = task;
    queue->waiting++;
    pthread_cond_signal(&queue->not_empty);
}

/* The task whose turn it is. The two lines take turns, so that a new task waits for one step of an old one at most. */
static struct task *take_next(struct queue *queue) {
    bool fresh = queue->running.front == NULL || (queue->fresh.front != NULL && queue->fresh_is_next);
    struct line *line = fresh ? &queue->fresh : &queue->running;
    struct task *task = line->front;
    ASSERT(queue->waiting > 0 && task != NULL);
    line->front = task->behind;
    if (line->front == NULL)
        line->back = NULL;
    queue->waiting--;
    queue->fresh_is_next = !fresh;
    return task;
}

/* Begin a job. True when nothing is left to do for it. Called and left with the mutex held. */
static bool begin(struct queue *queue, struct task *task, struct work *work) {
    pthread_mutex_unlock(&queue->mutex);
    bool cut_off = job_begin(task->job, work) == WORK_EXHAUSTED;
    pthread_mutex_lock(&queue->mutex);
    task->begun = true;
    task->cut_off = cut_off;
    return cut_off || job_case_count(task->job) == 0;
}

/* Do a job's next case. True when that was the last to be done. Called and left with the mutex held. */
static bool do_case(struct queue *queue, struct task *task, struct arena *scratch, struct work *work) {
    size_t cases = job_case_count(task->job), index = task->next_case++;
    ASSERT(task->begun && index < cases);
    if (task->next_case < cases)
        append(queue, &queue->running, task);
    pthread_mutex_unlock(&queue->mutex);
    bool cut_off = job_case(task->job, index, scratch, work) == WORK_EXHAUSTED;
    pthread_mutex_lock(&queue->mutex);
    task->cut_off |= cut_off;
    ASSERT(task->cases_done < cases);
    return ++task->cases_done == cases;
}

/* A job's next step: a case, and before the first one its begin. True when nothing is left to do for it. */
static bool do_step(struct queue *queue, struct task *task, struct arena *scratch, struct work *work) {
    if (!task->begun && begin(queue, task, work))
        return true;
    return do_case(queue, task, scratch, work);
}

/* A worker computes for long, and what others have waited for takes a moment: the I/O thread's answer, a client on the
 * same machine. With a third of their weight and a longer slice (which Linux 6.12 and later heed) a worker makes room
 * for them when they wake, and not at the next tick, 4 ms later: beside jobs of 20 ms the p99 of small requests is 0.7
 * ms in the middle of nine quiet runs, and 3.3 without it (script/bench lanes). Where this is not allowed it changes
 * nothing. */
static void step_back(void) {
    /* The kernel's struct sched_attr, which the headers of Debian 12 do not bring in beside pthread.h. */
    struct {
        uint32_t size, policy;
        uint64_t flags;
        int32_t nice;
        uint32_t priority;
        uint64_t runtime, deadline, period;
    } attributes = {.size = sizeof attributes};
    if (syscall(SYS_sched_getattr, 0, &attributes, sizeof attributes, 0) != 0 ||
        (attributes.policy != SCHED_OTHER && attributes.policy != SCHED_BATCH))
        return;
    attributes.nice = attributes.nice + STEP_BACK < 19 ? attributes.nice + STEP_BACK : 19;
    attributes.runtime = SLICE;
    syscall(SYS_sched_setattr, 0, &attributes, 0);
}

static void *work_on(void *argument) {
    struct queue *queue = argument;
    step_back();
    struct arena scratch;
    arena_init(&scratch, ARENA_NO_CAP);
    pthread_mutex_lock(&queue->mutex);
    for (;;) {
        while (queue->waiting == 0 && !queue->ending)
            pthread_cond_wait(&queue->not_empty, &queue->mutex);
        if (queue->waiting == 0)
            break;
        struct work work = {.left = WORK_UNBOUNDED, .stop = queue->stop};
        struct task *task = take_next(queue);
        if (!do_step(queue, task, &scratch, &work))
            continue;
        pthread_mutex_unlock(&queue->mutex);
        task->finished(task);
        pthread_mutex_lock(&queue->mutex);
    }
    pthread_mutex_unlock(&queue->mutex);
    arena_clear(&scratch);
    return NULL;
}

struct queue *queue_start(size_t workers, size_t limit, const atomic_bool *stop) {
    struct queue *queue = calloc(1, sizeof *queue + workers * sizeof *queue->workers);
    if (queue == NULL)
        return NULL;
    pthread_mutex_init(&queue->mutex, NULL);
    pthread_cond_init(&queue->not_empty, NULL);
    queue->limit = limit;
    queue->stop = stop;
    while (queue->worker_count < workers) {
        if (pthread_create(&queue->workers[queue->worker_count], NULL, work_on, queue) != 0) {
            queue_free(queue);
            return NULL;
        }
        queue->worker_count++;
    }
    return queue;
}

bool queue_is_full(struct queue *queue) {
    pthread_mutex_lock(&queue->mutex);
    bool full = queue->waiting >= queue->limit;
    pthread_mutex_unlock(&queue->mutex);
    return full;
}

bool queue_push(struct queue *queue, struct task *task) {
    pthread_mutex_lock(&queue->mutex);
    bool open = !queue->ending;
    if (open) {
        task->cases_done = task->next_case;
        append(queue, &queue->fresh, task);
    }
    pthread_mutex_unlock(&queue->mutex);
    return open;
}

void queue_stop(struct queue *queue) {
    pthread_mutex_lock(&queue->mutex);
    queue->ending = true;
    pthread_cond_broadcast(&queue->not_empty);
    pthread_mutex_unlock(&queue->mutex);
    for (size_t w = 0; w < queue->worker_count; w++)
        pthread_join(queue->workers[w], NULL);
    queue->worker_count = 0;
}

void queue_free(struct queue *queue) {
    if (queue == NULL)
        return;
    queue_stop(queue);
    pthread_cond_destroy(&queue->not_empty);
    pthread_mutex_destroy(&queue->mutex);
    free(queue);
}
