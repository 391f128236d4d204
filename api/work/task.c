#include "api/work/task.h"

enum {
    BEGIN_WORK = 200000, /* units of about 10 ns: the budget of one turn in which a body is checked */
    CASE_WORK = 5000000, /* the same units: the budget of a case on a short worker */
};

_Static_assert(BEGIN_WORK >= (int)JOB_MIN_WORK, "each turn makes progress on a body that is being checked");

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

/* ---- a task's steps, on the workers ---- */

bool task_has_turn(const struct task *task, enum job_lane lane) {
    return task->begun ? job_has_turn(task->job, lane) : lane == JOB_SHORT;
}

bool task_is_done(const struct task *task) {
    return task->begun && (job_is_done(task->job) || job_is_broken(task->job));
}

bool task_begin(struct task *task, struct workspace *workspace) {
    struct work work = {.left = BEGIN_WORK, .stop = &task->stop};
    if (job_begin(task->job, workspace, &work) != OUTCOME_DONE)
        return false;
    pthread_mutex_lock(&task->mutex);
    task->begun = true;
    if (task->progressed != NULL)
        task->progressed(task);
    bool done = task_is_done(task);
    pthread_mutex_unlock(&task->mutex);
    return !done;
}

bool task_take(struct task *task, enum job_lane lane, struct workspace *workspace, struct job_turn *ret_turn) {
    struct work work = {.left = BEGIN_WORK, .stop = &task->stop};
    enum outcome outcome;
    return job_take(task->job, lane, workspace, &work, ret_turn, &outcome);
}

bool task_do(struct task *task, const struct job_turn *turn, enum job_lane lane, struct workspace *workspace,
             struct work_statistics *ret_statistics) {
    struct work work = {.left = lane == JOB_LONG ? WORK_UNBOUNDED : CASE_WORK, .stop = &task->stop};
    enum outcome outcome = job_do(task->job, turn, workspace, &work);
    *ret_statistics = work.statistics;
    pthread_mutex_lock(&task->mutex);
    if (outcome != OUTCOME_DONE)
        job_put_back(task->job, turn, JOB_LONG);
    else
        job_deliver(task->job, turn);
    if (task->progressed != NULL)
        task->progressed(task);
    bool more = task_has_turn(task, lane) && !task_is_done(task);
    pthread_mutex_unlock(&task->mutex);
    return more;
}

/* ---- the reader of a stream ---- */

enum task_lines task_read(struct queue *queue, struct task *task, char *ret_bytes, size_t size, size_t *ret_length) {
    enum task_lines lines = TASK_NO_LINES_YET;
    bool has_turn = false;
    *ret_length = 0;
    pthread_mutex_lock(&task->mutex);
    if (task->begun && job_is_stream(task->job)) {
        *ret_length = job_read(task->job, ret_bytes, size);
        has_turn = *ret_length != 0 && job_has_turn(task->job, JOB_SHORT);
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
