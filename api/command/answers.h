/* The answers that the command solve has in flight. There is a job for each body. All jobs are in the queue at once;
 * the answers are written in the order of the bodies. A line of a stream is written as soon as it and all before it are
 * ready. A message about a file that has no job takes its place in the same order.
 *
 * At most two jobs for each worker are in flight. A slice of a pipe has at most 64 KiB or one line, and a stream's
 * answers are bounded by max_stream_bytes. So memory is bounded, however long the pipe is. */
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
    int wake;                      /* an eventfd; counts up whenever there may be something to write */
    struct answer_list list;       /* in flight, in the order of the bodies */
    size_t count, max;             /* the number of these, and its limit */
    struct progress_state written; /* what was done in the answers that were written */
    bool refused, failed;          /* some case was refused; some file was not answered for another reason */

    /* Used by answers.c only. A body was refused, and the message went to standard error only. If the same file has
     * another body, the refused one was a line, and this message is written as its answer. */
    const char *first_file;
    struct buffer first_line;
};

/* Start empty. False, with errno, when there is no descriptor. */
bool answers_init(struct answers *answers, const struct service *service, struct queue *queue, struct output *output,
                  size_t max);

/* Stop what is in flight, and wait until it has stopped. */
void answers_clear(struct answers *answers);

/* Is there space for another body? */
bool answers_have_space(const struct answers *answers);

/* Push a body to be answered. Takes the body in any case. `file` outlives the answer. */
void answers_push(struct answers *answers, const char *file, const struct admission *admission,
                  struct input_body *body);

/* Answer a file with a problem document. Takes the response. */
void answers_push_refusal(struct answers *answers, const char *file, struct response *response);

/* Report what is wrong with a file; it counts as not answered. The text is copied. */
void answers_push_failure(struct answers *answers, const char *file, const char *what);

/* Write some of what is ready. False when everything that is ready was written. */
bool answers_write(struct answers *answers);

/* Get the progress of all answers. The member `all` is 0. */
struct progress_state answers_progress(const struct answers *answers);
