/* A Go board as a picture: stones, the last one with a ring, the refused moves, the coordinates of GTP. */
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

/* Append the board that `game` has reached. The `count` marks are misses in the order of the game: of several at one
 * point the last is drawn, and a line below says what the codes that are seen mean. `last`: where the last stone that
 * was played stands, row * size + col; -1 when there was none or it is gone.
 *
 * At most 128 KB; time: the points and the marks. */
void go_svg_draw(struct buffer *out, const struct go_game *game, const struct go_svg_mark *misses, size_t count,
                 int last);
