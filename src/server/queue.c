#include "server/queue.h"

#include <pthread.h>
#include <stdlib.h>

struct queue {
    pthread_mutex_t mutex;
    pthread_cond_t not_empty;
    struct task *front, *back;
    size_t waiting, limit;
    bool ending;
    const atomic_bool *stop;
    size_t worker_count;
    pthread_t workers[];
};

static void append(struct queue *queue, struct task *task) {
    task->behind = NULL;
    if (queue->back != NULL)
        queue->back->behind = task;
    else
        queue->front = task;
    queue->back = task;
    queue->waiting++;
    pthread_cond_signal(&queue->not_empty);
}

static struct task *take_front(struct queue *queue) {
    struct task *task = queue->front;
    queue->front = task->behind;
    if (queue->front == NULL)
        queue->back = NULL;
    queue->waiting--;
    return task;
}

/* Begin a job. True when nothing is left to do for it. Called and left with the mutex held. */
static bool begin(struct queue *queue, struct task *task, struct work *work) {
    pthread_mutex_unlock(&queue->mutex);
    bool cut_off = api_begin(task->job, work) == OUT_OF_WORK;
    pthread_mutex_lock(&queue->mutex);
    task->begun = true;
    task->cut_off = cut_off;
    if (cut_off || api_case_count(task->job) == 0)
        return true;
    append(queue, task);
    return false;
}

/* Do a job's next case. True when that was the last to be done. Called and left with the mutex held. */
static bool do_case(struct queue *queue, struct task *task, struct arena *scratch, struct work *work) {
    size_t cases = api_case_count(task->job), index = task->next_case++;
    if (task->next_case < cases)
        append(queue, task);
    pthread_mutex_unlock(&queue->mutex);
    bool cut_off = api_case(task->job, index, scratch, work) == OUT_OF_WORK;
    pthread_mutex_lock(&queue->mutex);
    task->cut_off |= cut_off;
    return ++task->cases_done == cases;
}

static void *work_on(void *argument) {
    struct queue *queue = argument;
    struct arena scratch;
    arena_init(&scratch, ARENA_NO_CAP);
    pthread_mutex_lock(&queue->mutex);
    for (;;) {
        while (queue->front == NULL && !queue->ending)
            pthread_cond_wait(&queue->not_empty, &queue->mutex);
        if (queue->front == NULL)
            break;
        struct work work = {.left = WORK_UNBOUNDED, .stop = queue->stop};
        struct task *task = take_front(queue);
        bool complete = task->begun ? do_case(queue, task, &scratch, &work) : begin(queue, task, &work);
        if (!complete)
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
        append(queue, task);
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
