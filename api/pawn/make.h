/* Makes random boards of the crossing pawn: for `arbiter make`, and for benches. */
#pragma once

#include "api/game/maker.h"

extern const struct game_maker pawn_maker;

/* Draw a board as characters, ret_cells[rows * cols]: the pawn is not in the first row, and all three pieces and the
 * obstacles are on different squares. rows >= 2, 3 + obstacles <= rows * cols. */
void pawn_make_board(unsigned rows, unsigned cols, unsigned obstacles, struct random *random, char *ret_cells);
