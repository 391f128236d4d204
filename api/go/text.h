/* The contest format of Go: `T`, then T times `n` and n lines `B x y` or `W x y` on a 19 x 19 board, row before column,
 * counted from 1. Printed for each case: the misses as "miss 1" to "miss 3" in order, then the rows of the board. */
#pragma once

#include "api/text/reader.h"
#include "base/buffer.h"
#include "go/game.h"

/* Read one case; see struct game. */
bool go_text_read_case(struct text_reader *reader, void *ret_case);

/* Append the line for a miss. */
static inline void go_text_print_miss(struct buffer *out, enum go_miss miss) {
    static const char lines[][8] = {
        [GO_MISS_OCCUPIED] = "miss 1\n", [GO_MISS_SUICIDE] = "miss 2\n", [GO_MISS_REPETITION] = "miss 3\n"};
    buffer_put(out, lines[miss], 7);
}

/* Append the rows of the board. */
void go_text_print_board(struct buffer *out, const struct go_game *game);
