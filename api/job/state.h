/* The state of a job, for job.c and solve.c. */
#pragma once

#include "api/job/answer.h"
#include "api/job/source.h"
#include "api/job/turn.h"

#include <stdatomic.h>

enum slot_state {
    SLOT_FREE,
    SLOT_TAKEN,
    SLOT_AGAIN, /* the case must be done again */
    SLOT_DONE,
};

/* A case in the window. While the state is SLOT_TAKEN, job_do writes it, on one thread; otherwise the functions that
 * the caller serialises do. */
struct slot {
    enum slot_state state;
    enum job_lane lane; /* the lane it was done in last; with SLOT_AGAIN: the lane it must be done in */
    bool over_total;    /* the sum of the sizes exceeds its limit at this case, which is read again for the position of
                         * that fault */
    struct case_position position;
    struct buffer out; /* its result; in a stream a line */
    struct fault_list faults;
    enum problem problem; /* as in struct case_reading */
    uint64_t values;      /* as in struct case_reading */
    uint64_t size;        /* the size of the case */
    void *collection;     /* NULL; or the case is this collection, whose games are answered instead */
};

enum stage {
    STAGE_DETECT, /* find out whether a text is JSON */
    STAGE_CHECK,  /* check the body as far as needed before the first case */
    STAGE_CASES,  /* do the cases */
    STAGE_REFUSED,
    STAGE_BROKEN,   /* a stream that cannot continue: its last line says so */
    STAGE_ANSWERED, /* the response is written */
};

struct job_limits; /* job.h */

struct job {
    const struct service *service;
    const struct admission *admission;
    const struct job_limits *limits;
    enum stage stage;
    size_t blanks; /* in STAGE_DETECT: the blanks found so far at the beginning of a text */
    struct source *source;
    enum format format; /* of the answer; FORMAT_NONE: the client accepts only a picture, which is not possible */

    struct workspace collection; /* the memory of the single case if it is a collection */

    struct slot *slots; /* [window]; case k is slots[k % window] */
    struct slot single; /* the window, if it has one slot */
    size_t window;
    size_t first;        /* the number of the first case in the window */
    size_t pending;      /* cases that were found and are not done */
    size_t read;         /* in a stream: bytes of the first case's line that were read */
    size_t read_last;    /* in a broken stream: bytes of the last line that were read */
    size_t held;         /* in a stream: bytes of memory of the lines that are done and unread */
    uint64_t total_size; /* the sum for the cases that were joined */
    uint64_t values;     /* the sum for the cases that were joined */
    size_t done_bytes;   /* of the body, up to the beginning of the case that left the window last */
    struct buffer joined;
    struct buffer id; /* of the single case, as JSON: job_put_id */
    struct response response;

    /* Written by all threads that do cases. */
    atomic_bool faulty;             /* a case has a fault: in a batch the other cases are only checked */
    atomic_int failure;             /* enum outcome: why a case, or the whole body, could not be answered */
    atomic_size_t answer_bytes;     /* of all results; when it exceeds the limit on answers, further cases are only
                                     * checked */
    atomic_uint_fast64_t size_read; /* of all cases so far; when it exceeds the limit on the sum, further cases are
                                     * only checked */
};

/* Note that a case, or the whole body, could not be answered. The first reason is kept. */
static inline void state_fail(struct job *job, enum outcome why) {
    int none = OUTCOME_DONE;
    atomic_compare_exchange_strong(&job->failure, &none, (int)why);
}

/* Is the outcome a failure of the service, so that the case or the body is given up? */
static inline bool state_is_failure(enum outcome outcome) {
    return outcome == OUTCOME_NO_MEMORY || outcome == OUTCOME_INTERNAL;
}

static inline size_t state_max_answer_bytes(const struct job *job) {
    return (size_t)answer_limit(job->service, job->admission).bytes;
}

/* Get the limit on the sum of the sizes of all cases. */
static inline uint64_t state_total_limit(const struct job *job) {
    return job->admission->game->total_limit(job->source->limits);
}

/* A picture is not possible: choose the next best format of the answer. */
static inline void state_give_up_picture(struct job *job) {
    if (job->format == FORMAT_SVG)
        job->format = job->admission->answer_without_picture;
}
