/* A picture of a Go board: stones, the last one with a ring, misses, and GTP coordinates; if asked for, also points
 * where a player may not move, territory, and dead stones. */
#pragma once

#include "base/buffer.h"
#include "go/score.h"

#include <stddef.h>
#include <stdint.h>

/* A miss to mark. */
struct go_svg_mark {
    uint8_t row, col; /* on the board */
    uint8_t code;     /* 1 to 3: enum go_miss */
};

/* Optional parts of a picture. */
struct go_svg_extras {
    const uint8_t *legal; /* as go_game_legal writes it, or NULL */
    enum go_color player; /* the player whose legal moves they are */
    const uint8_t
        *marks; /* of a struct go_score, or NULL: a small square shows who owns a point, and dead stones are pale */
};

/* Append a picture of the board of `game`. The `count` marks are misses in the order of the game. If several are at one
 * point, the last is drawn, and a line below the board explains the codes that are visible. `last` is the point of the
 * last stone that was played, as row * size + col, or -1 if there is none or it is no longer on the board.
 *
 * At most 192 KB. Takes time proportional to the number of points and marks. */
void go_svg_draw(struct buffer *out, const struct go_game *game, const struct go_svg_mark *misses, size_t count,
                 int last, const struct go_svg_extras *extras);
