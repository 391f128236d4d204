/* The source of a request's cases. Each body format implements a struct source_format, in source_NAME.c; the rows of
 * api/game/format_rows.h name them.
 *
 *     source_new     creates a source for a body
 *     open           checks as much of the body as is needed before the first case
 *     next           finds the next case
 *     read           parses, decodes and checks one case, in a workspace
 *     source_free
 *
 * A case is read only when its turn comes, so a source's memory does not grow with the number of its cases. `read` may
 * run on several threads at once, each with its own workspace. The caller must serialise the other functions. */
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
    MODE_SINGLE, /* the result of the one case */
    MODE_BATCH,  /* the results of all cases or, if any case is faulty, all faults */
    MODE_STREAM, /* a line for each case: its result, or its problem */
};

enum { JSON_DEFAULTS = 4, JSON_DEFAULT_BYTES = 1024 };

/* Values of members for cases that do not have these members: those beside the cases of a batch, and those of
 * --include. */
struct json_defaults {
    struct arena arena; /* their trees, which the cases share */
    unsigned count;
    struct case_default members[JSON_DEFAULTS];
};

/* The first member of each format's struct. */
struct source {
    const struct source_format *format;
    enum format body; /* the format of the body */
    const struct service *service;
    const struct admission *admission;
    const void *limits; /* the game's limits */
    char *bytes;        /* the body, without a byte order mark; numbers in JSON may be overwritten */
    size_t length;

    enum mode mode;
    size_t count;                   /* the number of cases; SIZE_MAX: not known before the end */
    size_t found;                   /* cases found so far */
    bool ended;                     /* there are no more cases */
    size_t mark;                    /* bytes of the byte order mark before `bytes` */
    size_t valid;                   /* bytes that are known to be UTF-8, if the head names another charset */
    size_t blanks;                  /* number of leading blanks found so far */
    enum problem problem;           /* the problem with the body as a whole: malformed, too large (too many values) or
                                     * invalid; otherwise PROBLEM_NONE */
    struct fault_list faults;       /* the faults in the body as a whole */
    struct fault_list faults_after; /* faults whose position is after the cases */
    struct json_defaults defaults;
};

/* The position of a case in the body. */
struct case_position {
    size_t begin, end;     /* offsets in the body; the contest format sets only `begin` */
    size_t line;           /* for lines, the line in which the case begins, counted from 1; otherwise 0 */
    uint64_t total_before; /* the size of the cases before it, in the contest format; otherwise 0 */
};

/* One reading of a case. */
struct case_reading {
    size_t number; /* the number of the case, counted from 0 */
    const struct case_position *position;
    struct workspace *workspace;
    struct work *work;
    bool over_total; /* report that the sum of the sizes exceeds its limit at this case */
    struct fault_list *faults;

    enum problem problem; /* malformed, or too large (too many values); otherwise PROBLEM_NONE */
    uint64_t values;      /* JSON values; counted only for lines */
    void *the_case; /* in the workspace; NULL if it was not read. On entry: the case if `next` has already read it,
                     * or NULL */
    struct case_context context;
};

/* Does a body look like one in a format? */
enum source_look {
    SOURCE_UNLIKE,
    SOURCE_LIKE, /* enough to suggest the format for a body that cannot be read */
    SOURCE_SURE, /* enough to read a body or a file whose format is not given */
};

/* A format of bodies. These functions never return OUTCOME_TOO_LARGE. */
struct source_format {
    size_t size;       /* size of the format's struct; all members after the struct source are zero before `open` */
    bool checks_total; /* `next` checks the limit on the sum of the sizes */
    enum format lines; /* if is_case is not NULL: the format in which each line is such a case */

    /* Look at the beginning of a body, which must not start with a blank. `length` > 0. */
    enum source_look (*look)(const char *bytes, size_t length);

    /* Are these bytes a complete body with one case, which could equally be one line in a body with several? They may
     * begin with a byte order mark. Numbers in them may be overwritten. The call is not limited by a budget. NULL if
     * such cases cannot be on lines of their own. */
    bool (*is_case)(char *bytes, size_t length);

    /* Check as much of the body as is needed before the first case. OUTCOME_DONE: sets `mode` and `count` if the body
     * is valid, or `ended` and `problem` if it is refused. OUTCOME_MORE_WORK: the next call continues. */
    enum outcome (*open)(struct source *source, struct workspace *workspace, struct work *work);

