/* A game of Go as a list of moves is played through: board, refusals, repetition, prisoners.
 *
 * A stone is placed; opposing chains without liberties are taken off; then, in this order, the move is a miss, and is
 * undone, if a stone already stood there, if it captured nothing and its own chain has no liberty, or if the position
 * would repeat an earlier one as the ko rule says. A pass changes nothing and is never a miss.
 *
 * A game lives in the arena given to go_game_new and dies with its reset; one thread at a time. */
#pragma once

#include "base/arena.h"
#include "base/work.h"
#include "go/rules.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What became of one move. */
struct go_reply {
    enum go_miss miss;
    uint32_t repeats;  /* with GO_MISS_REPETITION: the number, from 1, of the earliest move after which that position
                          stood (0: the start); under GO_KO_SITUATIONAL of the earliest that left it with the same
                          colour; under GO_KO_SIMPLE of the stone before the last one */
    uint32_t captured; /* stones that left the board: see go_game_captured_at */
};

struct go_game;

/* Begin a game on an empty board of `size` x `size` points, 1 to GO_MAX_SIZE. Set up stones with go_game_set_up before
 * the first move. Memory for `expected` moves is taken at once, and more when more are played. Any `hash_seed` gives
 * the same replies; one that outsiders do not know keeps them from choosing moves whose positions share a hash, each of
 * which then costs (and is charged for) as much as there are of them. */
enum outcome go_game_new(unsigned size, struct go_rules rules, size_t expected, uint64_t hash_seed, struct arena *arena,
                         struct work *work, struct go_game **ret_game);

/* Put a stone of the starting position, GO_BLACK or GO_WHITE, on an empty point, before the first move. Nothing is
 * taken off: chains may be without liberties. */
void go_game_set_up(struct go_game *game, unsigned row, unsigned col, enum go_color color);

/* Write the chains without liberties to `ret_first`, each by its first stone, row * size + col, in row-major order, and
 * return how many there are. A starting position, or a changed one, is legal when there are none. `ret_first` has room
 * for size * size. Any thread that may read the game. */
unsigned go_game_find_without_liberty(const struct go_game *game, uint16_t *ret_first);

/* Change the board in the middle of a game, before the next move: `points` (size * size, row-major, enum go_color) say
 * what stands on it afterwards. For the ko rules that position has stood, left by `color`, GO_BLACK or GO_WHITE, after
 * the last move that was played; a simple ko is lifted, even if nothing changes. No stone becomes a prisoner. At least
 * one move has been played. Chains may be without liberties then (go_game_find_without_liberty), and if one is, the
 * game must not be played on. OUTCOME_DONE; otherwise it must not be played on or looked at. Some 20 ns a point. */
enum outcome go_game_change(struct go_game *game, const uint8_t *points, enum go_color color, struct work *work);

/* Play the next move of the list; its number is the count of calls so far, refused moves and passes included. Its point
 * must be on the board. Unless the outcome is OUTCOME_DONE the game must not be played on or looked at. */
enum outcome go_game_play(struct go_game *game, struct go_move move, struct work *work, struct go_reply *ret_reply);

/* Return whether the last move took the stone at this point off the board. Of use only when its reply says that stones
 * are gone. */
bool go_game_captured_at(const struct go_game *game, unsigned row, unsigned col);

/* Return the points a side. */
unsigned go_game_size(const struct go_game *game);

/* Return what stands at a point of the board. */
enum go_color go_game_at(const struct go_game *game, unsigned row, unsigned col);

/* Write what stands in a row to ret_row[size of the board], each point as its character of letters[enum go_color]. */
void go_game_letters(const struct go_game *game, unsigned row, const char *letters, char *ret_row);

/* Return how many stones of the other colour have left the board, suicides included: GO_BLACK counts white stones. */
uint32_t go_game_prisoners(const struct go_game *game, enum go_color color);
