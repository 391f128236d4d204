/* Draws a Minesweeper field.
 *
 * A picture of ten thousand cells must stay small. Blanks are drawn as runs, in one path per tint; mines as one path of
 * points with round caps and one of crosses; winning clicks as one path of frames, and face-down cells as one of tiles.
 * Only numbers are separate elements, because renderers disagree on more compact forms. */
#include "api/mine/svg.h"

#include "api/mine/case.h"
#include "api/svg/canvas.h"
#include "base/ascii.h"

#include <stdio.h>

enum { CELL = 20, MARGIN = 14, TINTS = 8, DIGITS = 8, RULES_OF_PLAY = 2 };

/*
 * Rows and columns are numbered: each of them up to FEW, every fifth up to MANY, otherwise every tenth. A field with
 * more than MANY columns is scaled down on screen, so its numbers are larger and only every tenth row has one.
 */
enum { FEW = 20, MANY = 50, LABEL = 12, LARGE_LABEL = 24, LABEL_GAP = 5 };

static const struct svg_rule rules[] = {
    {"mine-field", "fill:#f4f5f7;font-size:14px;font-weight:600;text-anchor:middle", "fill:#262b32"},
    {"mine-labels", "text-anchor:middle;fill:#59636e", "fill:#a3adb8"},
    {"mine-rows", "text-anchor:end", NULL},
    {"mine-grid", "fill:none;stroke:#c3c9d0", "stroke:#424a54"},
    {"mine-disc", "fill:none;stroke:#23272d;stroke-width:10;stroke-linecap:round", "stroke:#eef1f4"},
    {"mine-spike", "fill:none;stroke:#23272d;stroke-width:2;stroke-linecap:round", "stroke:#eef1f4"},
    {"mine-win", "fill:none;stroke:#c11fa8;stroke-width:3", "stroke:#ff7be6"},
    {"mine-tint0", "fill:#bfe3c6", "fill:#1f5a34"},
    {"mine-tint1", "fill:#bcdcf5", "fill:#1c4b77"},
    {"mine-tint2", "fill:#fbe2a6", "fill:#665010"},
    {"mine-tint3", "fill:#e2cdf4", "fill:#563478"},
    {"mine-tint4", "fill:#f8cdb8", "fill:#74391f"},
    {"mine-tint5", "fill:#b5e6e2", "fill:#135a58"},
    {"mine-tint6", "fill:#f6c6d6", "fill:#712c49"},
    {"mine-tint7", "fill:#dde5a8", "fill:#4d561a"},
    {"mine-digit1", "fill:#1a56c9", "fill:#83b4ff"},
    {"mine-digit2", "fill:#17702f", "fill:#6fd388"},
    {"mine-digit3", "fill:#c62323", "fill:#ff8f87"},
    {"mine-digit4", "fill:#5a2a9c", "fill:#c7a3ff"},
    {"mine-digit5", "fill:#8c4a00", "fill:#ffb463"},
    {"mine-digit6", "fill:#00686f", "fill:#5fd7de"},
    {"mine-digit7", "fill:#1b1f24", "fill:#ffffff"},
    {"mine-digit8", "fill:#5b636d", "fill:#b9c1ca"},
    /* The last RULES_OF_PLAY rules, for a field with clicks. */
    {"mine-down", "fill:#a9b2bd;stroke:#a9b2bd;stroke-width:2;stroke-linejoin:round", "fill:#5d6772;stroke:#5d6772"},
    {"mine-last", "fill:none;stroke:#1b1f24;stroke-width:2", "stroke:#ffffff"},
};

/* The state of drawing, in user units. */
struct drawing {
    struct buffer *out;
    const struct mine_svg_picture *picture;
    unsigned left, top; /* the upper left corner of the field */
};

static unsigned x_of(const struct drawing *d, unsigned col) { return d->left + col * CELL; }
static unsigned y_of(const struct drawing *d, unsigned row) { return d->top + row * CELL; }

static char cell_at(const struct mine_svg_picture *picture, unsigned row, unsigned col) {
    return picture->cells[(size_t)row * picture->cols + col];
}

