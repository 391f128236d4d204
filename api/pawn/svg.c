/*
 * Draws a pawn board: its pieces, and the best line as numbered arrows. Rows are numbered from the top, columns have
 * letters.
 *
 * Pieces move back and forth, so a step between two squares can be made many times, in both directions and by both
 * sides. The moves of one side over one step share an arrow. The arrows between the same two squares (a bundle) run
 * side by side, each with a badge in the middle that shows all its numbers:
 *
 *            square        square                             ___1, 5___
 *             |------[1, 5]--->|         a badge can have    |           |
 *             |<- -[2, 4]- - - |         several rows:       |  9, 13    |
 *
 * The badges of a bundle lie within the middle half of the step. Side by side, they take at most half the width of a
 * square if several arrows next to the step run at right angles to it, and otherwise its full width. So badges of
 * different bundles do not overlap. Squares are as large as the fullest bundle needs; if even the largest square is too
 * small for it, its text shrinks.
 */
#include "api/pawn/svg.h"

#include "api/pawn/case.h"
#include "api/svg/canvas.h"
#include "base/ascii.h"

#include <stdio.h>

static const struct svg_rule rules[] = {
    {"pawn-board", "fill:#fbfaf6;stroke:#8d949c;stroke-width:2", "fill:#22262c;stroke:#707a85"},
    {"pawn-goal", "fill:#eef0dc", "fill:#2e3324"},
    {"pawn-grid", "fill:none;stroke:#cfd3d7", "stroke:#414953"},
    {"pawn-labels", "text-anchor:middle;fill:#59636e", "fill:#a3adb8"},
    {"pawn-obstacle", "fill:#aab0b7", "fill:#4b535d"},
    {"pawn-hatch", "fill:none;stroke:#7d858e;stroke-width:2;stroke-linecap:round", "stroke:#78828d"},
    {"pawn-red", "fill:#d43a2f;stroke:#8e1b13;stroke-width:2", "fill:#e0584c;stroke:#ffc0b8"},
    {"pawn-groove", "fill:none;stroke:#f6b5ae;stroke-width:2", "stroke:#7c160e"},
    {"pawn-black", "fill:#1d2126;stroke:#ffffff;stroke-width:2;stroke-linejoin:round", "fill:#0b0d10;stroke:#f2f4f7"},
    {"pawn-red-line", "fill:none;stroke:#d43a2f;stroke-width:3", "stroke:#ff7b6e"},
    {"pawn-red-head", "fill:#d43a2f", "fill:#ff7b6e"},
    {"pawn-red-badge", "fill:#b92a20;stroke:#ffffff", "fill:#ff9489;stroke:#22262c"},
    {"pawn-red-text", "text-anchor:middle;fill:#ffffff", "fill:#2a0603"},
    {"pawn-black-line", "fill:none;stroke:#2d3a4a;stroke-width:3;stroke-dasharray:6 4", "stroke:#cfdaea"},
    {"pawn-black-head", "fill:#2d3a4a", "fill:#cfdaea"},
    {"pawn-black-badge", "fill:#2d3a4a;stroke:#ffffff", "fill:#cfdaea;stroke:#22262c"},
    {"pawn-black-text", "text-anchor:middle;fill:#ffffff", "fill:#0c1522"},
    {"pawn-end", "fill:none;stroke:#b07a00;stroke-width:4;stroke-dasharray:2 5;stroke-linecap:round", "stroke:#ffcc4d"},
};

enum direction { UP, DOWN, LEFT, RIGHT, DIRECTIONS };
enum { SIDES = PAWN_BLACK + 1, MAX_TRACKS = 2 * SIDES };

/* Sizes in user units. A square is as small as possible, as long as every badge fits with text of size FONT. */
enum { MIN_CELL = 72, CELL_STEP = 8, MAX_CELL = 128, FONT = 13, MIN_FONT = 6, MARGIN = 12 };

/* Row numbers and column letters are at least 13 units high, and larger on a board that is scaled down on screen. A
 * board wider than 800 units has at most 25 rows, whose numbers then have two digits. */
