/* The inputs of the benches as JSON, so that the same inputs can be solved in this process and over HTTP. Each function
 * writes one case. */
#pragma once

#include "go/game.h"
#include "mine/solve.h"
#include "pawn/position.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* `moves`: include that part. */
void bench_put_board(FILE *out, const struct pawn_position *position, bool moves);

void bench_put_game(FILE *out, unsigned size, const struct go_move *moves, size_t count);

/* Write a field as a list of strings, or as a list of mines. */
void bench_put_field(FILE *out, const struct mine_field *field);
void bench_put_mines(FILE *out, const struct mine_field *field);