/* Get the tint of a cell, or TINTS if it has none. */
static unsigned tint_of(const struct mine_svg_picture *picture, unsigned row, unsigned col) {
    uint32_t opening = picture->opening[(size_t)row * picture->cols + col];
    return opening == UINT32_MAX ? TINTS : opening % TINTS;
}

static void put_tint(const struct drawing *d, unsigned tint) {
    const struct mine_svg_picture *picture = d->picture;
    bool open = false;
    for (unsigned row = 0; row < picture->rows; row++)
        for (unsigned col = 0; col < picture->cols; col++) {
            unsigned start = col;
            while (col < picture->cols && tint_of(picture, row, col) == tint)
                col++;
            if (col == start)
                continue;
            if (!open)
                buffer_printf(d->out, "<path class=\"arbiter-mine-tint%u\" d=\"", tint);
            open = true;
            unsigned width = (col - start) * CELL;
            buffer_printf(d->out, "M%u %uh%uv%dh-%uz", x_of(d, start), y_of(d, row), width, CELL, width);
        }
    if (open)
        buffer_put_literal(d->out, "\"/>\n");
}

static void put_grid(const struct drawing *d) {
    unsigned width = d->picture->cols * CELL, height = d->picture->rows * CELL;
    buffer_put_literal(d->out, "<path class=\"arbiter-mine-grid\" d=\"");
    for (unsigned row = 0; row <= d->picture->rows; row++)
        buffer_printf(d->out, "M%u %uh%u", d->left, y_of(d, row), width);
    for (unsigned col = 0; col <= d->picture->cols; col++)
        buffer_printf(d->out, "M%u %uv%u", x_of(d, col), d->top, height);
    buffer_put_literal(d->out, "\"/>\n");
}

static unsigned label_height(const struct mine_svg_picture *picture) {
    return picture->cols > MANY ? LARGE_LABEL : LABEL;
}

/* The width of the widest number up to `count`. */
static unsigned label_width(const struct mine_svg_picture *picture, unsigned count) {
    size_t digits = 1;
    for (; count >= 10; count /= 10)
        digits++;
    return svg_text_width(digits, label_height(picture));
}

/* Get the number whose multiples are shown, in addition to 1. */
static unsigned label_step(const struct mine_svg_picture *picture, unsigned count) {
    if (picture->cols > MANY || count > MANY)
        return 10;
    return count > FEW ? 5 : 1;
}

/* The next number after `number` that is shown. */
static unsigned next_label(unsigned number, unsigned step) { return number - number % step + step; }

/* Write the column numbers above the field, and the row numbers to its left. */
static void put_labels(const struct drawing *d) {
    const struct mine_svg_picture *picture = d->picture;
    unsigned height = label_height(picture), step = label_step(picture, picture->cols);
    buffer_printf(d->out, "<g class=\"arbiter-mine-labels\" font-size=\"%u\">\n", height);
    for (unsigned col = 1; col <= picture->cols; col = next_label(col, step))
        buffer_printf(d->out, "<text x=\"%u\" y=\"%u\">%u</text>\n", x_of(d, col - 1) + CELL / 2, d->top - LABEL_GAP,
                      col);
    step = label_step(picture, picture->rows);
    buffer_put_literal(d->out, "<g class=\"arbiter-mine-rows\">\n");
    for (unsigned row = 1; row <= picture->rows; row = next_label(row, step))
        buffer_printf(d->out, "<text x=\"%u\" y=\"%u\">%u</text>\n", d->left - LABEL_GAP,
                      y_of(d, row - 1) + CELL / 2 + height * 36 / 100, row);
    buffer_put_literal(d->out, "</g>\n</g>\n");
}

/* Draw a path with a piece at each cell with this content. The piece begins `inset` units from the cell's upper left
 * corner. */
static void put_pieces(const struct drawing *d, char content, const char *class, unsigned inset, const char *piece) {
    bool open = false;
    for (unsigned row = 0; row < d->picture->rows; row++)
        for (unsigned col = 0; col < d->picture->cols; col++)
            if (cell_at(d->picture, row, col) == content) {
                if (!open)
                    buffer_printf(d->out, "<path class=\"arbiter-mine-%s\" d=\"", class);
                open = true;
                buffer_printf(d->out, "M%u %u%s", x_of(d, col) + inset, y_of(d, row) + inset, piece);
            }
    if (open)
        buffer_put_literal(d->out, "\"/>\n");
}

