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
    uint32_t repeats; /* with GO_MISS_REPETITION: the number, from 1, of the earliest move after which that position
                         stood (0: the start); under GO_KO_SITUATIONAL of the earliest that left it with the same
                         colour; under GO_KO_SIMPLE of the stone before the last one */
    uint32_t gone;    /* stones that left the board: see go_game_gone */
};

struct go_game;

/* A game on an empty board of `size` x `size` points (1 to GO_MAX_SIZE). Set up stones with go_game_set_up before the
 * first move. Memory for `expected` moves is taken at once, and more when more are played. WORK_DONE, WORK_NO_MEMORY or
 * WORK_EXHAUSTED. */
enum work_outcome go_game_new(unsigned size, struct go_rules rules, size_t expected, struct arena *arena,
                              struct work *work, struct go_game **ret_game);

/* Put a stone of the starting position on an empty point. Chains may lack liberties while this goes on. */
void go_game_set_up(struct go_game *game, unsigned row, unsigned col, enum go_color color);

/* The first point at or after (*row, *col), row-major, that begins a chain without liberties (its first stone in that
 * order); false when there is none. A starting position is legal when there is none at all. */
bool go_game_find_dead(const struct go_game *game, unsigned *row, unsigned *col);

/* Play the next move of the list; its number is the count of calls so far. A game that ran out of work or memory is
 * lost. */
enum work_outcome go_game_play(struct go_game *game, struct go_move move, struct work *work,
                               struct go_reply *ret_reply);

/* Did the last move take the stone at this point off the board? Of use when its reply says that stones are gone. */
bool go_game_gone(const struct go_game *game, unsigned row, unsigned col);

unsigned go_game_size(const struct go_game *game);

enum go_color go_game_at(const struct go_game *game, unsigned row, unsigned col);

/* How many stones of the other colour have left the board, suicides included: GO_BLACK counts white stones. */
uint32_t go_game_prisoners(const struct go_game *game, enum go_color color);

#ifdef ARBITER_CHECKS
/* Recompute everything that the board stores from the stones alone; false when anything differs. For tests. */
bool go_game_is_consistent(const struct go_game *game);
#endif
