#include "api/mine/make.h"

#include "api/json/encode.h"

#include <stdio.h>

void mine_make_cells(uint32_t count, uint32_t mines, struct random *random, char *ret_cells) {
    for (uint32_t cell = 0, wanted = mines; cell < count; cell++)
        ret_cells[cell] = random_choose(random, count - cell, &wanted) ? '*' : '.';
}

static bool check(const struct maker_order *order, enum format format, char ret_message[MAKER_MESSAGE]) {
    unsigned rows = (unsigned)order->rows, cols = (unsigned)order->cols;
    (void)format;
    snprintf(ret_message, MAKER_MESSAGE, "%llu mines are too many for the %u cells of a %u x %u field",
             (unsigned long long)order->mines, rows * cols, rows, cols);
    return order->mines <= order->rows * order->cols;
}

static enum outcome make(const struct maker_order *order, enum format format, struct random *random,
                         struct arena *arena, struct buffer *out) {
    uint32_t rows = (uint32_t)order->rows, cols = (uint32_t)order->cols, mines = (uint32_t)order->mines;
    char *cells = arena_alloc(arena, (size_t)rows * cols);
    if (cells == NULL)
        return OUTCOME_NO_MEMORY;
    mine_make_cells(rows * cols, mines, random, cells);
    if (format == FORMAT_LINES) {
        buffer_put_literal(out, "{\"board\":");
        json_put_rows(out, cells, rows, cols);
        buffer_put_literal(out, "}\n");
        return out->outcome;
    }
    if (format == FORMAT_TEXT)
        buffer_printf(out, "%u %u %u\n", rows, cols, mines);
    for (uint32_t cell = 0; format == FORMAT_TEXT && cell < rows * cols; cell++)
        if (cells[cell] == '*')
            buffer_printf(out, "%u %u\n", cell / cols, cell % cols);
    for (uint32_t r = 0; format != FORMAT_TEXT && r < rows; r++)
        buffer_printf(out, "%.*s\n", (int)cols, cells + (size_t)r * cols);
    return out->outcome;
}

static const char *const options[] = {"rows", "cols", "mines", NULL};

const struct game_maker mine_maker = {
    .options = options, .defaults = {.rows = 9, .cols = 9}, .text_head = "", .check = check, .make = make};
