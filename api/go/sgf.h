/* Reads games from records: the moves of their main lines, and the stones set up before and between them.
 *
 *     sgf_survey      checks the syntax of a collection and finds its games
 *     sgf_read_game   reads one of these games
 *
 * The syntax of SGF is described in sgf_scan.h. */
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
    const char *text; /* without a byte order mark; must outlive everything found in it */
    size_t length;
    bool is_unicode; /* it is in UTF-8; otherwise in the character set that CA names */
};

/* A game found by the survey. A span that begins at 0 is absent. */
struct sgf_game {
    size_t begin, end;            /* from its opening parenthesis to just after its closing one */
    struct fault_line line;       /* where it begins */
    enum sgf_charset charset;     /* the character set in which it is read */
    size_t variations;            /* nodes with several children */
    size_t moves, changes, edits; /* how many the main line has */
    struct sgf_span first[SGF_GAME - SGF_RULES +
                          1]; /* by property, from SGF_RULES: its first value in the root node that is not blank */
};

struct sgf_survey {
    uint64_t games;
    struct sgf_game *kept; /* [kept_count] */
    size_t kept_count;
};

/* Survey a record to its end. `game` is the number of the game to keep, counted from 1; it need not exist. If it is 0,
 * all games are kept, and at most `max_games` are allowed.
 *
 * Returns OUTCOME_DONE and sets *ret_good if the survey is complete. OUTCOME_DONE without *ret_good means that there is
 * a fault; its code is FAULT_SYNTAX unless there are too many games or the character set of a game is ambiguous.
 * Allocates from `arena`. The record is not changed. */
enum outcome sgf_survey(const struct sgf_record *record, uint64_t game, uint64_t max_games, struct arena *arena,
                        struct work *work, struct sgf_survey *ret_survey, bool *ret_good, struct sgf_fault *ret_fault);

/* Read the main line of a game found by the survey into ret_case: size, setup (NULL if no stone is set up before the
 * first move), moves and changes (NULL if there are none), their counts, and what the record says about the player,
 * the handicap and komi. The caller must zero ret_case first; other
 * members are not changed. The caller must check that chains have liberties.
 *
 * Returns OUTCOME_DONE and sets *ret_good if the case is complete. OUTCOME_DONE without *ret_good means that there is a
 * fault whose code is not FAULT_SYNTAX: the one in GM, or else the one in SZ, or else the first one in the record.
 * Allocates from `arena`. The record is not changed, and the case does not point into it. */
enum outcome sgf_read_game(const struct sgf_record *record, const struct sgf_game *game, uint64_t max_moves,
                           struct arena *arena, struct work *work, struct go_case *ret_case, bool *ret_good,
                           struct sgf_fault *ret_fault);
