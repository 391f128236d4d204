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

/* The column letters in GTP. */
static const char columns[] = "ABCDEFGHJKLMNOPQRSTUVWXYZ";

enum { CODES = GO_MISS_REPETITION + 1 };

/* The state of drawing, in user units. */
struct drawing {
    struct buffer *out;
    const struct go_game *game;
    unsigned size;
    unsigned left, top;                     /* the top left point */
    uint8_t code[GO_MAX_SIZE][GO_MAX_SIZE]; /* the code of the last miss at each point; 0: none */
    char codes[64];                         /* the codes that are drawn, with their meanings */
    struct go_svg_extras extras;
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
        char letter = columns[i];
        buffer_printf(d->out, "<text x=\"%u\" y=\"%u\">%c</text><text x=\"%u\" y=\"%u\">%c</text>\n", x_of(d, i),
                      d->top - EDGE - 8, letter, x_of(d, i), d->top + last + EDGE + 19, letter);
        buffer_printf(d->out, "<text x=\"%u\" y=\"%u\">%u</text><text x=\"%u\" y=\"%u\">%u</text>\n",
                      d->left - EDGE - 14, y_of(d, i) + 5, d->size - i, d->left + last + EDGE + 14, y_of(d, i) + 5,
                      d->size - i);
    }
    buffer_put_literal(d->out, "</g>\n");
}

/* Is there a dead stone on this point? */
static bool is_dead(const struct drawing *d, unsigned row, unsigned col) {
    return d->extras.marks != NULL && go_game_at(d->game, row, col) != GO_EMPTY &&
           d->extras.marks[row * d->size + col] != (uint8_t)go_game_at(d->game, row, col);
}

/* Count the living or the dead stones of one colour. */
static unsigned count_stones(const struct drawing *d, enum go_color color, bool dead) {
    unsigned stones = 0;
    for (unsigned row = 0; row < d->size; row++)
        for (unsigned col = 0; col < d->size; col++)
            stones += go_game_at(d->game, row, col) == color && is_dead(d, row, col) == dead;
    return stones;
}

/* Draw these stones. */
static void put_stones(const struct drawing *d, enum go_color color, bool dead) {
    if (count_stones(d, color, dead) == 0)
        return;
    buffer_printf(d->out, "<g class=\"arbiter-go-%s%s\">\n", color == GO_BLACK ? "black" : "white",
                  dead ? " arbiter-go-dead" : "");
    for (unsigned row = 0; row < d->size; row++)
        for (unsigned col = 0; col < d->size; col++)
            if (go_game_at(d->game, row, col) == color && is_dead(d, row, col) == dead)
                buffer_printf(d->out, "<circle cx=\"%u\" cy=\"%u\" r=\"15\"/>\n", x_of(d, col), y_of(d, row));
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
        unsigned row = at / d->size, col = at % d->size;
        if (d->extras.legal[at] < GO_LEGALITY_SUICIDE || d->code[row][col] != 0)
            continue;
        buffer_printf(
            d->out,
            "<circle class=\"arbiter-go-wood-point\" cx=\"%u\" cy=\"%u\" r=\"9\"/><text x=\"%u\" y=\"%u\">%c</text>\n",
            x_of(d, col), y_of(d, row), x_of(d, col), y_of(d, row) + 5,
            d->extras.legal[at] == GO_LEGALITY_SUICIDE ? '2' : '3');
    }
    buffer_put_literal(d->out, "</g>\n");
}

/* Draw a red badge with the code at each point. On an empty point, the badge covers the point. On a stone, it is at the
 * upper right, so that the stone stays visible. */
static void put_misses(const struct drawing *d) {
    if (*d->codes == 0)
        return;
    buffer_put_literal(d->out, "<g class=\"arbiter-go-miss\">\n");
    for (unsigned row = 0; row < d->size; row++)
        for (unsigned col = 0; col < d->size; col++)
            if (d->code[row][col] != 0) {
                unsigned shift = go_game_at(d->game, row, col) == GO_EMPTY ? 0 : 9;
                unsigned x = x_of(d, col) + shift, y = y_of(d, row) - shift;
                buffer_printf(d->out,
                              "<rect x=\"%u\" y=\"%u\" width=\"18\" height=\"18\" rx=\"4\"/>"
                              "<text class=\"arbiter-go-code\" x=\"%u\" y=\"%u\">%u</text>\n",
                              x - 9, y - 9, x, y + 5, d->code[row][col]);
            }
    buffer_put_literal(d->out, "</g>\n");
}

/* Determine the last code at each point, and write the legend of the codes that are drawn: "1 occupied, 3
 * repetition". */
static void note_misses(struct drawing *d, const struct go_svg_mark *misses, size_t count) {
    bool seen[CODES] = {false};
    size_t used = 0;
    for (size_t m = 0; m < count; m++)
        d->code[misses[m].row][misses[m].col] = misses[m].code;
    for (unsigned row = 0; row < d->size; row++)
        for (unsigned col = 0; col < d->size; col++)
            seen[d->code[row][col]] = true;
    for (unsigned code = 1; code < CODES; code++)
        if (seen[code])
            used += (size_t)snprintf(d->codes + used, sizeof d->codes - used, "%s%u %s", used != 0 ? ", " : "", code,
                                     go_miss_words[code]);
}

