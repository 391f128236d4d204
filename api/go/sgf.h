/* What the records of games mean: their main lines as moves, with what is set up before and between them.
 *
 *     sgf_survey      is a collection well-formed, how many games has it, and where do they stand?
 *     sgf_read_game   one of these games
 *
 * What SGF looks like stands in sgf_scan.h. */
#pragma once

#include "api/go/case.h"
#include "api/go/sgf_scan.h"
#include "base/arena.h"
#include "base/work.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A record: one game, or a collection of them. */
struct sgf_record {
    const char *text; /* without a byte order mark; it outlives what is found in it */
    size_t length;
    enum sgf_bytes bytes;
};

/* A game, as the survey finds it. Spans that begin at 0 are none. */
struct sgf_game {
    size_t begin, end;            /* from its parenthesis up to behind its last one */
    struct fault_line line;       /* where it begins */
    size_t variations;            /* nodes with several children */
    size_t moves, changes, edits; /* of the main line */
    struct sgf_span kind, size;   /* the first values of GM and SZ in the root node that are not blank */
    struct sgf_span rules;        /* the same of RU */
};

struct sgf_survey {
    uint64_t games;
    struct sgf_game *kept; /* [kept_count] */
    size_t kept_count;
};

/* Look through a record to its end. `game` is the number, from 1, of the one that is kept, if there is one; 0: all are
 * kept, and there may be at most `max_games` of them.
 *
 * OUTCOME_DONE with *ret_good: the survey is written. Without: the fault is; it is malformed, but for too many games.
 * Memory comes from `arena`; the record is not changed. */
enum outcome sgf_survey(const struct sgf_record *record, uint64_t game, uint64_t max_games, struct arena *arena,
                        struct work *work, struct sgf_survey *ret_survey, bool *ret_good, struct sgf_fault *ret_fault);

/* Read the main line of a game that a survey of the record has found into ret_case: size, setup (NULL without a stone
 * set up before the first move), moves and changes, which are NULL where there are none, and their counts. The caller
 * has zeroed it; nothing else in it is touched. That chains have liberties is for the caller to check.
 *
 * OUTCOME_DONE with *ret_good: the case is written. Without: the fault is, which is never malformed: that of GM, that
 * of SZ, or else the first in the order of the record. Memory comes from `arena`; the record is not changed and not
 * pointed to. */
enum outcome sgf_read_game(const struct sgf_record *record, const struct sgf_game *game, uint64_t max_moves,
                           struct arena *arena, struct work *work, struct go_case *ret_case, bool *ret_good,
                           struct sgf_fault *ret_fault);
