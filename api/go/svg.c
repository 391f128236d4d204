/* Draws a Go board.
 *
 *        A B C D E        columns (I is left out), above and below
 *      5 + + + + + 5      rows from the bottom, left and right
 *      4 + @ O + + 4
 *        ...
 *        Misses: 1 occupied, 3 repetition */
#include "api/go/svg.h"

#include "api/go/case.h"
#include "api/svg/canvas.h"
#include "base/ascii.h"

#include <stdio.h>
#include <string.h>

/* In user units. CELL: the distance between lines. EDGE: from the outermost line to the edge of the wood. LABELS: the
 * width of the coordinates. */
enum { CELL = 32, EDGE = 22, LABELS = 26 };

static const struct svg_rule rules[] = {
    {"go-wood", "fill:#ecd2a0;stroke:#b08d52", "fill:#a98450;stroke:#6f552f"},
    {"go-lines", "fill:none;stroke:#5b4522;stroke-linecap:square", "stroke:#33240d"},
    {"go-stars", "fill:#5b4522", "fill:#33240d"},
    {"go-labels", "font-size:14px;text-anchor:middle;fill:#59636e", "fill:#a3adb8"},
    {"go-black", "fill:#1c1c1f;stroke:#000000", NULL},
    {"go-white", "fill:#fdfdfb;stroke:#55504a", "fill:#f1efea;stroke:#3a352c"},
    {"go-last", "fill:none;stroke-width:3", NULL},
    {"go-on-black", "stroke:#ffffff", NULL},
    {"go-on-white", "stroke:#1c1c1f", NULL},
    {"go-miss", "font-size:14px;font-weight:700;text-anchor:middle;fill:#c02418;stroke:#ffffff;stroke-width:2", NULL},
    {"go-code", "fill:#ffffff;stroke:none", NULL},
    {"go-dead", "opacity:0.5", NULL},
    {"go-owned", "stroke-width:1", NULL},
    {"go-barred", "font-size:14px;font-weight:700;text-anchor:middle;fill:#7a2413", "fill:#4a1008"},
    {"go-wood-point", "fill:#ecd2a0", "fill:#a98450"},
};

enum { EXTRA_RULES = 4 /* the last ones */ };

enum { CODES_BYTES = 64 };

/* The state of drawing, in user units. */
struct drawing {
    struct buffer *out;
    const struct go_game *game;
    unsigned size;
    unsigned left, top; /* the top left point */
    struct go_svg_extras extras;
    uint8_t stone[GO_POINTS];       /* enum go_color, + 2 if it is dead */
    uint8_t miss[GO_POINTS];        /* the code of the last miss at each point; 0: none */
    uint8_t barred[GO_POINTS];      /* the code of each point where the player may not move; 0: none */
    char misses[CODES_BYTES];       /* the codes in `miss`, with their meanings ... */
    char barred_codes[CODES_BYTES]; /* ... and those in `barred` */
};

static unsigned x_of(const struct drawing *d, unsigned col) { return d->left + col * CELL; }
static unsigned y_of(const struct drawing *d, unsigned row) { return d->top + row * CELL; }

static void put_lines(const struct drawing *d) {
    unsigned length = (d->size - 1) * CELL;
    buffer_printf(d->out, "<rect class=\"arbiter-go-wood\" x=\"%u\" y=\"%u\" width=\"%u\" height=\"%u\" rx=\"4\"/>\n",
                  d->left - EDGE, d->top - EDGE, length + 2 * EDGE, length + 2 * EDGE);
    buffer_put_literal(d->out, "<path class=\"arbiter-go-lines\" d=\"");
    if (d->size == 1) /* a single point has no lines */
        buffer_printf(d->out, "M%u %uh12M%u %uv12", d->left - 6, d->top, d->left, d->top - 6);
    for (unsigned i = 0; i < d->size && d->size > 1; i++)
        buffer_printf(d->out, "M%u %uh%uM%u %uv%u", d->left, y_of(d, i), length, x_of(d, i), d->top, length);
    buffer_put_literal(d->out, "\"/>\n");
}

