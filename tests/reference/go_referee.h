/* Slow but obvious models of what a referee does at the end of a game of Go: legal points, the score, and unconditional
 * life, which is determined by trying everything, and again by the definition of Benson's algorithm.
 *
 * Boards are characters, row-major: '.', 'B', 'W'. Nothing here shares code with src/go. */
#pragma once

#include "reference/go.h"

#include <stdint.h>

/* Judge all points as the next move of `color`, by playing each in a copy of the game: ret_points[size * size] is the
 * stone, or '.' for a legal move, or the digit of the code. Returns the number of legal moves. */
unsigned reference_go_legal(const struct reference_go *game, char color, char *ret_points);

struct reference_go_count {
    unsigned black, white, neutral;
    unsigned dead_black, dead_white;
};

/* Score a board. `dead` and `seki` have a flag for each point: any stone of a dead chain, any point in seki.
 * ret_marks[size * size]: 'B', 'W', 'b', 'w' or '.'. By territory, prisoners count: those that Black has taken, then
 * those that White has taken. */
struct reference_go_count reference_go_count(unsigned size, const char *board, const bool *dead, const bool *seki,
                                             bool territory, const unsigned prisoners[2], char *ret_marks);

/* Tables of the stones that can be captured while their owner passes, for all positions on a rows x cols board: index
 * by the position as a number in base 3 (the first point has the highest digit; '.', 'B', 'W'), then by owner (0 Black,
 * 1 White). A set bit, counted from the last point, is a stone that is lost. Positions in which a chain has no liberty
 * have UINT32_MAX. rows * cols is at most 10. The caller frees it. */
uint32_t (*reference_go_losses(unsigned rows, unsigned cols, bool suicide))[2];

/* Mark what is unconditionally alive on a rows x cols board: 'B', 'W' stones, 'b', 'w' points of vital regions, '.' the
 * rest. The definition is followed literally, with sets. `strict` requires that every point of a vital region is next
 * to the chain. */
void reference_go_alive(unsigned rows, unsigned cols, const char *board, bool strict, char *ret_marks);
