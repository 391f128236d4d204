/* A Minesweeper field as a picture: turned over, or as the players see it, with its openings tinted and the winning
 * clicks framed. */
#pragma once

#include "base/buffer.h"
#include "mine/solve.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A field and what is known about it. */
struct mine_svg_picture {
    unsigned rows, cols;     /* at least 1 each; meant for up to 10,000 cells */
    const char *cells;       /* [rows * cols], row-major: '1' to '8', '.' a blank, '*' a mine, '#' face down */
    const uint32_t *opening; /* [rows * cols] the number of the opening that a blank is in; else UINT32_MAX */
    const uint32_t *wins;    /* [win_count] cells of winning clicks, an opening by its first blank */
    size_t win_count;
    const struct mine_verdict *verdict;
    bool wins_known; /* `wins` are all there are */
    bool is_played;  /* as the players see it, ... */
    size_t clicks;   /* ... after so many */
    uint32_t last;   /* the cell of the last one, if there is one */
};

/* Append the field: numbers, mines, each opening tinted (eight tints in turn), winning clicks framed, face-down cells
 * as tiles, a ring around the last click; who wins below.
 *
 * About 35 bytes a number, 65 a mine, 25 a winning click: at most 700 KB for 10,000 cells. */
void mine_svg_draw(struct buffer *out, const struct mine_svg_picture *picture);
