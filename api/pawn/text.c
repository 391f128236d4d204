#include "api/game/judge.h"

#include "api/json/encode.h"
#include "api/pawn/board.h"

bool judge_read_pawn_head(struct reader *reader, uint64_t *ret_cases) {
    struct token id;
    int64_t unused, cases;
    if (!read_number(reader, "the id", &id, &unused) ||
        !read_ranged(reader, "the number of cases", 1, (int64_t)reader->limits->max_cases, &cases))
        return false;
    *ret_cases = (uint64_t)cases;
    return true;
}

/* One row into the board; `row` counts from 0. */
static bool read_row(struct reader *reader, struct pawn_board *board, unsigned row, size_t *ret_at) {
    struct token token;
    if (!read_token(reader, "a row of the board", &token))
        return false;
    *ret_at = token.at;
    if (token.length != board->position->cols)
        return reader_malformed(reader, token.at, "a row of the wrong length");
    for (unsigned col = 0; col < token.length; col++) {
        const char *cell = reader->text + token.at + col;
        if (!pawn_board_put(board, row, col, *cell))
            return reader_refuse(reader, token.at + col, FAULT_VALUE, PAWN_WRONG_CHARACTER,
                                 quote_character(cell, token.length - col).text);
    }
    return true;
}

bool judge_read_pawn(struct reader *reader, void *ret_case) {
    struct pawn_case *the_case = ret_case;
    struct pawn_board board = {.position = &the_case->position};
    struct token size;
    int64_t rows, cols;
    size_t first_row = 0, at;
    if (!read_number(reader, "the number of rows", &size, &rows))
        return false;
    if (rows < 2 || rows > (int64_t)reader->limits->max_pawn_cells)
        return reader_refuse(reader, size.at, FAULT_RANGE, "a board has 2 to %llu rows",
                             (unsigned long long)reader->limits->max_pawn_cells);
    if (!read_ranged(reader, "the number of columns", 1, (int64_t)reader->limits->max_pawn_cells, &cols))
        return false;
    if ((uint64_t)rows * (uint64_t)cols > reader->limits->max_pawn_cells)
        return reader_refuse(reader, size.at, FAULT_RANGE, "a board of %lld x %lld cells; max_pawn_cells allows %llu",
                             (long long)rows, (long long)cols, (unsigned long long)reader->limits->max_pawn_cells);
    if (!reader_add_total(reader, size.at, (uint64_t)(rows * cols), reader->limits->max_pawn_cells_total,
                          "max_pawn_cells_total"))
        return false;
    the_case->position.rows = (unsigned)rows;
    the_case->position.cols = (unsigned)cols;
    for (unsigned row = 0; row < rows; row++) {
        if (!read_row(reader, &board, row, &at))
            return false;
        if (row == 0)
            first_row = at;
    }
    /* The judge's Red always moves first. */
    if (board.reds != 2)
        return reader_refuse(reader, first_row, FAULT_COUNT, PAWN_WRONG_REDS, board.reds);
    if (board.pawns != 1)
        return reader_refuse(reader, first_row, FAULT_COUNT, PAWN_WRONG_PAWNS, board.pawns);
    return true;
}

void judge_print_pawn(struct buffer *out, struct pawn_verdict verdict) {
    if (verdict.winner == PAWN_TIE) {
        buffer_put_literal(out, "Tie\n");
        return;
    }
    buffer_put_string(out, verdict.winner == PAWN_RED_WINS ? "Red " : "Black ");
    buffer_put_integer(out, verdict.steps);
    buffer_put_char(out, '\n');
}
