#include "api/command/answers.h"

#include "base/assert.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

struct answer {
    struct task task; /* first member, so that a pointer to the task is a pointer to its answer */
    STAILQ_ENTRY(answer) entry;
    const char *file;
    struct response refusal; /* with a status if the file was refused */
    char failure[128];       /* not empty if something is wrong with the file; otherwise, there is a job */
    struct admission admission;
    struct input_body body;
    int wake;
    atomic_bool over; /* the queue has released it */
};

bool answers_init(struct answers *answers, const struct service *service, struct queue *queue, struct output *output,
                  size_t max) {
    *answers = (struct answers){.service = service, .queue = queue, .output = output, .max = max};
    STAILQ_INIT(&answers->list);
    problem_init_document(&answers->first_line);
    answers->wake = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    return answers->wake >= 0;
}

/* ---- on the workers ---- */

static void on_progress(struct task *task) {
    if (task_wakes_reader(task))
        eventfd_write(((struct answer *)task)->wake, 1);
}

static void on_finished(struct task *task) {
    struct answer *answer = (struct answer *)task;
    int wake = answer->wake;
    atomic_store(&answer->over, true); /* from here on, the answer may be freed */
    eventfd_write(wake, 1);
}

/* ---- pushing ---- */

/* Get the progress of the answer's job, once all earlier answers are complete. */
static struct job_progress progress_of(struct answer *answer) {
    struct job_progress progress = {0};
    if (answer->task.job == NULL)
        return progress;
    pthread_mutex_lock(&answer->task.mutex);
    if (answer->task.begun)
        progress = job_progress(answer->task.job);
    pthread_mutex_unlock(&answer->task.mutex);
    return progress;
}

bool answers_have_space(const struct answers *answers) { return answers->count < answers->max; }

static void free_answer(struct answer *answer) {
    task_clear(&answer->task);
    response_clear(&answer->refusal);
    input_body_clear(&answer->body);
    free(answer);
}

static void print_no_memory(struct answers *answers, const char *file) {
    answers->failed = true;
    output_message(answers->output, file, "out of memory");
}

/* Append an answer. Prints a message and returns NULL when out of memory. */
static struct answer *append(struct answers *answers, const char *file) {
    struct answer *answer = calloc(1, sizeof *answer);
    if (answer == NULL) {
        print_no_memory(answers, file);
        return NULL;
    }
    answer->file = file;
    answer->wake = answers->wake;
    atomic_init(&answer->over, true); /* there is no job yet */
    STAILQ_INSERT_TAIL(&answers->list, answer, entry);
    answers->count++;
    return answer;
}

void answers_push_refusal(struct answers *answers, const char *file, struct response *response) {
    struct answer *answer = append(answers, file);
    if (answer == NULL)
        response_clear(response);
    else
        answer->refusal = *response;
    *response = (struct response){0};
}

void answers_push_failure(struct answers *answers, const char *file, const char *what) {
    struct answer *answer = append(answers, file);
    if (answer != NULL)
        snprintf(answer->failure, sizeof answer->failure, "%s", what);
}

void answers_push(struct answers *answers, const char *file, const struct admission *admission,
                  struct input_body *body) {
    struct answer *answer = append(answers, file);
    if (answer == NULL) {
        input_body_clear(body);
        return;
    }
    answer->admission = *admission;
    answer->admission.first_line = body->first_line;
    answer->body = *body;
    *body = (struct input_body){0};
    struct task *task = &answer->task;
    task->finished = on_finished;
    task->progressed = on_progress;
    struct job *job = job_new(answers->service, &answer->admission, answer->body.bytes, answer->body.length);
    if (job != NULL) {
        task_init(task, job);
        atomic_store(&answer->over, false);
        if (queue_push(answers->queue, task) == QUEUE_PUSHED)
            return;
        task_clear(task);
    }
    atomic_store(&answer->over, true);
}

/* ---- writing ---- */

/* Write some of a stream's lines. Returns false if none are ready or all have been written. */
static bool write_lines(struct answers *answers, struct answer *answer) {
    char bytes[32 << 10];
    size_t length;
    if (task_read(answers->queue, &answer->task, bytes, sizeof bytes, &length) != TASK_SOME_LINES)
        return false;
    output_write(answers->output, answer->file, bytes, length);
    return true;
}

