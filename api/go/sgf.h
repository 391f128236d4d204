/* Reads games from records: the moves of their main lines, and the stones set up before and between them.
 *
 *     sgf_survey      checks the syntax of a collection and finds its games
 *     sgf_read_game   reads one of these games
 *     sgf_lines       plays all its lines
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

/* Reads the values of a game one after another, in the order of the text. */
struct sgf_values {
    struct sgf_scan scan; /* the value is the one just scanned; faults are those of the scan */
    unsigned size;
    bool root_has_size;
};

/* All lines of a game, or only its main line, in the order of the text:
 *
 *     (;SZ[9];B[aa];W[bb](;B[cc];W[dd])      the main line
 *                        (;B[ee](;W[ff])     two more lines
 *                               (;W[gg])))
 *
 * There is one board: a parenthesis that opens a variation is a branch, and the one that closes it takes back what has
 * been played in it (go_game_branch). So the time is proportional to the text, the memory to the longest line, and a
 * record can be nested to any depth.
 *
 * The set-up of a line before its first move is its starting position, wherever its nodes are; later set-up changes the
 * board. The numbers of moves are counted along their own line. */
struct sgf_lines {
    bool main_only; /* set by the caller after sgf_lines_begin */
    struct go_game *board;

    /* The move just played, the last in go_game_moves. */
    struct go_move move;
    struct go_reply reply;
    size_t offset; /* of its value in the record */
    bool in_main;

    uint64_t leaves, steps,
        moves; /* so far: lines, moves and changes of all lines, moves that are not in the main line */
    enum outcome outcome;
    struct sgf_fault fault; /* its code is FAULT_CODES if there is none, and FAULT_LIBERTY for chains without liberties,
                             * which are on the board then */

    /* Used only by sgf.c. */
    uint64_t max_steps;
    struct work *work;
    struct sgf_values values;
    bool changing;             /* values of a change have been read that is not on the board yet: ... */
    size_t changed_at;         /* ... where it begins, ... */
    uint8_t points[GO_POINTS]; /* ... and what it makes of the board */
};

/* Begin. The case must be a record that was read without a fault; more than `max_steps` moves and changes are a fault.
 * The board is allocated from `arena`. *lines must not be moved. */
enum outcome sgf_lines_begin(struct sgf_lines *lines, const struct go_case *the_case, uint64_t max_steps,
                             uint64_t hash_seed, struct arena *arena, struct work *work);

/* Play up to and including the next move. Returns false at the end, after a fault, or if the outcome is not
 * OUTCOME_DONE. */
bool sgf_lines_next(struct sgf_lines *lines);