enum { MIN_LABEL = 13, MAX_LABEL = 32, UNSCALED = 800 };

/* The moves of one side over one step. */
struct arrow {
    size_t count, first, last; /* the number of moves, and the numbers of the first and last of them, counted from 1 */
};

struct drawing {
    struct buffer *out;
    const struct pawn_position *root;
    const struct pawn_move *line;
    size_t moves;
    struct pawn_position end;                               /* after the line */
    unsigned cell;                                          /* the side of a square */
    unsigned label;                                         /* the height of row numbers and column letters */
    unsigned left, top;                                     /* the corner of the board */
    struct arrow arrows[PAWN_MAX_CELLS][DIRECTIONS][SIDES]; /* indexed by the square from which they start */
};

/* An arrow in a bundle, with its badge: `rows` rows of up to `per_row` numbers. */
struct track {
    const struct arrow *arrow;
    enum pawn_side side;
    unsigned from, to;
    unsigned per_row, rows;
    unsigned width, height;
};

/* The arrows between a square and its right or lower neighbour. */
struct bundle {
    struct track tracks[MAX_TRACKS];
    unsigned count;
    bool vertical;
    bool tight;      /* several arrows next to it run at right angles to it */
    unsigned across; /* the total width of all tracks side by side */
};

static enum pawn_side side_of(const struct drawing *d, size_t number) {
    return (number - 1) % 2 == 0 ? d->root->turn : (enum pawn_side)(1 - d->root->turn);
}

static enum direction direction_of(const struct drawing *d, struct pawn_move move) {
    if (move.to / d->root->cols == move.from / d->root->cols)
        return move.to < move.from ? LEFT : RIGHT;
    return move.to < move.from ? UP : DOWN;
}

/* Collect the moves of the line into arrows, and play the line to its end. */
static void note_line(struct drawing *d) {
    d->end = *d->root;
    for (size_t number = 1; number <= d->moves; number++) {
        struct pawn_move move = d->line[number - 1];
        struct arrow *arrow = &d->arrows[move.from][direction_of(d, move)][side_of(d, number)];
        if (arrow->count++ == 0)
            arrow->first = number;
        arrow->last = number;
        pawn_position_play(&d->end, move);
    }
}

static unsigned x_of(const struct drawing *d, unsigned cell) {
    return d->left + cell % d->root->cols * d->cell + d->cell / 2;
}

static unsigned y_of(const struct drawing *d, unsigned cell) {
    return d->top + cell / d->root->cols * d->cell + d->cell / 2;
}

static bool is_taken(const struct drawing *d, unsigned cell) {
    return cell == d->root->red[0] || cell == d->root->red[1] || cell == d->root->pawn;
}

/* Where an arrow begins, where its head begins, and where it ends, measured from the centre of the square that it
 * leaves. If there is a piece on the square, the arrow begins at its rim, otherwise near the centre. */
struct shaft {
    unsigned start, back, tip;
};

enum { HEAD = 11, TAIL = 3 };

static struct shaft shaft_of(const struct drawing *d, unsigned from, unsigned to, unsigned cell) {
    unsigned gap = cell / 14, rim = cell * 27 / 100 + 2;
    unsigned tip = cell - (is_taken(d, to) ? rim : gap);
    return (struct shaft){is_taken(d, from) ? rim : gap, tip - HEAD, tip};
}

/* Widths of digits and separators in hundredths of the font size, as in common fonts. */
enum { DIGIT_WIDTH = 65, COMMA_WIDTH = 66, PADDING = 60, ROW_HEIGHT = 112, ROW_PADDING = 34, GAP = 15 };

static unsigned hundredths(unsigned part, unsigned font) { return (part * font + 99) / 100; }

static unsigned digits_of(size_t number) {
    unsigned digits = 1;
    for (; number >= 10; number /= 10)
        digits++;
    return digits;
}

/* Get the width of a row of numbers. */
static unsigned row_width(size_t last, unsigned numbers, unsigned font) {
    return hundredths(PADDING + numbers * digits_of(last) * DIGIT_WIDTH + (numbers - 1) * COMMA_WIDTH, font);
}