static unsigned count_extra(const struct drawing *d, const uint8_t *extra, uint8_t value) {
    unsigned count = 0;
    for (unsigned at = 0; at < d->size * d->size; at++)
        count += extra[at] == value;
    return count;
}

static const char *player_of(const struct drawing *d) { return d->extras.player == GO_BLACK ? "Black" : "White"; }

/* Write the line that explains the codes of points where the player may not move. Returns false if there are none. */
static bool explain_barred(const struct drawing *d, char ret_text[80]) {
    if (d->extras.legal == NULL)
        return false;
    bool suicide = count_extra(d, d->extras.legal, GO_LEGALITY_SUICIDE) != 0;
    bool repetition = count_extra(d, d->extras.legal, GO_LEGALITY_REPETITION) != 0;
    snprintf(ret_text, 80, "%s can't move: %s%s%s", player_of(d), suicide ? "2 suicide" : "",
             suicide && repetition ? ", " : "", repetition ? "3 repetition" : "");
    return suicide || repetition;
}

static void put_extra_words(const struct drawing *d) {
    unsigned dead = 0, legal = d->extras.legal != NULL ? count_extra(d, d->extras.legal, GO_EMPTY) : 0;
    if (d->extras.legal != NULL)
        buffer_printf(d->out, " %s has %u legal move%s.", player_of(d), legal, ascii_plural(legal));
    if (d->extras.marks == NULL)
        return;
    dead = count_stones(d, GO_BLACK, true) + count_stones(d, GO_WHITE, true);
    buffer_printf(d->out, " Squares mark %u points that count for Black and %u for White; %u pale stone%s dead.",
                  count_extra(d, d->extras.marks, GO_MARK_BLACK_POINT),
                  count_extra(d, d->extras.marks, GO_MARK_WHITE_POINT), dead, dead == 1 ? " is" : "s are");
}

static void put_words(const struct drawing *d, size_t misses, int last) {
    unsigned black = count_stones(d, GO_BLACK, false) + count_stones(d, GO_BLACK, true);
    unsigned white = count_stones(d, GO_WHITE, false) + count_stones(d, GO_WHITE, true);
    buffer_printf(d->out, "<title>Go: a %u by %u board</title>\n", d->size, d->size);
    buffer_printf(d->out, "<desc>%u black stone%s and %u white stone%s.", black, ascii_plural(black), white,
                  ascii_plural(white));
    if (last >= 0) {
        unsigned row = (unsigned)last / d->size, col = (unsigned)last % d->size;
        buffer_printf(d->out, " The last stone, marked with a ring, is at %c%u.", columns[col], d->size - row);
    }
    if (misses != 0)
        buffer_printf(d->out, " %zu illegal move%s; each point shows the code of the last illegal move there: %s.",
                      misses, ascii_plural(misses), d->codes);
    put_extra_words(d);
    buffer_put_literal(d->out, "</desc>\n");
}

void go_svg_draw(struct buffer *out, const struct go_game *game, const struct go_svg_mark *misses, size_t count,
                 int last, const struct go_svg_extras *extras) {
    struct drawing d = {.out = out, .game = game, .size = go_game_size(game)};
    char legend[80], barred[80];
    if (extras != NULL)
        d.extras = *extras;
    note_misses(&d, misses, count);
    snprintf(legend, sizeof legend, "Illegal moves: %s", d.codes);
    bool has_barred = explain_barred(&d, barred);

    unsigned board = (d.size - 1) * CELL + 2 * (EDGE + LABELS), width = board;
    size_t text = count != 0 ? strlen(legend) : 0;
    text = has_barred && strlen(barred) > text ? strlen(barred) : text;
    unsigned needed = text != 0 ? svg_text_width(text, SVG_NOTE_SIZE) + 16 : 0;
    if (width < needed)
        width = needed;
    d.left = (width - board) / 2 + EDGE + LABELS;
    d.top = EDGE + LABELS;

    unsigned lines = (unsigned)(count != 0) + (unsigned)has_barred;
    svg_begin(out, width, board + (lines != 0 ? 26 : 0) + (lines == 2 ? 20 : 0), CELL, 12);
    put_words(&d, count, last);
    svg_style(out, rules, sizeof rules / sizeof *rules - (extras != NULL ? 0 : EXTRA_RULES));
    put_lines(&d);
    put_stars(&d);
    put_labels(&d);
    for (unsigned dead = 0; dead < 2; dead++) {
        put_stones(&d, GO_BLACK, dead != 0);
        put_stones(&d, GO_WHITE, dead != 0);
    }
    put_owners(&d);
    if (last >= 0)
        put_last(&d, (unsigned)last / d.size, (unsigned)last % d.size);
    put_barred(&d);
    put_misses(&d);
    if (count != 0)
        svg_text(out, "note", width / 2, board + 12, legend);
    if (has_barred)
        svg_text(out, "note", width / 2, board + (lines == 2 ? 32 : 12), barred);
    svg_end(out);
}
