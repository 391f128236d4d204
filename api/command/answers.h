/* What the command solve has in flight: a job for each body, all with the workers at once, written in the order of the
 * bodies. A stream's lines are written as soon as they and all before them are known. What is to be said of a file that
 * has no job stands in the same order. */
#pragma once

#include "api/api.h"
#include "api/command/input.h"
#include "api/command/output.h"
#include "api/work/queue.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/queue.h>

struct answer;
STAILQ_HEAD(answer_list, answer);

/* The caller holds it (answers_init / answers_clear). Only the callbacks of answers.c run on other threads. */
struct answers {
    const struct service *service;
    struct queue *queue;
    struct output *output;
    int wake;                      /* an eventfd, which counts up whenever there may be something to write */
    struct answer_list list;       /* in flight, in the order of the bodies */
    size_t count, max;             /* of these, and how many there may be */
    struct progress_state written; /* what was done in those that were written */
    bool refused, failed;          /* some case was refused; something was not answered for another reason */

    /* Used by answers.c only. A body was refused, and only standard error says so. If the same file has another body,
     * the refused one was a line, and this is written as its answer. */
    const char *first_file;
    struct buffer first_line;
};

/* Begin with none. False, with errno, without a descriptor. */
bool answers_init(struct answers *answers, const struct service *service, struct queue *queue, struct output *output,
                  size_t max);

/* Stop what is in flight, and wait until it has stopped. */
void answers_clear(struct answers *answers);

/* May another body be pushed? */
bool answers_have_room(const struct answers *answers);

/* Have a body answered, which is taken in any case. `file` outlives the answer. */
void answers_push(struct answers *answers, const char *file, const struct admission *admission,
                  struct input_body *body);

/* Answer a file with a problem document, which is taken. */
void answers_push_refusal(struct answers *answers, const char *file, struct response *response);

/* Say what is wrong with a file; it counts as one that was not answered. The text is copied. */
void answers_push_failure(struct answers *answers, const char *file, const char *what);

/* Write some of what is known. False when nothing is that was not written. */
bool answers_write(struct answers *answers);

/* How far all of it is; its member `all` is left 0. */
struct progress_state answers_progress(const struct answers *answers);
