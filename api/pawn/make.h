/* Makes random boards of the crossing pawn: for `arbiter make`, and for benches. */
#pragma once

#include "api/game/maker.h"
#include "pawn/position.h"

extern const struct game_maker pawn_maker;

/* Make a random position: the pawn is not in the first row, and all three pieces and the obstacles are on different
 * cells. rows >= 2, cols >= 1, 3 + obstacles <= rows * cols <= PAWN_MAX_CELLS. The turn is Red's. */
void pawn_make_position(unsigned rows, unsigned cols, unsigned obstacles, struct random *random,
                        struct pawn_position *ret_position);