/* Break an arrow's numbers into rows no wider than `width`, as evenly as possible, with at least one number per row. */
static void shape_track(struct track *track, unsigned width, unsigned font) {
    unsigned count = (unsigned)track->arrow->count, per_row = 1;
    while (per_row < count && row_width(track->arrow->last, per_row + 1, font) <= width)
        per_row++;
    track->rows = (count + per_row - 1) / per_row;
    track->per_row = (count + track->rows - 1) / track->rows;
    track->width = row_width(track->arrow->last, track->per_row, font);
    track->height = hundredths(track->rows * ROW_HEIGHT + ROW_PADDING, font);
    if (track->width < track->height && track->rows == 1)
        track->width = track->height;
}

static unsigned min(unsigned a, unsigned b) { return a < b ? a : b; }

/* Lay out a bundle at this font size. Returns true if it fits. */
static bool shape_bundle(const struct drawing *d, struct bundle *bundle, unsigned cell, unsigned font) {
    struct shaft shaft = shaft_of(d, bundle->tracks[0].from, bundle->tracks[0].to, cell);
    unsigned length = min(cell * 54 / 100, shaft.back - shaft.start - TAIL),
             breadth = cell * (bundle->tight ? 54 : 88) / 100;
    unsigned gap = hundredths(GAP, font), along = 0;
    bundle->across = (bundle->count - 1) * gap;
    for (unsigned l = 0; l < bundle->count; l++) {
        struct track *track = &bundle->tracks[l];
        shape_track(track, bundle->vertical ? (breadth - (bundle->count - 1) * gap) / bundle->count : length, font);
        unsigned extent = bundle->vertical ? track->height : track->width;
        along = extent > along ? extent : along;
        bundle->across += bundle->vertical ? track->width : track->height;
    }
    return bundle->across <= breadth && along <= length;
}

/* Collect the arrows between a square and its right or lower neighbour. Returns how many there are. */
static unsigned collect_tracks(const struct drawing *d, unsigned cell, bool vertical, struct track *ret_tracks) {
    unsigned cols = d->root->cols, next = cell + (vertical ? cols : 1), count = 0;
    bool has_next = vertical ? next < d->root->rows * cols : next % cols != 0;
    for (unsigned back = 0; has_next && back < 2; back++)
        for (unsigned side = 0; side < SIDES; side++) {
            struct pawn_move step = {(uint16_t)(back ? next : cell), (uint16_t)(back ? cell : next)};
            const struct arrow *arrow = &d->arrows[step.from][direction_of(d, step)][side];
            if (arrow->count != 0)
                ret_tracks[count++] =
                    (struct track){.arrow = arrow, .side = (enum pawn_side)side, .from = step.from, .to = step.to};
        }
    return count;
}

/* Does more than one arrow run at right angles to a bundle, at this end of it? */
static bool is_crossed(const struct drawing *d, unsigned cell, bool vertical) {
    struct track tracks[MAX_TRACKS];
    unsigned step = vertical ? 1 : d->root->cols;
    return collect_tracks(d, cell, !vertical, tracks) > 1 ||
           (cell >= step && collect_tracks(d, cell - step, !vertical, tracks) > 1);
}

/* Find the bundle between a square and its right or lower neighbour. Returns false if there are no arrows. */
static bool find_bundle(const struct drawing *d, unsigned cell, bool vertical, struct bundle *ret_bundle) {
    ret_bundle->count = collect_tracks(d, cell, vertical, ret_bundle->tracks);
    if (ret_bundle->count == 0)
        return false;
    ret_bundle->vertical = vertical;
    ret_bundle->tight = is_crossed(d, cell, vertical) || is_crossed(d, cell + (vertical ? d->root->cols : 1), vertical);
    return true;
}

static bool all_fit(const struct drawing *d, unsigned cell_size) {
    struct bundle bundle;
    for (unsigned cell = 0; cell < d->root->rows * d->root->cols; cell++)
        for (unsigned vertical = 0; vertical < 2; vertical++)
            if (find_bundle(d, cell, vertical == 1, &bundle) && !shape_bundle(d, &bundle, cell_size, FONT))
                return false;
    return true;
}

