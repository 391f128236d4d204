#include "api/pawn/make.h"

#include "api/json/encode.h"
#include "pawn/position.h"

#include <stdio.h>
#include <string.h>

enum { PIECES = 3 };

/* Put `wanted` of these on free squares, of which there are `left`. */
static void scatter(char what, uint32_t wanted, uint32_t left, struct random *random, char *cells) {
    for (char *cell = cells; wanted != 0; cell++)
        if (*cell == '.' && random_choose(random, left--, &wanted))
            *cell = what;
}

void pawn_make_board(unsigned rows, unsigned cols, unsigned obstacles, struct random *random, char *ret_cells) {
    unsigned cells = rows * cols;
    ASSERT(rows >= 2 && cells >= PIECES + obstacles);
    memset(ret_cells, '.', cells);
    ret_cells[cols + random_below(random, cells - cols)] = 'X';
    scatter('O', 2, cells - 1, random, ret_cells);
    scatter('#', obstacles, cells - PIECES, random, ret_cells);
}

static bool check(const struct maker_order *order, enum format format, char ret_message[MAKER_MESSAGE]) {
    unsigned rows = (unsigned)order->rows, cols = (unsigned)order->cols, cells = rows * cols;
    int length = 0;
    if (rows < 2 || cells > PAWN_MAX_CELLS || cells < PIECES)
        length = snprintf(ret_message, MAKER_MESSAGE,
                          "the board is %u x %u; it must have at least 2 rows, and %d to %d squares", rows, cols,
                          PIECES, PAWN_MAX_CELLS);
    else if (order->obstacles > cells - PIECES)
        length = snprintf(ret_message, MAKER_MESSAGE,
                          "%llu obstacles and 3 pieces are too many for the %u squares of a %u x %u board",
                          (unsigned long long)order->obstacles, cells, rows, cols);
    else if (order->turn != MAKER_RED && format != FORMAT_LINES)
        length = snprintf(ret_message, MAKER_MESSAGE, "in %s, Red always moves first; use --to ndjson with --turn",
                          format == FORMAT_TEXT ? "contest format" : "a drawing");
    return length == 0;
}

static enum outcome make(const struct maker_order *order, enum format format, struct random *random,
                         struct arena *arena, struct buffer *out) {
    unsigned rows = (unsigned)order->rows, cols = (unsigned)order->cols;
    char cells[PAWN_MAX_CELLS];
    (void)arena;
    pawn_make_board(rows, cols, (unsigned)order->obstacles, random, cells);
    if (format == FORMAT_LINES) {
        /* The turn is drawn last, so the board does not depend on the option. */
        bool black = order->turn == MAKER_BLACK || (order->turn == MAKER_ANY_TURN && random_below(random, 2) != 0);
        buffer_put_literal(out, "{\"board\":");
        json_put_rows(out, cells, rows, cols);
        buffer_put_string(out, black ? ",\"turn\":\"Black\"}\n" : "}\n");
        return out->outcome;
    }
    if (format == FORMAT_TEXT)
        buffer_printf(out, "%u %u\n", rows, cols);
    for (unsigned r = 0; r < rows; r++)
        buffer_printf(out, "%.*s\n", (int)cols, cells + (size_t)r * cols);
    return out->outcome;
}

static const char *const options[] = {"rows", "cols", "obstacles", "turn", NULL};

const struct game_maker pawn_maker = {
    .options = options, .defaults = {.rows = 6, .cols = 6}, .text_head = "1 ", .check = check, .make = make};
