/* The answers that `arbiter solve` has in flight. Each body is a job. All jobs are in the queue at once, and their
 * answers are written in the order of the bodies. A line of a stream is written as soon as it and everything before it
 * is ready. A message about a file without a job takes its place in the same order.
 *
 * At most two jobs per worker are in flight. A slice from a pipe is at most 64 KiB or one line, and a stream's answers
 * are limited by max_stream_bytes. So memory use is bounded, no matter how much data comes from the pipe. */
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

/* Owned by the caller (answers_init / answers_clear). Only the callbacks in answers.c run on other threads. */
struct answers {
    const struct service *service;
    struct queue *queue;
    struct output *output;
    int wake;                      /* an eventfd, incremented whenever there may be something to write */
    struct answer_list list;       /* in flight, in the order of their bodies */
    size_t count, max;             /* how many of these there are, and the limit */
    struct progress_state written; /* the progress made by answers that have been written completely */
    bool refused, failed;          /* a case was refused; a file was not answered for some other reason */

    /* Used only by answers.c. A body was refused, and so far that was reported only on standard error. If the same file
     * turns out to have another body, the refused body was a line, and this is written as its answer. */
    const char *first_file;
    struct buffer first_line;
};

/* Initialise, with no answers. Returns false and sets errno when out of descriptors. */
bool answers_init(struct answers *answers, const struct service *service, struct queue *queue, struct output *output,
                  size_t max);

/* Cancel what is in flight and wait until it has stopped. */
void answers_clear(struct answers *answers);

/* Is there room for another body? */
bool answers_have_space(const struct answers *answers);

/* Push a body to be answered. Always takes ownership of the body. `file` must outlive the answer. */
void answers_push(struct answers *answers, const char *file, const struct admission *admission,
                  struct input_body *body);

/* Answer a file with a problem document. Takes ownership of the response. */
void answers_push_refusal(struct answers *answers, const char *file, struct response *response);

/* Report what is wrong with a file, which then counts as not answered. The text is copied. */
void answers_push_failure(struct answers *answers, const char *file, const char *what);

/* Write some of what is ready. Returns false when everything that is ready has been written. */
bool answers_write(struct answers *answers);

/* Get the progress of all answers. The member `all` is 0. */
struct progress_state answers_progress(const struct answers *answers);