static void put_digits(const struct drawing *d, char digit) {
    bool open = false;
    for (unsigned row = 0; row < d->picture->rows; row++)
        for (unsigned col = 0; col < d->picture->cols; col++)
            if (cell_at(d->picture, row, col) == digit) {
                if (!open)
                    buffer_printf(d->out, "<g class=\"arbiter-mine-digit%c\">\n", digit);
                open = true;
                buffer_printf(d->out, "<text x=\"%u\" y=\"%u\">%c</text>\n", x_of(d, col) + CELL / 2, y_of(d, row) + 15,
                              digit);
            }
    if (open)
        buffer_put_literal(d->out, "</g>\n");
}

static void put_wins(const struct drawing *d) {
    const struct mine_svg_picture *picture = d->picture;
    if (picture->wins.count == 0)
        return;
    buffer_put_literal(d->out, "<path class=\"arbiter-mine-win\" d=\"");
    for (uint32_t w = 0; w < picture->wins.count; w++)
        buffer_printf(d->out, "M%u %uh%dv%dh-%dz", x_of(d, picture->wins.cells[w] % picture->cols) + 2,
                      y_of(d, picture->wins.cells[w] / picture->cols) + 2, CELL - 4, CELL - 4, CELL - 4);
    buffer_put_literal(d->out, "\"/>\n");
}

static void put_last(const struct drawing *d) {
    const struct mine_svg_picture *picture = d->picture;
    if (picture->is_played && picture->clicks != 0)
        buffer_printf(d->out, "<circle class=\"arbiter-mine-last\" cx=\"%u\" cy=\"%u\" r=\"9\"/>\n",
                      x_of(d, picture->last % picture->cols) + CELL / 2,
                      y_of(d, picture->last / picture->cols) + CELL / 2);
}

static size_t count_cells(const struct mine_svg_picture *picture, char cell) {
    size_t count = 0;
    for (size_t at = 0; at < (size_t)picture->rows * picture->cols; at++)
        count += picture->cells[at] == cell;
    return count;
}

static size_t count_openings(const struct mine_svg_picture *picture) {
    size_t openings = 0;
    for (size_t cell = 0; cell < (size_t)picture->rows * picture->cols; cell++)
        if (picture->opening[cell] != UINT32_MAX && picture->opening[cell] >= openings)
            openings = (size_t)picture->opening[cell] + 1;
    return openings;
}

/* Are there cells left to click? If so, each is in an opening, next to one, or a number that is next to none. */
static bool goes_on(const struct mine_svg_picture *picture) { return picture->verdict->three_bv != 0; }

static bool is_decided(const struct mine_svg_picture *picture) {
    return picture->verdict->known || picture->verdict->won;
}

/* Describe in words what the field shows. */
static void put_field_words(struct buffer *out, const struct mine_svg_picture *picture) {
    unsigned rows = picture->rows, cols = picture->cols;
    buffer_printf(out, "A field of %u row%s and %u column%s, ", rows, ascii_plural(rows), cols, ascii_plural(cols));
    if (!picture->is_played) {
        size_t mines = count_cells(picture, '*'), openings = count_openings(picture);
        buffer_printf(out, "fully revealed: %zu mine%s and %zu opening%s, each in its own tint. ", mines,
                      ascii_plural(mines), openings, ascii_plural(openings));
        return;
    }
    size_t down = count_cells(picture, '#');
    buffer_printf(out, "after %zu click%s: %zu cell%s still hidden, ", picture->clicks, ascii_plural(picture->clicks),
                  down, ascii_plural(down));
    if (picture->clicks != 0)
        buffer_printf(out, "the last click, marked with a ring, at row %u, column %u. ", picture->last / cols + 1,
                      picture->last % cols + 1);
    else
        buffer_put_literal(out, "all of them. ");
    if (goes_on(picture))
        buffer_printf(out, "%s clicks next. ", mine_turn_word(picture->clicks));
    else
        buffer_printf(out, "%s has no cell left to click. ", mine_turn_word(picture->clicks));
}

