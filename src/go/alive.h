/* Unconditional life: the chains that cannot be captured even if their owner always passes, found by the algorithm of
 * D. B. Benson, "Life in the Game of Go", Information Sciences 10, 1976.
 *
 * For one colour, a region is a connected set of points without stones of that colour. It is vital to a chain if each
 * of its empty points is a liberty of the chain. Starting with all chains and regions of the colour, remove the chains
 * to which fewer than two regions are vital, then the regions next to a chain that was removed, and so on until nothing
 * changes. Exactly the chains that are left are unconditionally alive.
 *
 * The theorem assumes that suicide is forbidden. If it is allowed, the opponent can also empty a point by taking stones
 * of his own off, so a region is vital only if each of its points, with or without a stone, is next to the chain. */
#pragma once

#include "go/score.h"

/* Write what is unconditionally alive to ret_marks[size * size], enum go_mark (score.h), row-major: the stones of alive
 * chains, and all points, with or without an opposing stone, of the regions that are vital to them. Every chain must
 * have a liberty. `suicide` tells whether it is allowed. Cannot fail. Takes about 13 ns per point; where chains are
 * removed one after another, the vital regions are looked at again for each. */
void go_game_alive(const struct go_game *game, bool suicide, uint8_t *ret_marks);
