/* A picture of a Minesweeper field, fully revealed or as the players see it. Openings are tinted, and winning clicks
 * are framed. */
#pragma once

#include "base/buffer.h"
#include "mine/solve.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A field, and the facts to draw. */
struct mine_svg_picture {
    unsigned rows, cols;     /* at least 1 each; meant for up to 10,000 cells */
    const char *cells;       /* [rows * cols], row-major: '1' to '8' a number, '.' a blank, '*' a mine, '#' face down */
    const uint32_t *opening; /* [rows * cols] the number of the opening that a blank is in; otherwise UINT32_MAX */
    struct mine_clicks wins; /* complete */
    const struct mine_verdict *verdict;
    bool is_played; /* draw it as the players see it ... */
    size_t clicks;  /* ... after this number of clicks */
    uint32_t last;  /* the cell of the last click, if there is any */
};

/* Append the field: numbers, mines, tinted openings (cycling through eight tints), framed winning clicks, face-down
 * cells as tiles, a ring around the last click, row and column numbers, counted from 1 (only some if there are many),
 * and the winner below.
 *
 * About 35 bytes per number, 65 per mine and 25 per winning click: at most 700 KB for 10,000 cells. */
void mine_svg_draw(struct buffer *out, const struct mine_svg_picture *picture);
