/* A textbook implementation of Go: flood fill for every move, and an ordered set of whole positions (the C library's
 * tsearch). Positional superko, no suicide. Shares no code with src/go. */
#pragma once

#include "go/game.h"

#include <stddef.h>

/* Play the moves on an empty board. ret_misses[count]; ret_board[size * size] holds enum go_color. Aborts when out of
 * memory. */
void baseline_go_play(unsigned size, const struct go_move *moves, size_t count, uint8_t *ret_misses,
                      uint8_t *ret_board);