static unsigned choose_cell(const struct drawing *d) {
    unsigned cell = MIN_CELL;
    while (cell < MAX_CELL && !all_fit(d, cell))
        cell += CELL_STEP;
    return cell;
}

/* Draw an arrow at a distance of `offset` from the middle of its step. */
static void put_arrow(const struct drawing *d, const struct track *track, bool vertical, int offset) {
    static const char *const names[] = {[PAWN_RED] = "red", [PAWN_BLACK] = "black"};
    const char *name = names[track->side];
    struct shaft shaft = shaft_of(d, track->from, track->to, d->cell);
    int x = (int)x_of(d, track->from), y = (int)y_of(d, track->from), sign = track->to > track->from ? 1 : -1;
    int start = sign * (int)shaft.start, back = sign * (int)shaft.back, tip = sign * (int)shaft.tip;
    if (vertical)
        buffer_printf(d->out,
                      "<path class=\"arbiter-pawn-%s-line\" d=\"M%d %dV%d\"/>"
                      "<path class=\"arbiter-pawn-%s-head\" d=\"M%d %dl-6 %dh12z\"/>\n",
                      name, x + offset, y + start, y + back, name, x + offset, y + tip, back - tip);
    else
        buffer_printf(d->out,
                      "<path class=\"arbiter-pawn-%s-line\" d=\"M%d %dH%d\"/>"
                      "<path class=\"arbiter-pawn-%s-head\" d=\"M%d %dl%d -6v12z\"/>\n",
                      name, x + start, y + offset, x + back, name, x + tip, y + offset, back - tip);
}

/* Write the numbers of an arrow, `per_row` in each row, around (x, y). */
static void put_numbers(const struct drawing *d, const struct track *track, unsigned x, unsigned y, unsigned font) {
    unsigned listed = 0, row_height = hundredths(ROW_HEIGHT, font);
    unsigned baseline = y - (track->rows - 1) * row_height / 2 + font * 36 / 100;
    const struct pawn_move *line = d->line;
    for (size_t number = track->arrow->first; number <= track->arrow->last; number++) {
        struct pawn_move move = line[number - 1];
        if (move.from != track->from || move.to != track->to || side_of(d, number) != track->side)
            continue;
        if (listed % track->per_row == 0)
            buffer_printf(d->out, "<text x=\"%u\" y=\"%u\">", x, baseline + listed / track->per_row * row_height);
        buffer_printf(d->out, "%zu", number);
        listed++;
        bool last = listed == track->arrow->count;
        buffer_put_string(d->out, last ? "</text>" : listed % track->per_row == 0 ? ",</text>" : ", ");
    }
}

static void put_badge(const struct drawing *d, const struct track *track, unsigned x, unsigned y, unsigned font) {
    bool red = track->side == PAWN_RED;
    unsigned round = red ? hundredths(ROW_HEIGHT + ROW_PADDING, font) / 2 : 2;
    buffer_printf(d->out,
                  "<rect class=\"arbiter-pawn-%s-badge\" x=\"%u\" y=\"%u\" width=\"%u\" height=\"%u\" rx=\"%u\"/>"
                  "<g class=\"arbiter-pawn-%s-text\" font-size=\"%u\">",
                  red ? "red" : "black", x - track->width / 2, y - track->height / 2, track->width, track->height,
                  round, red ? "red" : "black", font);
    put_numbers(d, track, x, y, font);
    buffer_put_literal(d->out, "</g>\n");
}

/* Get the position of a track's badge along its step, measured from the upper or left end: the middle of the shaft. */
static unsigned middle(const struct drawing *d, const struct track *track) {
    struct shaft shaft = shaft_of(d, track->from, track->to, d->cell);
    unsigned along = (shaft.start + TAIL + shaft.back) / 2;
    return track->to > track->from ? along : d->cell - along;
}

