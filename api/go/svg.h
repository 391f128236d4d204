/* A picture of a Go board: stones, the last one with a ring, misses, and the coordinates of GTP. */
#pragma once

#include "base/buffer.h"
#include "go/game.h"

#include <stddef.h>
#include <stdint.h>

/* A miss. */
struct go_svg_mark {
    uint8_t row, col; /* on the board */
    uint8_t code;     /* 1 to 3: enum go_miss */
};

/* Append the board of `game`. The `count` marks are misses in the order of the game. Of several at one point the last
 * is drawn, and a line below explains the codes that are visible. `last` is the point of the last stone that was
 * played, row * size + col; -1 when there is none or it is not on the board.
 *
 * At most 128 KB. Takes time in proportion to the points and the marks. */
void go_svg_draw(struct buffer *out, const struct go_game *game, const struct go_svg_mark *misses, size_t count,
                 int last);
