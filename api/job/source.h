/* The source of a request's cases. Each format of bodies implements a struct source_format, in source_NAME.c; the rows
 * of api/game/format_rows.h name them.
 *
 *     source_new     a source for a body
 *     source_open    check the body as far as needed before the first case
 *     next           find the next case
 *     read           parse, decode and check one case, into a workspace
 *     source_free
 *
 * A case is read only when its turn comes, so that the memory of a source does not grow with its cases. `read` may run
 * on several threads at once, each with its own workspace. The caller serialises the other functions. */
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
    MODE_BATCH,  /* the results of all cases, or the faults of all */
    MODE_STREAM, /* a line for each case: its result, or its problem */
};

/* The first member of each format's struct. */
struct source {
    const struct source_format *format;
    enum format body; /* the format of the body */
    const struct service *service;
    const struct admission *admission;
    const void *limits; /* of the game */
    char *bytes;        /* the body, without a byte order mark; numbers in JSON may be overwritten */
    size_t length;

    enum mode mode;
    size_t count;                   /* the number of cases; SIZE_MAX: not known before the end */
    size_t found;                   /* cases that were found so far */
    bool ended;                     /* there are no more cases */
    bool is_looked_at;              /* for source_open: the format is not known yet, ... */
    size_t blanks;                  /* ... because the body begins with these blanks, or more */
    enum problem problem;           /* of the body as a whole: malformed, too large (too many values) or invalid; else
                                       PROBLEM_NONE */
    struct fault_list faults;       /* of the body as a whole */
    struct fault_list faults_after; /* faults that are positioned after the cases */
};

/* The position of a case in the body. */
struct case_position {
    size_t begin, end;     /* offsets in the body; a text sets only `begin` */
    size_t line;           /* from 1; 0 except in lines, where the case begins with its line */
    uint64_t total_before; /* the size of the cases before it; 0 except in a text */
};

/* One reading of a case. */
struct case_reading {
    size_t number; /* of the case, from 0 */
    const struct case_position *position;
    struct workspace *workspace;
    struct work *work;
    bool over_total; /* add the fault that the sum of the sizes exceeds its limit at this case */
    struct fault_list *faults;

    enum problem problem; /* malformed, or too large (too many values); else PROBLEM_NONE */
    uint64_t values;      /* JSON values; only lines count them here */
    void *the_case; /* in the workspace; NULL: it was not read. On entry: the case that `next` has read, or NULL */
    struct case_context context;
};

/* Does a body begin like one in a format? */
enum source_look {
    SOURCE_UNLIKE,
    SOURCE_LIKE, /* enough to name the format in advice about a body that cannot be read */
    SOURCE_SURE, /* enough to read a body or a file whose format nobody names */
};

/* A format of bodies. These functions never return OUTCOME_TOO_LARGE. */
struct source_format {
    size_t size; /* the size of the format's struct; before `open` all its members after the struct source are zero */
    bool checks_total; /* `next` checks the limit on the sum of the sizes */
    enum format lines; /* with is_case: the format of lines that have such a case each */

    /* Look at the beginning of a body, from its first byte that is not blank; it has one. */
    enum source_look (*look)(const char *bytes, size_t length);

    /* Are these bytes by themselves a body of one case, which in another body might be one of several lines? They may
     * begin with a byte order mark. Numbers in them may be overwritten. No budget limits this call. NULL: such bodies
     * do not come in lines. */
    bool (*is_case)(char *bytes, size_t length);

    /* Check the body as far as needed before the first case. OUTCOME_DONE: if the body is valid, `mode` and `count` are
     * set; if it is refused, `ended` and `problem` are. OUTCOME_MORE_WORK: the next call continues. */
    enum outcome (*open)(struct source *source, struct workspace *workspace, struct work *work);

    /* Find the next case. OUTCOME_DONE: the position is written, or there are no more cases and `ended` is set.
     * OUTCOME_MORE_WORK: the next call continues. If the end of a case is found by reading it, *ret_case is that case,
     * in the workspace; otherwise NULL. */
    enum outcome (*next)(struct source *source, struct workspace *workspace, struct work *work,
                         struct case_position *ret_position, void **ret_case);