static void put_bundle(const struct drawing *d, struct bundle *bundle, unsigned cell) {
    unsigned font = FONT;
    while (!shape_bundle(d, bundle, d->cell, font) && font > MIN_FONT)
        font--;
    int offset = -(int)bundle->across / 2, gap = (int)hundredths(GAP, font);
    for (unsigned l = 0; l < bundle->count; l++) {
        const struct track *track = &bundle->tracks[l];
        int thick = (int)(bundle->vertical ? track->width : track->height), lane_offset = offset + thick / 2;
        unsigned along = middle(d, track);
        put_arrow(d, track, bundle->vertical, lane_offset);
        put_badge(d, track, x_of(d, cell) + (bundle->vertical ? (unsigned)lane_offset : along),
                  y_of(d, cell) + (bundle->vertical ? along : (unsigned)lane_offset), font);
        offset += thick + gap;
    }
}

static void put_arrows(const struct drawing *d) {
    struct bundle bundle;
    for (unsigned cell = 0; cell < d->root->rows * d->root->cols; cell++)
        for (unsigned vertical = 0; vertical < 2; vertical++)
            if (find_bundle(d, cell, vertical == 1, &bundle))
                put_bundle(d, &bundle, cell);
}

/* The space for the row numbers on the left, and for the column letters below. */
static unsigned label_band(const struct drawing *d) { return d->label * 24 / MIN_LABEL; }

/* The name of a column: a to z, then aa, ab, ... */
static void put_column(const struct drawing *d, unsigned col) {
    enum { LETTERS = 26 };
    _Static_assert(PAWN_MAX_CELLS <= LETTERS + LETTERS * LETTERS, "two letters are enough for every column");
    if (col >= LETTERS)
        buffer_printf(d->out, "%c", (char)('a' + col / LETTERS - 1));
    buffer_printf(d->out, "%c", (char)('a' + col % LETTERS));
}

/* Write the row numbers, counted from 1, on the left and the column letters below. */
static void put_labels(const struct drawing *d) {
    unsigned rows = d->root->rows, cols = d->root->cols, band = label_band(d);
    buffer_printf(d->out, "<g class=\"arbiter-pawn-labels\" font-size=\"%u\">\n", d->label);
    for (unsigned row = 0; row < rows; row++)
        buffer_printf(d->out, "<text x=\"%u\" y=\"%u\">%u</text>\n", d->left - band * 7 / 12,
                      y_of(d, row * cols) + d->label * 36 / 100, row + 1);
    for (unsigned col = 0; col < cols; col++) {
        buffer_printf(d->out, "<text x=\"%u\" y=\"%u\">", x_of(d, col), d->top + rows * d->cell + band * 3 / 4);
        put_column(d, col);
        buffer_put_literal(d->out, "</text>\n");
    }
    buffer_put_literal(d->out, "</g>\n");
}

static void put_board(const struct drawing *d) {
    unsigned rows = d->root->rows, cols = d->root->cols, width = cols * d->cell, height = rows * d->cell;
    buffer_printf(d->out, "<rect class=\"arbiter-pawn-board\" x=\"%u\" y=\"%u\" width=\"%u\" height=\"%u\"/>\n",
                  d->left, d->top, width, height);
    buffer_printf(d->out, "<rect class=\"arbiter-pawn-goal\" x=\"%u\" y=\"%u\" width=\"%u\" height=\"%u\"/>\n",
                  d->left + 1, d->top + 1, width - 2, d->cell - 1);
    buffer_put_literal(d->out, "<path class=\"arbiter-pawn-grid\" d=\"");
    for (unsigned row = 1; row < rows; row++)
        buffer_printf(d->out, "M%u %uh%u", d->left + 1, d->top + row * d->cell, width - 2);
    for (unsigned col = 1; col < cols; col++)
        buffer_printf(d->out, "M%u %uv%u", d->left + col * d->cell, d->top + 1, height - 2);
    buffer_put_literal(d->out, "\"/>\n");
}

