/* The source of a request's cases. Each format of bodies brings one struct source_format; job.c has their table.
 *
 *     source_new     a source for a body in a format
 *     open           check as much of the body as must be known before the first case
 *     next           find the next case
 *     read           parse, decode and check one case, into a workspace
 *     source_free
 *
 * A case is read only when its turn comes, so that a source does not grow with what its cases hold. `read` may run on
 * any threads, each with a workspace of its own; of the other functions one runs at a time. */
#pragma once

#include "api/answer/problem.h"
#include "api/fault/fault.h"
#include "api/game/case.h"
#include "api/game/game.h"
#include "api/job/workspace.h"
#include "api/request/admit.h"
#include "api/request/service.h"
#include "base/work.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How the cases of a request are answered. */
enum mode {
    MODE_SINGLE, /* by the result of the one case */
    MODE_BATCH,  /* by the results of all cases, or by what is wrong with them */
    MODE_STREAM, /* by a line for each case: its result, or its problem */
};

/* The first member of each format's struct. */
struct source {
    const struct source_format *format;
    const struct service *service;
    const struct admission *admission;
    const void *limits; /* of the game */
    char *bytes;        /* of the body, without a byte order mark; numbers in JSON may be overwritten */
    size_t length;

    enum mode mode;
    size_t count;                   /* of cases; SIZE_MAX: not known before the end */
    size_t found;                   /* cases that were found so far */
    bool ended;                     /* no more will be found */
    enum problem problem;           /* of the body as a whole: malformed, too large (too many values) or invalid; else
                                       PROBLEM_NONE */
    struct fault_list faults;       /* of the body as a whole */
    struct fault_list faults_after; /* those whose place is after the cases */
};

/* The position of a case in the body. */
struct case_position {
    size_t begin, end;     /* offsets in the body; of a text only `begin` is set */
    size_t line, column;   /* of the first byte, from 1; only lines set them, otherwise 0 */
    uint64_t total_before; /* the weight of the cases before it; only a text sets it */
};

/* One reading of a case. */
struct case_reading {
    size_t number; /* of the case, from 0 */
    const struct case_position *position;
    struct workspace *workspace;
    struct work *work;
    bool over_total; /* this case makes the sum of the weights too large: add that fault */
    struct fault_list *faults;

    enum problem problem; /* malformed, or too large (too many values); else PROBLEM_NONE */
    uint64_t values;      /* in JSON; only lines count them */
    void *the_case;       /* in the workspace; NULL: it was not read. Before: what `next` has read, or NULL */
    struct case_context context;
};

/* The enum outcome of these functions is never OUTCOME_TOO_LARGE. */
struct source_format {
    enum format format;
    size_t size; /* of the format's struct. Before `open` all members after the struct source are zero */

    /* Check as much as must be known before the first case. OUTCOME_DONE: if the body is good, `mode` and `count` are
     * set; if it is refused, `ended` and `problem` are. OUTCOME_MORE_WORK: the next call goes on. */
    enum outcome (*open)(struct source *source, struct workspace *workspace, struct work *work);

    /* Find the next case. OUTCOME_DONE: the position is written; or there is none, and `ended` is set.
     * OUTCOME_MORE_WORK: the next call goes on. A text must read the case to find its end: *ret_case is that case, in
     * the workspace. Other formats set it to NULL. */
    enum outcome (*next)(struct source *source, struct workspace *workspace, struct work *work,
                         struct case_position *ret_position, void **ret_case);

    /* Read a case. OUTCOME_DONE: what is wrong with the case is in the reading. After any other outcome a further call
     * begins anew; of what was read only the id may be used. */
    enum outcome (*read)(const struct source *source, struct case_reading *r);

    /* Free what the format's struct holds. NULL: it holds nothing. */
    void (*close)(struct source *source);
};

/* The smallest budget per call of `open` and `next` that still guarantees progress. */
enum { SOURCE_MIN_WORK = 100000 };

/* The largest step, in bytes, of a scan of a body between two looks at the budget; SOURCE_MIN_WORK pays for it. */
enum { SOURCE_STEP = 64 << 10 };

/* Start a source. The bytes, the service and the admission outlive it. NULL when memory is exhausted. */
struct source *source_new(const struct source_format *format, const struct service *service,
                          const struct admission *admission, char *bytes, size_t length);

/* Accepts NULL. */
void source_free(struct source *source);

/* Is the body so small that the account is not charged for it? */
bool source_is_small(const struct source *source);

/* ---- for the formats ---- */

/* Start a list of faults of one case, or of the whole body. */
void source_init_faults(const struct source *source, struct fault_list *ret_faults);

/* Start a buffer for positions of cases. */
void source_init_positions(const struct source *source, struct buffer *ret_positions);

/* Set the mode of a body that has several cases, or could have: batch or stream. There is no picture of several cases,
 * so the next best format of the answer decides. */
void source_set_batch(struct source *source);

/* Refuse the body as a whole. */
void source_refuse(struct source *source, enum problem problem);

/* Charge work that is done. If the budget holds less, the whole budget is used up. */
void source_pay_afterwards(struct work *work, uint64_t units);

/* Allocate the case of a reading, zeroed. False when memory is exhausted. */
bool source_alloc_case(const struct source *source, struct case_reading *r);

/* Begin to decode the case of a reading, which may be a collection of `max_games` games (0: it may not be one). */
struct json_decode source_begin_decode(const struct source *source, struct case_reading *r, uint64_t max_games);

/* In a batch, say of each fault of the case which case it is, where that has a good id. */
void source_name_faults(const struct source *source, const struct case_reading *r);
