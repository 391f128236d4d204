/* The inputs of the benches: random boards, games and fields with fixed seeds, made as `arbiter make` makes them, so
 * that they are the same everywhere. */
#pragma once

#include "go/game.h"
#include "mine/solve.h"
#include "pawn/position.h"

#include <stddef.h>

/* Make a board with obstacles on up to a quarter of its squares. */
void bench_draw_board(uint64_t seed, unsigned rows, unsigned cols, struct pawn_position *ret_position);

/* Ten 10 x 10 boards that are especially hard: long wins for both sides, and ties. */
enum { BENCH_HARD_BOARDS = 10 };
void bench_hard_board(unsigned number, struct pawn_position *ret_position);

/* How to choose the points of a game's moves. */
enum bench_points {
    BENCH_ANY_POINT,   /* any point: after a while, many are occupied */
    BENCH_EMPTY_POINT, /* mostly empty points: dense boards, many captures, and on small boards kos and long cycles */
};

/* Moves of alternating colours. ret_moves[count]. */
void bench_draw_game(uint64_t seed, unsigned size, enum bench_points points, size_t count, struct go_move *ret_moves);

/* Legal moves of alternating colours. Returns how many there are: `count`, unless a player has none left.
 * ret_moves[count]. */
size_t bench_draw_legal_game(uint64_t seed, unsigned size, size_t count, struct go_move *ret_moves);

/* Play a game of such moves[count], in an arena that the caller resets. */
void bench_play_game(unsigned size, const struct go_move *moves, size_t count, struct arena *arena);

/* A field with exactly `mines` mines. The caller frees ret_field->mines. */
void bench_draw_field(uint64_t seed, unsigned rows, unsigned cols, unsigned mines, struct mine_field *ret_field);
