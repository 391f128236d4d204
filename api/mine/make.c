#include "api/mine/make.h"

#include "api/mine/case.h"

#include <stdio.h>

enum { DEFAULT_SIDE = 9 };

void mine_make_mines(const struct mine_field *field, unsigned mines, struct random *random) {
    unsigned words = mine_words(field->cols), left = field->rows * field->cols, wanted = mines;
    ASSERT(mines <= left);
    for (unsigned r = 0; r < field->rows; r++)
        for (unsigned c = 0; c < field->cols; c++)
            field->mines[(size_t)r * words + c / 64] |= (uint64_t)random_choose(random, left--, &wanted) << c % 64;
}

static void set_defaults(struct maker_order *order) {
    if (order->rows == MAKER_UNSET)
        order->rows = DEFAULT_SIDE;
    if (order->cols == MAKER_UNSET)
        order->cols = DEFAULT_SIDE;
}

static uint64_t size_of(const struct maker_order *order) { return order->rows * order->cols; }

static bool check(const struct maker_order *order, enum format format, char ret_message[MAKER_MESSAGE]) {
    unsigned rows = (unsigned)order->rows, cols = (unsigned)order->cols;
    (void)format;
    bool fits = order->mines <= size_of(order);
    if (!fits)
        snprintf(ret_message, MAKER_MESSAGE, "%llu mines are too many for the %u cells of a %u x %u field",
                 (unsigned long long)order->mines, rows * cols, rows, cols);
    return fits;
}

static bool is_mine(const struct mine_field *field, unsigned r, unsigned c) {
    return field->mines[(size_t)r * mine_words(field->cols) + c / 64] >> c % 64 & 1;
}

/* Append a field in contest format: its sides, the number of mines, and a line for each. */
static void put_text(struct buffer *out, const struct mine_field *field, unsigned mines) {
    buffer_printf(out, "%u %u %u\n", field->rows, field->cols, mines);
    for (unsigned r = 0; r < field->rows; r++)
        for (unsigned c = 0; c < field->cols; c++)
            if (is_mine(field, r, c))
                buffer_printf(out, "%u %u\n", r, c);
}

/* Append the rows of a field, as a drawing or in JSON. */
static void put_rows(struct buffer *out, const struct mine_field *field, bool json) {
    if (json)
        buffer_put_literal(out, "{\"board\":[");
    for (unsigned r = 0; r < field->rows; r++) {
        if (json)
            buffer_put_string(out, r == 0 ? "\"" : ",\"");
        for (unsigned c = 0; c < field->cols; c++)
            buffer_put_char(out, is_mine(field, r, c) ? '*' : '.');
        buffer_put_char(out, json ? '"' : '\n');
    }
    if (json)
        buffer_put_literal(out, "]}\n");
}

static enum outcome make(const struct maker_order *order, enum format format, struct random *random,
                         struct arena *arena, struct buffer *out) {
    struct mine_field field = {.rows = (unsigned)order->rows, .cols = (unsigned)order->cols};
    field.mines = arena_calloc(arena, (size_t)field.rows * mine_words(field.cols), sizeof *field.mines);
    if (field.mines == NULL)
        return OUTCOME_NO_MEMORY;
    mine_make_mines(&field, (unsigned)order->mines, random);
    if (format == FORMAT_TEXT)
        put_text(out, &field, (unsigned)order->mines);
    else
        put_rows(out, &field, format == FORMAT_LINES);
    return out->outcome;
}

static const char *const options[] = {"rows", "cols", "mines", NULL};

const struct game_maker mine_maker = {
    .options = options,
    .set_defaults = set_defaults,
    .share = "15%",
    .check = check,
    .size_of = size_of,
    .text_head = "",
    .make = make,
};
