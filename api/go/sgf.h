/* Reads games from records: the moves of their main lines, and the stones that are set up before and between moves.
 *
 *     sgf_survey      checks the syntax of a collection, and finds its games
 *     sgf_read_game   reads one of these games
 *
 * sgf_scan.h describes the syntax of SGF. */
#pragma once

#include "api/go/case.h"
#include "api/go/sgf_encoding.h"
#include "api/go/sgf_scan.h"
#include "base/arena.h"
#include "base/work.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A record: one game, or a collection of them. */
struct sgf_record {
    const char *text; /* without a byte order mark; it must outlive what is found in it */
    size_t length;
    bool is_unicode; /* it is in UTF-8; else in the character set that CA names */
};

/* A game, as the survey finds it. Spans that begin at 0 do not exist. */
struct sgf_game {
    size_t begin, end;            /* from its first parenthesis to after its last one */
    struct fault_line line;       /* the position of its beginning */
    enum sgf_charset charset;     /* in which it is read */
    size_t variations;            /* nodes with several children */
    size_t moves, changes, edits; /* numbers for the main line */
    struct sgf_span kind, size;   /* the first values of GM and SZ in the root node that are not blank */
    struct sgf_span rules;        /* the same of RU */
};

struct sgf_survey {
    uint64_t games;
    struct sgf_game *kept; /* [kept_count] */
    size_t kept_count;
};

/* Survey a record to its end. `game` is the number, from 1, of the game that is kept, if it exists; 0: all games are
 * kept, and there may be at most `max_games`.
 *
 * OUTCOME_DONE with *ret_good: the survey is written. OUTCOME_DONE without it: the fault is written; its code is
 * FAULT_SYNTAX, unless there are too many games, or the character set of a game is not clear. Memory comes from
 * `arena`; the record is not changed. */
enum outcome sgf_survey(const struct sgf_record *record, uint64_t game, uint64_t max_games, struct arena *arena,
                        struct work *work, struct sgf_survey *ret_survey, bool *ret_good, struct sgf_fault *ret_fault);

/* Read the main line of a game that the survey has found into ret_case: size, setup (NULL if no stone is set up before
 * the first move), moves and changes (NULL if there are none), and their counts. The caller has zeroed ret_case; other
 * members are not changed. The caller must check that chains have liberties.
 *
 * OUTCOME_DONE with *ret_good: the case is written. OUTCOME_DONE without it: the fault is written, and its
 * code is not FAULT_SYNTAX: that of GM, else that of SZ, else the first in the order of the record. Memory comes from
 * `arena`; the record is not changed, and the case does not point to it. */
enum outcome sgf_read_game(const struct sgf_record *record, const struct sgf_game *game, uint64_t max_moves,
                           struct arena *arena, struct work *work, struct go_case *ret_case, bool *ret_good,
                           struct sgf_fault *ret_fault);
