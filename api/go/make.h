/* Makes random games of Go: for `arbiter make`, and for benches. */
#pragma once

#include "api/game/maker.h"
#include "go/rules.h"

#include <stddef.h>

extern const struct game_maker go_maker;

/* Make `count` moves on a board of this size, Black's first, in ret_moves[count]. If they must be legal (positional
 * superko, no suicide), the game ends where a player has no legal move. If not, most are on empty points, and one in 16
 * is on any point. *ret_count is the number of moves. */
enum outcome go_make_moves(unsigned size, bool legal, size_t count, struct random *random, struct arena *arena,
                           struct go_move *ret_moves, size_t *ret_count);