/* Draw the obstacles, filled and hatched. */
static void put_obstacles(const struct drawing *d) {
    unsigned inset = 3, side = d->cell - 2 * inset, third = side / 3;
    for (unsigned cell = 0; cell < d->root->rows * d->root->cols; cell++) {
        if (!d->root->obstacle[cell])
            continue;
        unsigned x = x_of(d, cell) - d->cell / 2 + inset, y = y_of(d, cell) - d->cell / 2 + inset;
        buffer_printf(d->out,
                      "<rect class=\"arbiter-pawn-obstacle\" x=\"%u\" y=\"%u\" width=\"%u\" height=\"%u\" rx=\"4\"/>"
                      "<path class=\"arbiter-pawn-hatch\" d=\"",
                      x, y, side, side);
        for (unsigned i = 1; i <= 3; i++)
            buffer_printf(d->out, "M%u %uL%u %u", x + 3, y + i * third - 3, x + i * third - 3, y + 3);
        for (unsigned i = 1; i <= 2; i++)
            buffer_printf(d->out, "M%u %uL%u %u", x + i * third + 3, y + side - 3, x + side - 3, y + i * third + 3);
        buffer_put_literal(d->out, "\"/>\n");
    }
}

/* Red pieces are discs with a groove, as in draughts. The pawn has the shape of a pawn. They are slightly wider than
 * half a square. */
static void put_pieces(const struct drawing *d) {
    unsigned r = d->cell * 27 / 100, x = x_of(d, d->root->pawn), y = y_of(d, d->root->pawn), head = r * 42 / 100;
    for (unsigned i = 0; i < 2; i++) {
        if (pawn_red_is_captured(d->root, i))
            continue;
        unsigned red_x = x_of(d, d->root->red[i]), red_y = y_of(d, d->root->red[i]);
        buffer_printf(d->out,
                      "<circle class=\"arbiter-pawn-red\" cx=\"%u\" cy=\"%u\" r=\"%u\"/>"
                      "<circle class=\"arbiter-pawn-groove\" cx=\"%u\" cy=\"%u\" r=\"%u\"/>\n",
                      red_x, red_y, r, red_x, red_y, r * 62 / 100);
    }
    if (pawn_is_captured(d->root))
        return;
    unsigned half = r * 72 / 100, waist = r * 30 / 100, foot = y + r;
    buffer_printf(d->out,
                  "<path class=\"arbiter-pawn-black\" d=\"M%u %uh%uv-%uq-%u -%u -%u -%uh-%uq%u %u -%u %uz\"/>"
                  "<circle class=\"arbiter-pawn-black\" cx=\"%u\" cy=\"%u\" r=\"%u\"/>\n",
                  x - half, foot, 2 * half, r / 4, half - waist, r / 4, half - waist, r, 2 * waist, 0u, r * 3 / 4,
                  half - waist, r, x, y - r + head, head);
}

/* Mark the square where the game ends with a capture, or in the first row. */
static void put_end(const struct drawing *d) {
    enum pawn_end end = pawn_position_end(&d->end);
    if (end != PAWN_FIRST_ROW && end != PAWN_CAPTURE)
        return;
    buffer_printf(d->out, "<rect class=\"arbiter-pawn-end\" x=\"%u\" y=\"%u\" width=\"%u\" height=\"%u\" rx=\"6\"/>\n",
                  x_of(d, d->end.pawn) - d->cell / 2 + 4, y_of(d, d->end.pawn) - d->cell / 2 + 4, d->cell - 8,
                  d->cell - 8);
}

static void spell_verdict(struct pawn_verdict verdict, char *text, size_t length) {
    if (verdict.winner == PAWN_TIE)
        snprintf(text, length, "%s", pawn_winner_words[PAWN_TIE]);
    else if (verdict.steps == 0)
        snprintf(text, length, "%s has won", pawn_winner_words[verdict.winner]);
    else
        snprintf(text, length, "%s wins in %u move%s", pawn_winner_words[verdict.winner], verdict.steps,
                 ascii_plural(verdict.steps));
}

/* The reason: how the line ends, or which side cannot move at the start; "" if there is none. */
static const char *reason_of(const struct drawing *d, struct pawn_verdict verdict) {
    struct pawn_result result = pawn_position_result(&d->end);
    if (verdict.winner == PAWN_TIE)
        return "Neither side can force a win";
    if (result.end == PAWN_FIRST_ROW)
        return "The pawn reaches the first row";
    if (result.end == PAWN_CAPTURE)
        return result.winner == PAWN_RED_WINS ? "Red takes the pawn" : "The pawn takes a red piece";
    if (result.end == PAWN_NO_MOVE)
        return d->end.turn == PAWN_RED ? "Red has no legal move" : "Black has no legal move";
    return "";
}