static void put_star(const struct drawing *d, unsigned row, unsigned col) {
    buffer_printf(d->out, "<circle cx=\"%u\" cy=\"%u\" r=\"4\"/>", x_of(d, col), y_of(d, row));
}

/* The customary star points: none below size 7; in the corners, on the third line up to size 12 and on the fourth above
 * that; in the centre of odd sizes; on the sides from size 15 on. */
static void put_stars(const struct drawing *d) {
    if (d->size < 7)
        return;
    unsigned near = d->size <= 12 ? 2 : 3, middle = d->size / 2, far = d->size - 1 - near;
    buffer_put_literal(d->out, "<g class=\"arbiter-go-stars\">");
    for (unsigned i = 0; i < 4; i++)
        put_star(d, i / 2 == 0 ? near : far, i % 2 == 0 ? near : far);
    if (d->size % 2 == 1 && d->size >= 9)
        put_star(d, middle, middle);
    if (d->size % 2 == 1 && d->size >= 15) {
        put_star(d, near, middle);
        put_star(d, middle, near);
        put_star(d, middle, far);
        put_star(d, far, middle);
    }
    buffer_put_literal(d->out, "</g>\n");
}

static void put_labels(const struct drawing *d) {
    unsigned last = (d->size - 1) * CELL;
    buffer_put_literal(d->out, "<g class=\"arbiter-go-labels\">\n");
    for (unsigned i = 0; i < d->size; i++) {
        char letter = go_column_letter(i);
        buffer_printf(d->out, "<text x=\"%u\" y=\"%u\">%c</text><text x=\"%u\" y=\"%u\">%c</text>\n", x_of(d, i),
                      d->top - EDGE - 8, letter, x_of(d, i), d->top + last + EDGE + 19, letter);
        buffer_printf(d->out, "<text x=\"%u\" y=\"%u\">%u</text><text x=\"%u\" y=\"%u\">%u</text>\n",
                      d->left - EDGE - 14, y_of(d, i) + 5, d->size - i, d->left + last + EDGE + 14, y_of(d, i) + 5,
                      d->size - i);
    }
    buffer_put_literal(d->out, "</g>\n");
}

/* Count the points with this value. */
static unsigned count_points(const struct drawing *d, const uint8_t *values, unsigned value) {
    unsigned count = 0;
    for (unsigned at = 0; at < d->size * d->size; at++)
        count += values[at] == value;
    return count;
}

/* Draw these stones: GO_BLACK, GO_WHITE, or the dead ones. */
static void put_stones(const struct drawing *d, unsigned stone) {
    if (count_points(d, d->stone, stone) == 0)
        return;
    buffer_printf(d->out, "<g class=\"arbiter-go-%s%s\">\n", stone % 2 == GO_BLACK ? "black" : "white",
                  stone > GO_WHITE ? " arbiter-go-dead" : "");
    for (unsigned at = 0; at < d->size * d->size; at++)
        if (d->stone[at] == stone)
            buffer_printf(d->out, "<circle cx=\"%u\" cy=\"%u\" r=\"15\"/>\n", x_of(d, at % d->size),
                          y_of(d, at / d->size));
    buffer_put_literal(d->out, "</g>\n");
}

static void put_last(const struct drawing *d, unsigned row, unsigned col) {
    buffer_printf(d->out, "<circle class=\"arbiter-go-last arbiter-go-on-%s\" cx=\"%u\" cy=\"%u\" r=\"8\"/>\n",
                  go_game_at(d->game, row, col) == GO_BLACK ? "black" : "white", x_of(d, col), y_of(d, row));
}

