#include "api/mine/text.h"

#include "api/mine/case.h"
#include "base/bits.h"

/* Read the sides of the field into the case. */
static bool read_sides(struct text_reader *reader, struct mine_case *the_case) {
    const struct mine_limits *limits = reader->limits;
    int64_t rows, cols;
    struct text_token first; /* where to report a field that is too large */
    if (!text_read_number(reader, "the number of rows", &first, &rows) ||
        !text_check_range(reader, "the number of rows", first, 1, MINE_CASE_SIDE, rows) ||
        !text_read_ranged(reader, "the number of columns", 1, MINE_CASE_SIDE, &cols))
        return false;
    if ((uint64_t)(rows * cols) > limits->max_mine_cells)
        return text_refuse(reader, first.at, FAULT_RANGE, "the field has %lld x %lld cells; max_mine_cells is %llu",
                           (long long)rows, (long long)cols, (unsigned long long)limits->max_mine_cells);
    the_case->rows = rows;
    the_case->cols = cols;
    return text_add_total(reader, first.at, (uint64_t)(rows * cols), limits->max_mine_cells_total,
                          "max_mine_cells_total");
}

/* Quickly read at most `max` mines: lines like `123 45` with a line feed. Returns the number of mines read before a
 * line of another kind. */
static int64_t read_usual_mines(struct text_reader *reader, int64_t max, struct mine_case *the_case) {
    const char *text = reader->text;
    size_t paid = reader->paid, at = text_line(reader->text, reader->at, paid),
           words = mine_words((unsigned)the_case->cols);
    unsigned rows = (unsigned)the_case->rows, cols = (unsigned)the_case->cols;
    uint64_t *mines = the_case->mines;
    int64_t count = 0;
    for (; count < max && at + TEXT_WORD <= paid; count++) {
        struct text_pair cell = text_pair_in(bits_load(text + at));
        if (cell.length == 0 || cell.first >= rows || cell.second >= cols)
            break;
        mines[cell.first * words + cell.second / 64] |= (uint64_t)1 << cell.second % 64;
        at = text_line(text, at + cell.length, paid);
    }
    reader->at = at;
    return count;
}

bool mine_text_read_case(struct text_reader *reader, void *ret_case) {
    struct mine_case *the_case = ret_case;
    struct text_token token;
    int64_t count;
    if (!read_sides(reader, the_case) || !text_read_number(reader, "the number of mines", &token, &count))
        return false;
    if (count < 0)
        return text_refuse(reader, token.at, FAULT_RANGE, "the number of mines is negative; it must be 0 or more");
    the_case->mines =
        text_alloc(reader, (size_t)the_case->rows * mine_words((unsigned)the_case->cols), sizeof *the_case->mines);
    if (the_case->mines == NULL)
        return false;
    for (;;) {
        int64_t row, col;
        count -= read_usual_mines(reader, count, the_case);
        if (count == 0)
            return true;
        if (!text_read_ranged(reader, "the mine's row", 0, the_case->rows - 1, &row) ||
            !text_read_ranged(reader, "the mine's column", 0, the_case->cols - 1, &col))
            return false;
        mine_case_add(the_case, (size_t)row, (size_t)col);
        count--;
    }
}

void mine_text_print(struct buffer *out, size_t number, const char *winner) {
    buffer_put_literal(out, "Case #");
    buffer_put_integer(out, (int64_t)number);
    buffer_put_literal(out, ": ");
    buffer_put_string(out, winner);
    buffer_put_char(out, '\n');
}
