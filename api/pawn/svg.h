/* A picture of a pawn board: its pieces, the best line as numbered arrows, and the verdict below. */
#pragma once

#include "base/buffer.h"
#include "pawn/position.h"

#include <stddef.h>

/* Append the picture of `root`.
 *
 * `line` has `moves` moves from `root`, by alternating sides. `moves` is 0 (and `line` may be NULL) for a tie, a game
 * that is over, or a picture without a line. The moves of one side over the same step share an arrow that shows all
 * their numbers; squares grow if there are many. Red's arrows are solid, with round badges; Black's are dashed, with
 * square badges. Columns have letters below the board, and rows have numbers from 1 on its left. The description spells
 * out the line, and names squares in the same way, as in "b2 to b3".
 *
 * About 400 bytes per obstacle and at most 500 per move. Takes time proportional to the number of squares, plus the
 * number of moves times that of arrows (fewer than 8 per square). */
void pawn_svg_draw(struct buffer *out, const struct pawn_position *root, struct pawn_verdict verdict,
                   const struct pawn_move *line, size_t moves);
