/* A picture of a pawn board: its pieces, the best line as numbered arrows, and the verdict below. */
#pragma once

#include "base/buffer.h"
#include "pawn/position.h"

#include <stddef.h>

/* Append the picture of `root`.
 *
 * `line` has `moves` moves from `root`, in turns. `moves` is 0 (and `line` may be NULL) for a tie, a game that is over,
 * or a picture without a line. The moves of one side over the same step share an arrow, which shows all their numbers;
 * cells grow if there are many. Red's arrows are solid, with round badges; Black's are dashed, with square badges.
 * Columns have letters below the board, rows have numbers from 1 on its left; the description has the line in words and
 * names cells in the same way: "b2 to b3".
 *
 * About 400 bytes for an obstacle and at most 500 for a move. Takes time in proportion to the cells, and to the moves
 * times the arrows (fewer than 8 a cell). */
void pawn_svg_draw(struct buffer *out, const struct pawn_position *root, struct pawn_verdict verdict,
                   const struct pawn_move *line, size_t moves);
