#include "api/work/task.h"

void task_init(struct task *task, struct job *job) {
    task->job = job;
    pthread_mutex_init(&task->mutex, NULL);
}

void task_clear(struct task *task) {
    if (task->job == NULL)
        return;
    job_free(task->job);
    task->job = NULL;
    pthread_mutex_destroy(&task->mutex);
}

/* ---- the reader of a stream ---- */

enum task_lines task_read(struct queue *queue, struct task *task, char *ret_bytes, size_t size, size_t *ret_length) {
    enum task_lines lines = TASK_NO_LINES_YET;
    bool has_turn = false;
    *ret_length = 0;
    pthread_mutex_lock(&task->mutex);
    if (task->begun && job_is_stream(task->job)) {
        bool had_turn = job_has_turn(task->job, JOB_SHORT);
        *ret_length = job_read(task->job, ret_bytes, size);
        /* Lines without bytes make room, too. */
        has_turn = (*ret_length != 0 || !had_turn) && job_has_turn(task->job, JOB_SHORT);
        lines = *ret_length != 0           ? TASK_SOME_LINES
                : job_is_broken(task->job) ? TASK_IS_BROKEN
                : job_is_read(task->job)   ? TASK_ALL_READ
                                           : TASK_NO_LINES_YET;
    }
    task->reader = lines == TASK_NO_LINES_YET ? TASK_WANTS_LINES : TASK_WANTS_NOTHING;
    pthread_mutex_unlock(&task->mutex);
    if (has_turn && task->wake != NULL)
        task->wake(queue, task);
    return lines;
}

size_t task_left(struct task *task) {
    pthread_mutex_lock(&task->mutex);
    size_t left = job_left(task->job);
    pthread_mutex_unlock(&task->mutex);
    return left;
}

void task_open(struct task *task, struct response *ret_response) {
    pthread_mutex_lock(&task->mutex);
    job_finish(task->job, ret_response);
    task->reader = TASK_WANTS_NOTHING;
    pthread_mutex_unlock(&task->mutex);
}

bool task_wakes_reader(struct task *task) {
    if (!job_is_stream(task->job) || task->reader == TASK_WANTS_NOTHING ||
        (task->reader == TASK_WANTS_LINES && !job_is_readable(task->job)))
        return false;
    task->reader = TASK_WANTS_NOTHING;
    return true;
}