/* Write the line for a refused body, in the form used by streams. */
static void put_refused_line(const struct answer *answer, const struct response *response, struct buffer *out) {
    buffer_put_char(out, '{');
    if (answer->task.job != NULL)
        job_put_id(answer->task.job, out);
    buffer_put_literal(out, "\"problem\":");
    buffer_put(out, response->body, response->length - 1); /* without its line end */
    buffer_put_literal(out, "}\n");
}

/* Called before an answer is written. If the previous body was refused and belongs to the same file, both are lines in
 * that file, so the refusal is written as a line, too. */
static void write_refused_line(struct answers *answers, const struct answer *next) {
    if (answers->first_file == next->file && *next->failure == 0) {
        if (answers->first_line.outcome == OUTCOME_DONE)
            output_write(answers->output, next->file, answers->first_line.data, answers->first_line.length);
        else
            print_no_memory(answers, next->file);
    }
    answers->first_file = NULL;
    buffer_clear(&answers->first_line);
}

static void refuse(struct answers *answers, const struct answer *answer, const struct response *response) {
    *(response->status < 500 ? &answers->refused : &answers->failed) = true;
    output_problem(answers->output, answer->file, response->body, response->length);
    buffer_clear(&answers->first_line);
    put_refused_line(answer, response, &answers->first_line);
    answers->first_file = answer->file;
    if (answers->output->with_file)
        write_refused_line(answers, answer);
}

static void write_whole(struct answers *answers, struct answer *answer) {
    struct response response = {0};
    job_finish(answer->task.job, &response);
    if (response.status == 200)
        output_write(answers->output, answer->file, response.body, response.length);
    else
        refuse(answers, answer, &response);
    response_clear(&response);
}

/* All lines of a stream have been written. */
static void end_stream(struct answers *answers, const struct answer *answer) {
    const struct job *job = answer->task.job;
    answers->refused |= job_has_refused(job) && !answers->output->is_lint; /* then a fault is a finding */
    answers->failed |= job_has_failed(job) || !job_is_read(job);
    if (!job_is_read(job))
        output_message(answers->output, answer->file, "cut off: out of memory");
}

/* Write what is left of an answer whose job is done, apart from the lines of a stream. */
static void write_rest(struct answers *answers, struct answer *answer) {
    const struct job *job = answer->task.job;
    if (answer->refusal.status != 0) {
        refuse(answers, answer, &answer->refusal);
    } else if (*answer->failure != 0) {
        answers->failed = true;
        output_message(answers->output, answer->file, answer->failure);
    } else if (job == NULL) {
        print_no_memory(answers, answer->file);
    } else if (job_is_stream(job)) {
        end_stream(answers, answer);
    } else {
        write_whole(answers, answer);
    }
}

/* Count the first answer as written and remove it. */
static void count_written(struct answers *answers) {
    struct answer *answer = STAILQ_FIRST(&answers->list);
    struct job_progress done = progress_of(answer);
    answers->written.cases += done.cases;
    answers->written.bytes += answer->body.length;
    STAILQ_REMOVE_HEAD(&answers->list, entry);
    answers->count--;
    free_answer(answer);
}

bool answers_write(struct answers *answers) {
    struct answer *answer = STAILQ_FIRST(&answers->list);
    if (answer == NULL)
        return false;
    write_refused_line(answers, answer);
    bool over = atomic_load(&answer->over); /* read before writing lines: if true, all lines are ready */
    if (answer->task.job != NULL && write_lines(answers, answer))
        return true;
    if (!over)
        return false;
    write_rest(answers, answer);
    count_written(answers);
    return true;
}

struct progress_state answers_progress(const struct answers *answers) {
    struct progress_state state = answers->written;
    struct answer *answer;
    STAILQ_FOREACH(answer, &answers->list, entry) {
        struct job_progress progress = progress_of(answer);
        state.cases += progress.cases;
        state.bytes += progress.bytes;
    }
    return state;
}

void answers_clear(struct answers *answers) {
    struct answer *answer;
    STAILQ_FOREACH(answer, &answers->list, entry)
        queue_cancel(answers->queue, &answer->task);
    queue_stop(answers->queue);
    while (!STAILQ_EMPTY(&answers->list))
        count_written(answers);
    buffer_clear(&answers->first_line);
    close(answers->wake);
}
