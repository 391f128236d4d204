/* Makes random Minesweeper fields: for `arbiter make`, and for benches. */
#pragma once

#include "api/game/maker.h"
#include "mine/field.h"

extern const struct game_maker mine_maker;

/* Put exactly `mines` mines on a field without any. Its sides are in range; mines <= rows * cols. */
void mine_make_mines(const struct mine_field *field, unsigned mines, struct random *random);