/* Write the name of a square, column first: b3. */
static void put_cell(const struct drawing *d, unsigned cell) {
    put_column(d, cell % d->root->cols);
    buffer_printf(d->out, "%u", cell / d->root->cols + 1);
}

/* The sentence that says whose turn it is, or that the first two rules have ended the game. */
static const char *turn_of(const struct pawn_position *root) {
    enum pawn_end end = pawn_position_end(root);
    if (end == PAWN_FIRST_ROW || end == PAWN_CAPTURE)
        return "The game is over";
    return root->turn == PAWN_RED ? "Red to move" : "Black to move";
}

static void put_words(const struct drawing *d, const char *verdict, const char *turn, const char *reason) {
    const struct pawn_position *root = d->root;
    size_t obstacles = 0;
    for (unsigned cell = 0; cell < root->rows * root->cols; cell++)
        obstacles += root->obstacle[cell];
    buffer_printf(d->out, "<title>Crossing pawn: %s</title>\n", verdict);
    buffer_printf(
        d->out,
        "<desc>A board of %u rows and %u column%s, with %zu obstacle%s. Squares are named by column letter and row "
        "number, from the top left. Red pieces are at ",
        root->rows, root->cols, ascii_plural(root->cols), obstacles, ascii_plural(obstacles));
    put_cell(d, root->red[0]);
    buffer_put_literal(d->out, " and ");
    put_cell(d, root->red[1]);
    buffer_put_literal(d->out, ", the pawn is at ");
    put_cell(d, root->pawn);
    buffer_printf(d->out, ". %s. %s.%s%s%s", turn, verdict, reason[0] != 0 ? " " : "", reason,
                  reason[0] != 0 ? "." : "");
    for (size_t m = 0; m < d->moves; m++) {
        buffer_printf(d->out, "%s%zu. ", m == 0 ? " Best line: " : "; ", m + 1);
        put_cell(d, d->line[m].from);
        buffer_put_literal(d->out, " to ");
        put_cell(d, d->line[m].to);
    }
    buffer_put_string(d->out, d->moves != 0 ? ".</desc>\n" : "</desc>\n");
}

void pawn_svg_draw(struct buffer *out, const struct pawn_position *root, struct pawn_verdict verdict,
                   const struct pawn_move *line, size_t moves) {
    struct drawing d = {.out = out, .root = root, .line = line, .moves = moves};
    char verdict_text[64];
    note_line(&d);
    spell_verdict(verdict, verdict_text, sizeof verdict_text);
    const char *reason = reason_of(&d, verdict), *turn = turn_of(root);

    d.cell = choose_cell(&d);
    unsigned label = MIN_LABEL * root->cols * d.cell / UNSCALED;
    d.label = label < MIN_LABEL ? MIN_LABEL : min(label, MAX_LABEL);
    unsigned board = root->cols * d.cell + 2 * label_band(&d);
    unsigned caption = svg_text_width(sizeof "Black wins in 100 moves", SVG_VERDICT_SIZE);
    unsigned width = (board > caption ? board : caption) + 2 * MARGIN;
    d.left = (width - root->cols * d.cell) / 2;
    d.top = MARGIN;
    unsigned below = d.top + root->rows * d.cell + label_band(&d);

    svg_begin(out, width, below + 84, d.cell, 24);
    put_words(&d, verdict_text, turn, reason);
    svg_style(out, rules, sizeof rules / sizeof *rules);
    put_board(&d);
    put_labels(&d);
    put_obstacles(&d);
    put_end(&d);
    put_pieces(&d);
    put_arrows(&d);
    svg_text(out, "verdict", width / 2, below + 32, verdict_text);
    svg_text(out, "note", width / 2, below + 54, turn);
    if (reason[0] != 0)
        svg_text(out, "note", width / 2, below + 74, reason);
    svg_end(out);
}
