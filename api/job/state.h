/* The state of a job, for job.c and solve.c. */
#pragma once

#include "api/job/answer.h"
#include "api/job/source.h"
#include "api/job/turn.h"

#include <stdatomic.h>

enum slot_state {
    SLOT_FREE,
    SLOT_TAKEN,
    SLOT_AGAIN, /* the case is to be done again */
    SLOT_DONE,
};

/* A case in the window. One thread at a time writes it: job_do while the state is SLOT_TAKEN, otherwise the functions
 * of which one runs at a time. */
struct slot {
    enum slot_state state;
    enum job_lane lane; /* where it was done last; SLOT_AGAIN: where it is to be done */
    bool over_total; /* the sum of the weights passes its limit at this case: it is read again, for the position of that
                        fault */
    struct case_position position;
    struct buffer out; /* its result; of a stream a line */
    struct fault_list faults;
    enum problem problem; /* as in struct case_reading */
    uint64_t values;      /* as in struct case_reading */
    uint64_t weight;      /* what it takes of the limit on the sum */
    void *collection;     /* NULL, or the case is this collection, whose games are answered instead */
};

enum stage {
    STAGE_DETECT, /* a text: is it JSON? */
    STAGE_CHECK,  /* the body is checked as far as must be known before the first case */
    STAGE_CASES,  /* the cases are done */
    STAGE_REFUSED,
    STAGE_BROKEN,   /* a stream that cannot go on: a last line says so */
    STAGE_ANSWERED, /* the response is written */
};

struct job_limits; /* job.h */

struct job {
    const struct service *service;
    const struct admission *admission;
    const struct job_limits *limits;
    enum stage stage;
    size_t blanks; /* of STAGE_DETECT: the blanks that were found so far at the begin of a text */
    struct source *source;
    enum format format; /* of the answer; FORMAT_NONE: the client accepts only a picture, and there is none */

    struct workspace collection; /* of the one case that is a collection */

    struct slot *slots; /* [window]; case k is slots[k % window] */
    struct slot single; /* for a window of one */
    size_t window;
    size_t first;      /* the first case in the window */
    size_t pending;    /* cases that were found and are not done */
    size_t read;       /* of a stream: bytes of the first case's line that were read */
    size_t read_last;  /* of a broken stream: bytes of the last line that were read */
    size_t held;       /* of a stream: bytes of memory of the lines that are done and not read */
    uint64_t weight;   /* of the cases that were joined */
    uint64_t values;   /* of the cases that were joined */
    size_t done_bytes; /* of the body, up to the begin of the case that left the window last */
    struct buffer joined;
    struct buffer id; /* of the single case, as JSON: job_put_id */
    struct response response;

    /* Written by all threads that do cases. */
    atomic_bool faulty;               /* a case has a fault: in a batch the other cases are only checked */
    atomic_int failure;               /* enum outcome: why a case, or the whole body, could not be answered */
    atomic_size_t answer_bytes;       /* of all results; beyond the limit on answers the others are only checked */
    atomic_uint_fast64_t weight_read; /* of all cases so far; beyond the limit on the sum the others are only checked */
};

/* Note that a case, or the whole body, could not be answered. The first reason stays. */
static inline void state_fail(struct job *job, enum outcome why) {
    int none = OUTCOME_DONE;
    atomic_compare_exchange_strong(&job->failure, &none, (int)why);
}

/* Is the outcome a failure that is not the client's, so that the case or the body is given up? */
static inline bool state_is_failure(enum outcome outcome) {
    return outcome == OUTCOME_NO_MEMORY || outcome == OUTCOME_INTERNAL;
}

static inline size_t state_max_answer_bytes(const struct job *job) {
    return (size_t)answer_limit(job->service, job->admission).bytes;
}

/* The limit on the sum of what the cases weigh. */
static inline uint64_t state_total_limit(const struct job *job) {
    return job->admission->game->total_limit(job->source->limits);
}

/* There is no picture: choose the next best format of the answer. */
static inline void state_give_up_picture(struct job *job) {
    if (job->format == FORMAT_SVG)
        job->format = job->admission->undrawn;
}