static void put_words(struct buffer *out, const struct mine_svg_picture *picture, const char *verdict) {
    const char *first = picture->is_played ? "" : "first ";
    buffer_printf(out, "<title>Minesweeper: %s</title>\n<desc>", verdict);
    put_field_words(out, picture);
    if (!is_decided(picture))
        buffer_put_literal(out, "The search limit was reached before the winner was found.</desc>\n");
    else if (!picture->wins.known)
        buffer_printf(out, "The search limit was reached before the winning %sclicks were found.</desc>\n", first);
    else
        buffer_printf(out, "Winning %sclicks, marked with frames: %u.</desc>\n", first, picture->wins.count);
}

enum { NOTE_PART_BYTES = 48, NOTE_BYTES = NOTE_PART_BYTES + NOTE_PART_BYTES + sizeof ", " };

/* Write the line below the verdict, which can be empty. */
static void write_note(const struct mine_svg_picture *picture, char ret_note[NOTE_BYTES]) {
    char turn[NOTE_PART_BYTES] = "", wins[NOTE_PART_BYTES] = "";
    if (picture->is_played)
        snprintf(turn, sizeof turn, "%s %s", mine_turn_word(picture->clicks),
                 goes_on(picture) ? "to click" : "has no cell left to click");
    if (is_decided(picture) && !picture->wins.known)
        snprintf(wins, sizeof wins, "winning clicks not found");
    else if (is_decided(picture) && picture->wins.count != 0)
        snprintf(wins, sizeof wins, "%u winning click%s framed", picture->wins.count,
                 ascii_plural(picture->wins.count));
    snprintf(ret_note, NOTE_BYTES, "%s%s%s", turn, *turn != 0 && *wins != 0 ? ", " : "", wins);
}

void mine_svg_draw(struct buffer *out, const struct mine_svg_picture *picture) {
    unsigned width = picture->cols * CELL, height = picture->rows * CELL;
    unsigned captions = picture->is_played
                            ? svg_text_width(sizeof "Fanglaoshi to click, 10000 winning clicks framed", SVG_NOTE_SIZE)
                            : svg_text_width(sizeof "1000 winning clicks", SVG_VERDICT_SIZE);
    unsigned labelled = width + 2 * (label_width(picture, picture->rows) + LABEL_GAP); /* the field stays centred */
    unsigned page = (labelled > captions ? labelled : captions) + 2 * MARGIN;
    struct drawing d = {out, picture, (page - width) / 2, MARGIN + label_height(picture)};
    char verdict[64], note[NOTE_BYTES];
    const char *winner = mine_winner_word(picture->verdict, picture->clicks);
    if (!is_decided(picture))
        snprintf(verdict, sizeof verdict, "%s", winner);
    else if (!picture->verdict->known || picture->verdict->nimber == 0)
        snprintf(verdict, sizeof verdict, "%s wins", winner);
    else
        snprintf(verdict, sizeof verdict, "%s wins (nimber %u)", winner, picture->verdict->nimber);
    write_note(picture, note);

    svg_begin(out, page, d.top + height + 34 + (*note != 0 ? 22 : 0) + 12, CELL, 8);
    put_words(out, picture, verdict);
    svg_style(out, rules, sizeof rules / sizeof *rules - (picture->is_played ? 0 : RULES_OF_PLAY));
    put_labels(&d);
    buffer_printf(out, "<g class=\"arbiter-mine-field\">\n<rect x=\"%u\" y=\"%u\" width=\"%u\" height=\"%u\"/>\n",
                  d.left, d.top, width, height);
    for (unsigned tint = 0; tint < TINTS; tint++)
        put_tint(&d, tint);
    put_grid(&d);
    put_pieces(&d, '#', "down", 3, "h14v14h-14z");
    put_pieces(&d, '*', "spike", CELL / 2, "m-7 0h14m-7-7v14m-5-12l10 10m0-10l-10 10");
    put_pieces(&d, '*', "disc", CELL / 2, "h0");
    for (int digit = 1; digit <= DIGITS; digit++)
        put_digits(&d, (char)('0' + digit));
    put_wins(&d);
    put_last(&d);
    buffer_put_literal(out, "</g>\n");
    svg_text(out, "verdict", page / 2, d.top + height + 30, verdict);
    if (*note != 0)
        svg_text(out, "note", page / 2, d.top + height + 54, note);
    svg_end(out);
}
