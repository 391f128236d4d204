#include "api/game/judge.h"

bool judge_read_mine_head(struct reader *reader, uint64_t *ret_cases) { return judge_read_go_head(reader, ret_cases); }

bool judge_read_mine(struct reader *reader, void *ret_case) {
    struct mine_case *the_case = ret_case;
    int64_t rows, cols, count;
    size_t at = reader->at;
    struct token first;
    /* The place of a field that is too large is its first number. */
    if (!read_token(reader, "the number of rows", &first))
        return false;
    reader->at = at;
    if (!read_ranged(reader, "the number of rows", 1, MINE_CASE_SIDE, &rows) ||
        !read_ranged(reader, "the number of columns", 1, MINE_CASE_SIDE, &cols))
        return false;
    if ((uint64_t)(rows * cols) > reader->limits->max_mine_cells)
        return reader_refuse(reader, first.at, FAULT_RANGE, "a field of %lld x %lld cells; max_mine_cells allows %llu",
                             (long long)rows, (long long)cols, (unsigned long long)reader->limits->max_mine_cells);
    if (!reader_add_total(reader, first.at, (uint64_t)(rows * cols), reader->limits->max_mine_cells_total,
                          "max_mine_cells_total") ||
        !read_number(reader, "the number of mines", &first, &count))
        return false;
    if (count < 0)
        return reader_refuse(reader, first.at, FAULT_RANGE, "the number of mines is negative");
    unsigned words = mine_words((unsigned)cols);
    the_case->rows = rows;
    the_case->cols = cols;
    the_case->mines = reader_alloc(reader, (size_t)rows * words, sizeof *the_case->mines);
    if (the_case->mines == NULL)
        return false;
    for (int64_t k = 0; k < count; k++) {
        int64_t row, col;
        if (!read_ranged(reader, "a mine's row", 0, rows - 1, &row) ||
            !read_ranged(reader, "a mine's column", 0, cols - 1, &col))
            return false;
        the_case->mines[(size_t)row * words + (size_t)col / 64] |= (uint64_t)1 << col % 64;
    }
    return true;
}

void judge_print_mine(struct buffer *out, size_t number, const struct mine_verdict *verdict) {
    buffer_put_string(out, "Case #");
    buffer_put_integer(out, (int64_t)number);
    buffer_put_string(out, !verdict->known ? ": Unknown\n" : verdict->nimber != 0 ? ": Xiemao\n" : ": Fanglaoshi\n");
}
