/* A pawn board as a picture: pieces where they stand, the best line as numbered arrows, the verdict below. */
#pragma once

#include "base/buffer.h"
#include "pawn/position.h"

#include <stddef.h>

/* Append the picture of `root`.
 *
 * `line`: `moves` moves from `root`, the side to move first; 0 (then `line` may be NULL) for a tie, a game that is over
 * or a picture without a line. The moves of one side over the same step share an arrow, which has all their numbers;
 * cells grow where numbers are many. Red's arrows are whole and their numbers stand in round badges, Black's are dashed
 * and theirs stand in square ones. The description tells the line in words, with the coordinates of the API.
 *
 * About 400 bytes an obstacle and at most 500 a move; time: the cells, and the moves times the arrows (under 8 a cell).
 */
void pawn_svg_draw(struct buffer *out, const struct pawn_position *root, struct pawn_verdict verdict,
                   const struct pawn_move *line, size_t moves);
