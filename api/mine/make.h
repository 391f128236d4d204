/* Makes random Minesweeper fields: for `arbiter make`, and for benches. */
#pragma once

#include "api/game/maker.h"

extern const struct game_maker mine_maker;

/* Draw `count` cells as characters, with exactly `mines` mines: ret_cells[count]. mines <= count. */
void mine_make_cells(uint32_t count, uint32_t mines, struct random *random, char *ret_cells);
