/* A game of Go: plays a list of moves and keeps track of the board, refused moves, repetitions and prisoners.
 *
 * A stone is placed, and opposing chains without liberties are removed. The move is a miss, and is undone, for the
 * first of these reasons that applies: there is a stone on its point; it captured nothing, and its own chain has no
 * liberty; the position repeats an earlier one as defined by the ko rule. (If repetitions are only reported, such a
 * move is played.) A pass changes nothing and is never a miss.
 *
 * A game lives in the arena passed to go_game_new until that is reset. It belongs to one thread at a time. */
#pragma once

#include "base/arena.h"
#include "base/work.h"
#include "go/rules.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The result of a move. */
struct go_reply {
    enum go_miss miss;
    bool repeated;     /* the ko rule forbids this move; if such moves are only reported, it was played */
    uint32_t repeats;  /* if repeated: the number, counting from 1, of the earliest move after which that
                        * position was on the board (0: the start). Under GO_KO_SITUATIONAL it is the earliest move
                        * after which the same colour left it; under GO_KO_SIMPLE it is the stone before the last one.
                        * For a changed board it is the last move before the change */
    uint32_t captured; /* the number of stones taken off: see go_game_captured */
};

struct go_board;
struct go_game;

/* Start a game on an empty board of `size` x `size` points, 1 to GO_MAX_SIZE. To set up stones, call go_game_set_up
 * before the first move. Memory for `expected` moves is allocated immediately, and more for further moves. The replies
 * do not depend on `hash_seed`. A secret seed prevents outsiders from choosing moves whose positions all have the same
 * hash; each such move would cost (and be charged) time proportional to the number of these positions. */
enum outcome go_game_new(unsigned size, struct go_rules rules, size_t expected, uint64_t hash_seed, struct arena *arena,
                         struct work *work, struct go_game **ret_game);

/* Add a stone, GO_BLACK or GO_WHITE, to the starting position on an empty point, before the first move. Nothing is
 * captured, so chains may be left without liberties. */
void go_game_set_up(struct go_game *game, unsigned row, unsigned col, enum go_color color);

/* Write the chains without liberties to `ret_first`, each as its first stone, row * size + col, in row-major order.
 * Returns how many there are. A starting position or a changed board is legal if there are none. `ret_first` must have
 * space for size * size. Can be called from any thread that may read the game. */
unsigned go_game_find_without_liberty(const struct go_game *game, uint16_t *ret_first);

/* Change the board in the middle of a game, before the next move. `points` is the new board: size * size, row-major,
 * enum go_color. A new history begins, even if nothing changes: the ko rules forget all earlier positions, and the
 * first position is the new board, after the last move, as left by `color`; GO_EMPTY: by whoever made that move. Before
 * the first move, it becomes the starting position, and `color` does not matter. No stone becomes a prisoner. Chains
 * may have no liberties afterwards (go_game_find_without_liberty); in that case no move may be played. If the outcome
 * is not OUTCOME_DONE, the game must not be used any more. Takes about 20 ns per point, plus the time to remove the
 * positions added since the last change. */
enum outcome go_game_change(struct go_game *game, const uint8_t *points, enum go_color color, struct work *work);

/* Play the next move in the list. Its number is the number of calls so far, including refused moves and passes. Its
 * point must be on the board. If the outcome is not OUTCOME_DONE, the game must not be used any more. */
enum outcome go_game_play(struct go_game *game, struct go_move move, struct work *work, struct go_reply *ret_reply);

/* A tree of lines is played with one board and one history, and without recursion:
 *
 *     play a, b            a - b - c - d        go_game_branch before c, go_game_return after d,
 *     branch, c, d                 |            again for e; after that, the game is where it was after b
 *     return, branch, e            e
 *
 * Here another line branches off. Takes about 240 bytes, which are used again after the return. The ko rules never look
 * at positions of other lines. If the outcome is not OUTCOME_DONE, the game must not be used any more. */
enum outcome go_game_branch(struct go_game *game);

/* Return to where go_game_branch was called last, and has not been returned to yet: everything since then is taken
 * back. Takes about 5 ns per point, plus 30 ns for each step. If the outcome is not OUTCOME_DONE, the game must not be
 * used any more. */
enum outcome go_game_return(struct go_game *game, struct work *work);

/* Get the number of moves so far, on the line that is being played. */
uint32_t go_game_moves(const struct go_game *game);

/* Get who made the last of these moves that was played, a pass or a stone; GO_EMPTY: none was. */
enum go_color go_game_mover(const struct go_game *game);

/* The fate of a point in go_game_legal, after enum go_color for its stone or, if it is GO_EMPTY, a legal move. */
enum go_legality { GO_LEGALITY_SUICIDE = 3, GO_LEGALITY_REPETITION = 4 };

/* Judge every point as the next move of `color`, as go_game_play would, but without playing: ret_points[size * size],
 * row-major, becomes enum go_color or go_legality. Before the first move, `color` is the colour that moves first.
 * Returns the number of legal points in *ret_count. The board and the positions stay the same, but `color` must make
 * the first move if any is still played. Takes about 30 ns per empty point. If the outcome is not OUTCOME_DONE, the
 * game must not be used any more. */
enum outcome go_game_legal(struct go_game *game, enum go_color color, struct work *work, uint8_t *ret_points,
                           unsigned *ret_count);

/* Write the stones that the last move captured, as row * size + col, in ascending order, and return their number. Valid
 * only if its reply has captured > 0, which is that number. */
unsigned go_game_captured(const struct go_game *game, uint16_t *ret_points);

/* Return the number of points per side. */
unsigned go_game_size(const struct go_game *game);

/* Return the colour of a point. */
enum go_color go_game_at(const struct go_game *game, unsigned row, unsigned col);

/* Write a row of the board to ret_row[size of the board]: for each point, the character letters[enum go_color]. */
void go_game_letters(const struct go_game *game, unsigned row, const char *letters, char *ret_row);

/* A chain; points are row * size + col, in ascending order. */
struct go_chain {
    enum go_color color;
    unsigned stone_count, liberty_count;
    uint16_t stones[GO_POINTS], liberties[GO_POINTS];
};

/* Describe the chain of the stone at this point, which must not be empty. */
void go_game_chain(const struct go_game *game, unsigned row, unsigned col, struct go_chain *ret_chain);

/* Get the board, for use in this folder: see board.h. */
const struct go_board *go_game_board(const struct go_game *game);

/* Returns how many prisoners `color` has taken, including by the other side's suicide: for GO_BLACK, white stones. */
uint32_t go_game_prisoners(const struct go_game *game, enum go_color color);
