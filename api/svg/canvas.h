/* Pictures of answers, as SVG that can stand in an article.
 *
 * What holds for all of them: one well-formed <svg> element in ASCII, with a title and a description in words, colours
 * for light and dark pages, and shapes that tell things apart without colour. Nothing is fetched, nothing runs, and no
 * byte of the caller's text gets in; there are no ids, and every class begins with "arbiter-", so that pictures can
 * stand inside one page. The same arguments give the same bytes. All numbers are whole: no locale has a say.
 *
 * A drawing is written to a buffer and has no failure of its own: look at the buffer's state. */
#pragma once

#include "base/buffer.h"
#include "go/game.h"
#include "pawn/position.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The board of `root`, the best line as numbered arrows, the verdict below.
 *
 * `line`: `moves` moves from `root`, the side to move first; 0 (then `line` may be NULL) for a tie, a game that is over
 * or a picture without a line. The moves of one side over the same step share an arrow, which has all their numbers;
 * cells grow where numbers are many. Red's arrows are whole and their numbers stand in round badges, Black's are dashed
 * and theirs stand in square ones. The description tells the line in words, with the coordinates of the API.
 *
 * About 400 bytes an obstacle and at most 500 a move; time: the cells, and the moves times the arrows (under 8 a cell).
 */
void svg_pawn(struct buffer *out, const struct pawn_position *root, struct pawn_verdict verdict,
              const struct pawn_move *line, size_t moves);

/* A miss. */
struct svg_mark {
    uint8_t row, col; /* on the board */
    uint8_t code;     /* 1 to 3: enum go_miss */
};

/* The board with its stones, star points, and the coordinates of GTP; the last stone has a ring. The `count` marks are
 * misses in the order of the game: of several at one point the last is drawn, and a line below says what the codes that
 * are seen mean. `last`: where the last stone that was played stands, row * size + col; -1 when there was none or it is
 * gone.
 *
 * At most 128 KB; time: the points and the marks. */
void svg_go(struct buffer *out, const struct go_game *game, const struct svg_mark *misses, size_t count, int last);

/* A field and what is known about it. */
struct svg_field {
    unsigned rows, cols;     /* at least 1 each; meant for up to 10,000 cells */
    const char *cells;       /* [rows * cols], row-major: '1' to '8', '.' for a blank, '*' for a mine */
    const uint32_t *opening; /* [rows * cols] the number of the opening that a blank is in; else UINT32_MAX */
    const uint32_t *wins;    /* [win_count] cells of winning first clicks, an opening by its first blank */
    size_t win_count;
    bool known;      /* is there a verdict? */
    unsigned nimber; /* when known */
    bool wins_known; /* `wins` are all there are */
};

/* The field turned over: numbers, mines, each opening tinted (eight tints in turn), winning first clicks framed; who
 * wins below.
 *
 * About 35 bytes a number, 65 a mine, 25 a winning click: at most 700 KB for 10,000 cells. */
void svg_mine(struct buffer *out, const struct svg_field *field);

/* What the drawings share, from here on (svg.c). */

/* How a class is painted: CSS declarations for a light page, and those that differ on a dark one (or NULL). */
struct svg_rule {
    const char *name; /* behind "arbiter-" */
    const char *light, *dark;
};

/* Begin a picture of `width` x `height` user units. On screen a unit is a pixel, or less where the picture would be
 * over 800 pixels wide; but never so little that `detail` units have fewer than `detail_pixels` pixels. */
void svg_begin(struct buffer *out, unsigned width, unsigned height, unsigned detail, unsigned detail_pixels);

/* The style, and the page as a background. To be written after title and description, before anything is drawn. Common
 * classes: page, verdict, note (smaller text). */
void svg_style(struct buffer *out, const struct svg_rule *rules, size_t count);

/* A line of text, centered at x. `class` is one of the rules' names. The text is ours: it is not escaped. */
void svg_text(struct buffer *out, const char *class, unsigned x, unsigned y, const char *text);

void svg_end(struct buffer *out);

/* How wide `characters` of running text at `size` may become, in any of the usual fonts. */
unsigned svg_text_width(size_t characters, unsigned size);

/* "s", but for one. */
const char *svg_plural(size_t count);

enum { SVG_VERDICT_SIZE = 20, SVG_NOTE_SIZE = 14 };