    /* Find the next case. OUTCOME_DONE: the position is written or, if there are no more cases, `ended` is set.
     * OUTCOME_MORE_WORK: the next call continues. If finding the end of a case means reading it, *ret_case is that
     * case, in the workspace; otherwise NULL. */
    enum outcome (*next)(struct source *source, struct workspace *workspace, struct work *work,
                         struct case_position *ret_position, void **ret_case);

    /* Read a case. OUTCOME_DONE: any faults of the case are in the reading. After any other outcome, a further call
     * starts from the beginning, and of what was read, only the id may be used. */
    enum outcome (*read)(const struct source *source, struct case_reading *r);

    /* Free what the format's struct owns. NULL if it owns nothing. */
    void (*close)(struct source *source);
};

/* The maximum number of bytes scanned between two checks of the budget. JOB_MIN_WORK covers them. */
enum { SOURCE_STEP = 64 << 10 };

/* Indexed by enum format; NULL if request bodies never have that format. */
extern const struct source_format *const source_table[FORMATS];

/* Guess the format of bytes, which must not start with a blank: the format of `game` (NULL: of any game) that they look
 * most like, and at least as much as `least`. If several tie, it is the first. FORMAT_NONE if there are no bytes or no
 * format matches. */
enum format source_guess(const struct game *game, enum source_look least, const char *bytes, size_t length);

/* Create a source for an admitted body in this format. A byte order mark is skipped, unless the format is binary. The
 * bytes, the service and the admission must outlive it. Returns NULL when out of memory. */
struct source *source_new(const struct service *service, const struct admission *admission, enum format body,
                          char *bytes, size_t length);

/* Create an open source of the games in a collection. It replaces the source `whole`, whose only case is the
 * collection. The collection must outlive it. Returns NULL when out of memory. */
struct source *source_games_new(const struct source *whole, const void *collection);

/* Free a source. Accepts NULL. */
void source_free(struct source *source);

/* Is the body so small that it is not charged to the account? */
bool source_is_small(const struct source *source);

/* ---- for the formats ---- */

#define FORMAT_BODY(id, name, source, ...) extern const struct source_format source;
#include "api/game/format_rows.h"

/* The function `next` for a body that is a single case. */
enum outcome source_next_whole(struct source *source, struct workspace *workspace, struct work *work,
                               struct case_position *ret_position, void **ret_case);

/* Initialise a list of faults for one case, or for the whole body. */
void source_init_faults(const struct source *source, struct fault_list *ret_faults);

/* Initialise a buffer for positions of cases. */
void source_init_positions(const struct source *source, struct buffer *ret_positions);

/* Set the mode of a body that can have several cases: batch or stream. A batch has no picture, so the next best format
 * is chosen for the answer. */
void source_set_batch(struct source *source);

/* Refuse the body as a whole. */
void source_refuse(struct source *source, enum problem problem);

/* Charge for work that has already been done. If less than that is left in the budget, the budget is used up. */
void source_pay_afterwards(struct work *work, uint64_t units);

/* Allocate the case of a reading, zeroed. Returns false when out of memory. */
bool source_alloc_case(const struct source *source, struct case_reading *r);

/*
 * Begin decoding the case of a reading. It can be a collection of at most `max_games` games; if that is 0, it must be
 * one game.
 */
struct json_decode source_begin_decode(const struct source *source, struct case_reading *r, uint64_t max_games);

/* In a batch, add the id of the case to each of its faults, if the id is valid. */
void source_name_faults(const struct source *source, const struct case_reading *r);

/* ---- advice about a body that cannot be read: clients often declare the wrong format, lose the line ends, or send
 * UTF-16 ---- */

/* Add advice to the last fault, which says that the body or its first line cannot be read, or that the contest format
 * is not allowed. Adds nothing unless the body shows the mistake. A body that looks like its own format could still be
 * meant to be in the format `suspected` (FORMAT_NONE: none). */
void source_advise(const struct source *source, enum format suspected, struct fault_list *faults);

/* Name the first byte between `at` and `end` in the last fault if it begins an invisible character or is not part of
 * UTF-8. `reason` is the fault's detail. */
void source_name_byte(const char *reason, const char *at, const char *end, struct fault_list *faults);
