/* Makes random games of Go: for `arbiter make`, and for benches. */
#pragma once

#include "api/game/maker.h"
#include "base/work.h"
#include "go/rules.h"

#include <stddef.h>

extern const struct game_maker go_maker;

/* The points that moves are played on. */
enum go_make_points {
    GO_MAKE_ANY,    /* any point: after a while, many are occupied */
    GO_MAKE_EMPTY,  /* empty points: dense boards, many captures, and on small boards kos and long cycles */
    GO_MAKE_MOSTLY, /* empty points, but any point for one move in 16 */
    GO_MAKE_LEGAL,  /* points where the move is legal: positional superko, no suicide */
};

/* Make `count` moves on a board of this size, Black's first, in ret_moves[count]. With GO_MAKE_LEGAL, the game ends
 * where a player has no legal move. *ret_count is the number of moves. Other outcomes than OUTCOME_DONE are failures.
 */
enum outcome go_make_moves(unsigned size, enum go_make_points points, size_t count, struct random *random,
                           struct arena *arena, struct go_move *ret_moves, size_t *ret_count);