/* Draw a small square on each point that counts for a colour. */
static void put_owners(const struct drawing *d) {
    if (d->extras.marks == NULL)
        return;
    buffer_put_literal(d->out, "<g class=\"arbiter-go-owned\">\n");
    for (unsigned at = 0; at < d->size * d->size; at++) {
        enum go_mark mark = d->extras.marks[at];
        if (mark == GO_MARK_BLACK_POINT || mark == GO_MARK_WHITE_POINT)
            buffer_printf(d->out, "<rect class=\"arbiter-go-%s\" x=\"%u\" y=\"%u\" width=\"10\" height=\"10\"/>\n",
                          mark == GO_MARK_BLACK_POINT ? "black" : "white", x_of(d, at % d->size) - 5,
                          y_of(d, at / d->size) - 5);
    }
    buffer_put_literal(d->out, "</g>\n");
}

/* Write the code on each point where the player may not move, unless there is a badge. */
static void put_barred(const struct drawing *d) {
    if (d->extras.legal == NULL)
        return;
    buffer_put_literal(d->out, "<g class=\"arbiter-go-barred\">\n");
    for (unsigned at = 0; at < d->size * d->size; at++) {
        unsigned x = x_of(d, at % d->size), y = y_of(d, at / d->size);
        if (d->barred[at] != 0 && d->miss[at] == 0)
            buffer_printf(d->out,
                          "<circle class=\"arbiter-go-wood-point\" cx=\"%u\" cy=\"%u\" r=\"9\"/>"
                          "<text x=\"%u\" y=\"%u\">%u</text>\n",
                          x, y, x, y + 5, d->barred[at]);
    }
    buffer_put_literal(d->out, "</g>\n");
}

/* Draw a red badge with the code at each point. On an empty point, the badge covers the point. On a stone, it is at the
 * upper right, so that the stone stays visible. */
static void put_misses(const struct drawing *d) {
    if (*d->misses == 0)
        return;
    buffer_put_literal(d->out, "<g class=\"arbiter-go-miss\">\n");
    for (unsigned at = 0; at < d->size * d->size; at++) {
        unsigned shift = d->stone[at] == GO_EMPTY ? 0 : 9;
        unsigned x = x_of(d, at % d->size) + shift, y = y_of(d, at / d->size) - shift;
        if (d->miss[at] != 0)
            buffer_printf(d->out,
                          "<rect x=\"%u\" y=\"%u\" width=\"18\" height=\"18\" rx=\"4\"/>"
                          "<text class=\"arbiter-go-code\" x=\"%u\" y=\"%u\">%u</text>\n",
                          x - 9, y - 9, x, y + 5, d->miss[at]);
    }
    buffer_put_literal(d->out, "</g>\n");
}

/* Write which codes there are, with their meanings: "1 occupied, 3 repetition". */
static void list_codes(const struct drawing *d, const uint8_t *codes, char ret_text[CODES_BYTES]) {
    size_t used = 0;
    for (unsigned code = GO_MISS_OCCUPIED; code <= GO_MISS_REPETITION; code++)
        if (count_points(d, codes, code) != 0)
            used += (size_t)snprintf(ret_text + used, CODES_BYTES - used, "%s%u %s", used != 0 ? ", " : "", code,
                                     go_miss_words[code]);
}

/* Determine what is at each point. */
static void note_points(struct drawing *d, const struct go_svg_mark *misses, size_t count) {
    for (unsigned at = 0; at < d->size * d->size; at++) {
        unsigned stone = go_game_at(d->game, at / d->size, at % d->size);
        bool dead = stone != GO_EMPTY && d->extras.marks != NULL && d->extras.marks[at] != stone;
        d->stone[at] = (uint8_t)(dead ? stone + 2 : stone);
        if (d->extras.legal != NULL && d->extras.legal[at] >= GO_LEGALITY_SUICIDE)
            d->barred[at] = d->extras.legal[at] == GO_LEGALITY_SUICIDE ? GO_MISS_SUICIDE : GO_MISS_REPETITION;
    }
    for (size_t m = 0; m < count; m++)
        d->miss[misses[m].row * d->size + misses[m].col] = misses[m].code;
    list_codes(d, d->miss, d->misses);
    list_codes(d, d->barred, d->barred_codes);
}

