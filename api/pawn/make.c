#include "api/pawn/make.h"

#include <stdio.h>

enum { DEFAULT_SIDE = 6, PIECES = 3 };

/* Draw a cell from `first` on that is none of the `taken`. */
static unsigned draw_cell(struct random *random, unsigned first, unsigned cells, const unsigned *taken, int count) {
    for (;;) {
        unsigned cell = first + random_below(random, cells - first);
        bool is_free = true;
        for (int t = 0; t < count; t++)
            is_free = is_free && taken[t] != cell;
        if (is_free)
            return cell;
    }
}

void pawn_make_position(unsigned rows, unsigned cols, unsigned obstacles, struct random *random,
                        struct pawn_position *ret_position) {
    struct pawn_position position = {.rows = rows, .cols = cols, .turn = PAWN_RED};
    unsigned cells = rows * cols, taken[PIECES];
    ASSERT(rows >= 2 && cols >= 1 && cells <= PAWN_MAX_CELLS && PIECES + obstacles <= cells);
    taken[0] = position.pawn = draw_cell(random, cols, cells, NULL, 0);
    taken[1] = position.red[0] = draw_cell(random, 0, cells, taken, 1);
    taken[2] = position.red[1] = draw_cell(random, 0, cells, taken, 2);
    for (unsigned cell = 0, left = cells - PIECES, wanted = obstacles; cell < cells; cell++)
        if (cell != taken[0] && cell != taken[1] && cell != taken[2])
            position.obstacle[cell] = random_choose(random, left--, &wanted);
    *ret_position = position;
}

static void set_defaults(struct maker_order *order) {
    if (order->rows == MAKER_UNSET)
        order->rows = DEFAULT_SIDE;
    if (order->cols == MAKER_UNSET)
        order->cols = DEFAULT_SIDE;
    if (order->turn == MAKER_NO_TURN)
        order->turn = MAKER_RED;
}

static uint64_t size_of(const struct maker_order *order) { return order->rows * order->cols; }

static bool check(const struct maker_order *order, enum format format, char ret_message[MAKER_MESSAGE]) {
    unsigned rows = (unsigned)order->rows, cols = (unsigned)order->cols, cells = rows * cols;
    int length = 0;
    if (rows < 2)
        length = snprintf(ret_message, MAKER_MESSAGE, "--rows must be at least 2 for pawn");
    else if (cells > PAWN_MAX_CELLS || cells < PIECES)
        length = snprintf(ret_message, MAKER_MESSAGE, "a board of %u x %u has %u squares; it must have %d to %d", rows,
                          cols, cells, PIECES, PAWN_MAX_CELLS);
    else if (order->obstacles > cells - PIECES)
        length = snprintf(ret_message, MAKER_MESSAGE,
                          "%llu obstacles and 3 pieces are too many for the %u squares of a %u x %u board",
                          (unsigned long long)order->obstacles, cells, rows, cols);
    else if (order->turn != MAKER_RED && format != FORMAT_LINES)
        length = snprintf(ret_message, MAKER_MESSAGE, "in %s, Red always moves first; use --to ndjson with --turn",
                          format == FORMAT_TEXT ? "contest format" : "a drawing");
    return length == 0;
}

static char letter_at(const struct pawn_position *position, unsigned cell) {
    return cell == position->pawn                                 ? 'X'
           : cell == position->red[0] || cell == position->red[1] ? 'O'
           : position->obstacle[cell]                             ? '#'
                                                                  : '.';
}

static enum outcome make(const struct maker_order *order, enum format format, struct random *random,
                         struct arena *arena, struct buffer *out) {
    struct pawn_position position;
    bool json = format == FORMAT_LINES;
    (void)arena;
    pawn_make_position((unsigned)order->rows, (unsigned)order->cols, (unsigned)order->obstacles, random, &position);
    if (order->turn == MAKER_BLACK || (order->turn == MAKER_ANY_TURN && random_below(random, 2) != 0))
        position.turn = PAWN_BLACK; /* drawn last, so the board does not depend on the option */
    if (json)
        buffer_put_literal(out, "{\"board\":[");
    else if (format == FORMAT_TEXT)
        buffer_printf(out, "%u %u\n", position.rows, position.cols);
    for (unsigned cell = 0; cell < position.rows * position.cols; cell++) {
        if (json && cell % position.cols == 0)
            buffer_put_string(out, cell == 0 ? "\"" : ",\"");
        buffer_put_char(out, letter_at(&position, cell));
        if (cell % position.cols == position.cols - 1)
            buffer_put_char(out, json ? '"' : '\n');
    }
    if (json)
        buffer_put_string(out, position.turn == PAWN_BLACK ? "],\"turn\":\"Black\"}\n" : "]}\n");
    return out->outcome;
}

static const char *const options[] = {"rows", "cols", "obstacles", "turn", NULL};

const struct game_maker pawn_maker = {
    .options = options,
    .set_defaults = set_defaults,
    .share = "15%",
    .check = check,
    .size_of = size_of,
    .text_head = "1 ",
    .make = make,
};
