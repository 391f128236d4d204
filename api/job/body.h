/* The body of a request, and where its cases stand in it. They are found one after the other, and parsed only when
 * their turn comes: nothing here grows with what a case holds.
 *
 *     JSON   one value, checked as a whole; a case, or an object whose array `cases` has them
 *     text   the judge's: a case begins where the one before it ends. One that begins as an object of JSON is JSON:
 *            many programs send that as text
 *     lines  JSON, a case a line; blank lines do not count
 *     SGF    one case
 *
 * One case, of SGF or of JSON with a record in it, may turn out to be a collection of games when it is read; then the
 * body is opened, and has these for its cases. */
#pragma once

#include "api/fault/fault.h"
#include "api/game/game.h"
#include "api/job/workspace.h"
#include "api/json/check.h"
#include "api/request/admit.h"
#include "api/request/service.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Where a case stands. */
struct body_place {
    size_t begin, end;    /* bytes of the body; of a text only where it begins */
    size_t line, column;  /* of lines: those of its first byte, from 1; else 0 */
    uint64_t text_before; /* of a text: what the cases before it take of the limit on a request */
};

/* What is wrong with a body as a whole, in the order in which it is told. */
enum body_fault {
    BODY_GOOD,
    BODY_NO_MEMORY,
    BODY_NOT_PARSED, /* cJSON refused what was found good: a fault of ours */
    BODY_NOT_SOLVED, /* an invariant of the solver does not hold: a fault of ours */
    BODY_MALFORMED,  /* `faults` say where */
    BODY_TOO_MANY_VALUES,
    BODY_INVALID, /* likewise; in an object with cases other faults may follow, which are in `faults_behind` */
};

/* The search for a line that begins at `at` of the body. It may take several calls, which find here what is known so
 * far. */
struct body_line {
    size_t first; /* all bytes of the line before it are blanks */
    size_t end;   /* the line does not end before it */
    size_t last;  /* all bytes from here to the end are blanks; 0: the end is not known */
};

/* The caller holds it (body_init / body_clear), and the bytes, which outlive it; numbers in them may be overwritten.
 * One thread at a time. */
struct body {
    const struct service *service;
    const struct game *game;
    const void *limits;                         /* the game's own */
    const struct record_parameters *parameters; /* of a record */
    enum format format;
    bool link;        /* it is a single case, from the query */
    bool may_be_json; /* a text whose first byte that is no blank has not been looked at */
    bool alone;       /* each case is answered as if it had been sent by itself */
    char *bytes;      /* without a byte order mark */
    size_t length;
    size_t first_line; /* of lines: the number of the first, from 1 */

    bool batch;             /* there are several cases, or could be */
    const void *collection; /* which the one case was, whose games are the cases now; NULL: it was none */
    size_t count;           /* how many; SIZE_MAX: nobody knows before the end */
    size_t found;           /* how many were found so far */
    bool ended;             /* no more will be found */
    enum body_fault fault;
    struct fault_list faults, faults_behind;

    /* How far it is read. */
    bool checking, checked; /* JSON: the check has begun; it is done */
    struct json_checker checker;
    struct buffer notes; /* one after the other: struct json_span of the cases in an array; struct body_place of those
                            in a text that was read beforehand */
    size_t at, line;
    struct body_line here; /* of lines */
    uint64_t text_total;
};

/* Who calls body_begin or body_next with a budget of so much again and again gets to the end. */
enum { BODY_LEAST_WORK = 100000 };

/* Are these bytes one JSON object that is a case and no batch? They may begin with a byte order mark. Numbers in them
 * may be overwritten. No budget limits this call. */
bool body_is_case(char *bytes, size_t length);

/* Begin a body of `length` bytes. */
void body_init(struct body *body, const struct service *service, const struct admission *admission, char *bytes,
               size_t length, bool alone);

/* Free what was noted. */
void body_clear(struct body *body);

/* Start a list of faults of one case, or of the whole. */
void body_init_faults(const struct body *body, struct fault_list *ret_faults);

/* The last of the faults says that the body, or a line of it, cannot be read: add what to do (advice_add). */
void body_add_hint(const struct body *body, const char *reason, const char *place, struct fault_list *faults);

/* How many cases there can be at most. */
size_t body_most_cases(const struct body *body);

/* Check as much as must be known before the first case. OUTCOME_MORE_WORK: call again with more. Otherwise
 * OUTCOME_DONE, and `fault` says what is wrong; then there is no case. */
enum outcome body_begin(struct body *body, struct workspace *workspace, struct work *work);

/* Find the next case. OUTCOME_MORE_WORK: call again with more. Otherwise OUTCOME_DONE: the place is written, or `ended`
 * is set, and there is none. Of a text the case is read on the way, into the workspace; else *ret_text_case is NULL. */
enum outcome body_next(struct body *body, struct workspace *workspace, struct work *work, struct body_place *ret_place,
                       void **ret_text_case);

/* The one case of the body, which was found, is a collection, and outlives the body: its games are found next, one
 * after the other. They have no places. */
void body_open(struct body *body, const void *collection);

/* Read the case of a text that begins at a place where body_next has found one, into the workspace. NULL when memory or
 * work gave out, as *ret_outcome says. */
void *body_read_again(const struct body *body, const struct body_place *place, struct workspace *workspace,
                      struct work *work, enum outcome *ret_outcome);