    /* Read a case. OUTCOME_DONE: faults of the case are in the reading. After any other outcome a further call begins
     * again, and only the id may be used of what was read. */
    enum outcome (*read)(const struct source *source, struct case_reading *r);

    /* Free what the format's struct owns. NULL: it owns nothing. */
    void (*close)(struct source *source);
};

/* The most bytes of a body that a scan reads between two checks of the budget. JOB_MIN_WORK pays for them. */
enum { SOURCE_STEP = 64 << 10 };

/* By enum format; NULL: no body has the format. */
extern const struct source_format *const source_table[FORMATS];

/* Find the format that a body begins most like, with at least this look: among equals the first, of those of the game.
 * `game` NULL: of all. The bytes begin with one that is not blank; FORMAT_NONE: there are none, or no format is like
 * them. */
enum format source_guess(const struct game *game, enum source_look least, const char *bytes, size_t length);

/* Make a source for a body that was admitted. The bytes, the service and the admission must outlive it. NULL when
 * memory is exhausted. */
struct source *source_new(const struct service *service, const struct admission *admission, char *bytes, size_t length);

/* Open a source, as struct source_format says of `open`. If the type of the body is vague, its format is found out
 * first; if it is another, *source is replaced. */
enum outcome source_open(struct source **source, struct workspace *workspace, struct work *work);

/* Make a source of the games of a collection. It replaces the source `whole`, whose one case is the collection. The
 * collection must outlive it. The source is open. NULL when memory is exhausted. */
struct source *source_games_new(const struct source *whole, const void *collection);

/* Free a source. Accepts NULL. */
void source_free(struct source *source);

/* Is the body so small that it is not charged to the account? */
bool source_is_small(const struct source *source);

/* ---- for the formats ---- */

#define FORMAT_BODY(id, name, source, ...) extern const struct source_format source;
#include "api/game/format_rows.h"

/* The function `next` of a body that is one case. */
enum outcome source_next_whole(struct source *source, struct workspace *workspace, struct work *work,
                               struct case_position *ret_position, void **ret_case);

/* Initialise a list of faults of one case, or of the whole body. */
void source_init_faults(const struct source *source, struct fault_list *ret_faults);

/* Initialise a buffer for positions of cases. */
void source_init_positions(const struct source *source, struct buffer *ret_positions);

/* Set the mode of a body that may have several cases: batch or stream. A batch has no picture, so the next best format
 * of the answer is chosen. */
void source_set_batch(struct source *source);

/* Refuse the body as a whole. */
void source_refuse(struct source *source, enum problem problem);

/* Charge work after it was done. If the budget has less, it is used up. */
void source_pay_afterwards(struct work *work, uint64_t units);

/* Allocate the case of a reading, zeroed. False when memory is exhausted. */
bool source_alloc_case(const struct source *source, struct case_reading *r);

/* Begin to decode the case of a reading. It may be a collection of at most `max_games` games; 0: it must be one game.
 */
struct json_decode source_begin_decode(const struct source *source, struct case_reading *r, uint64_t max_games);

/* In a batch, add the id of the case to each of its faults, if the id is valid. */
void source_name_faults(const struct source *source, const struct case_reading *r);

/* ---- advice about a body that cannot be read: clients send one format and name another, lose the line ends, or send
 * UTF-16 ---- */

/* Add advice to the last fault. That fault says that the body, or its first line, cannot be read, or that a text is not
 * allowed. Nothing is added unless the body shows the mistake. If the body begins like one in its own format, it may
 * still be one in the format `suspected`; FORMAT_NONE: no. */
void source_advise(const struct source *source, enum format suspected, struct fault_list *faults);

/* Name the first of the bytes between `at` and `end` in the last fault, if it is a character that a reader would not
 * see, or not part of UTF-8. `reason` is the fault's detail. */
void source_name_byte(const char *reason, const char *at, const char *end, struct fault_list *faults);