static const char *player_of(const struct drawing *d) { return d->extras.player == GO_BLACK ? "Black" : "White"; }

static void put_extra_words(const struct drawing *d) {
    if (d->extras.legal != NULL) {
        unsigned legal = count_points(d, d->extras.legal, GO_EMPTY);
        buffer_printf(d->out, " %s has %u legal move%s.", player_of(d), legal, ascii_plural(legal));
    }
    if (d->extras.marks == NULL)
        return;
    unsigned dead = count_points(d, d->stone, GO_BLACK + 2) + count_points(d, d->stone, GO_WHITE + 2);
    buffer_printf(d->out, " Squares mark %u points that count for Black and %u for White; %u pale stone%s dead.",
                  count_points(d, d->extras.marks, GO_MARK_BLACK_POINT),
                  count_points(d, d->extras.marks, GO_MARK_WHITE_POINT), dead, dead == 1 ? " is" : "s are");
}

static void put_words(const struct drawing *d, size_t misses, int last) {
    unsigned black = count_points(d, d->stone, GO_BLACK) + count_points(d, d->stone, GO_BLACK + 2);
    unsigned white = count_points(d, d->stone, GO_WHITE) + count_points(d, d->stone, GO_WHITE + 2);
    buffer_printf(d->out, "<title>Go: a %u by %u board</title>\n", d->size, d->size);
    buffer_printf(d->out, "<desc>%u black stone%s and %u white stone%s.", black, ascii_plural(black), white,
                  ascii_plural(white));
    if (last >= 0) {
        unsigned row = (unsigned)last / d->size, col = (unsigned)last % d->size;
        buffer_printf(d->out, " The last stone, marked with a ring, is at %c%u.", go_column_letter(col), d->size - row);
    }
    if (misses != 0)
        buffer_printf(d->out, " %zu illegal move%s; each point shows the code of the last illegal move there: %s.",
                      misses, ascii_plural(misses), d->misses);
    put_extra_words(d);
    buffer_put_literal(d->out, "</desc>\n");
}

void go_svg_draw(struct buffer *out, const struct go_game *game, const struct go_svg_mark *misses, size_t count,
                 int last, const struct go_svg_extras *extras) {
    struct drawing d = {.out = out, .game = game, .size = go_game_size(game), .extras = *extras};
    bool has_extras = extras->legal != NULL || extras->marks != NULL;
    char text[2][CODES_BYTES + 24];
    unsigned lines = 0;
    note_points(&d, misses, count);
    if (count != 0)
        snprintf(text[lines++], sizeof *text, "Illegal moves: %s", d.misses);
    if (*d.barred_codes != 0)
        snprintf(text[lines++], sizeof *text, "%s can't move: %s", player_of(&d), d.barred_codes);

    unsigned board = (d.size - 1) * CELL + 2 * (EDGE + LABELS), width = board;
    for (unsigned line = 0; line < lines; line++) {
        unsigned needed = svg_text_width(strlen(text[line]), SVG_NOTE_SIZE) + 16;
        width = width < needed ? needed : width;
    }
    d.left = (width - board) / 2 + EDGE + LABELS;
    d.top = EDGE + LABELS;

    svg_begin(out, width, board + (lines != 0 ? 6 + 20 * lines : 0), CELL, 12);
    put_words(&d, count, last);
    svg_style(out, rules, sizeof rules / sizeof *rules - (has_extras ? 0 : EXTRA_RULES));
    put_lines(&d);
    put_stars(&d);
    put_labels(&d);
    for (unsigned stone = GO_BLACK; stone <= GO_WHITE + 2; stone++)
        put_stones(&d, stone);
    put_owners(&d);
    if (last >= 0)
        put_last(&d, (unsigned)last / d.size, (unsigned)last % d.size);
    put_barred(&d);
    put_misses(&d);
    for (unsigned line = 0; line < lines; line++)
        svg_text(out, "note", width / 2, board + 12 + 20 * line, text[line]);
    svg_end(out);
}
