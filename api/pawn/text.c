#include "api/pawn/text.h"

#include "api/pawn/case.h"
#include "base/ascii.h"

bool pawn_text_read_head(struct text_reader *reader, uint64_t *ret_cases) {
    struct text_token id;
    int64_t unused;
    return text_read_number(reader, "the test id", &id, &unused) && text_read_case_count(reader, ret_cases);
}

/* Read a row into the board; `row` counts from 0. */
static bool read_row(struct text_reader *reader, struct pawn_board *board, unsigned row, size_t *ret_at) {
    struct text_token token;
    if (!text_read_token(reader, "another row of the board", &token))
        return false;
    *ret_at = token.at;
    if (token.length != board->position->cols)
        return text_refuse(reader, token.at, FAULT_SYNTAX, "row %u of the board has %zu byte%s; it must have %u",
                           row + 1, token.length, ascii_plural(token.length), board->position->cols);
    for (unsigned col = 0; col < token.length; col++) {
        const char *cell = reader->text + token.at + col;
        if (!pawn_board_put(board, row, col, *cell)) {
            text_refuse(reader, token.at + col, FAULT_VALUE, "this square is '%s'; it must be " PAWN_LEGEND,
                        fault_quote_character(cell, token.length - col).text);
            fault_list_add_cell(reader->faults, (struct fault_cell){row, col});
            return false;
        }
    }
    return true;
}

/* Read the size of the board into the position. */
static bool read_size(struct text_reader *reader, struct pawn_position *position) {
    const struct pawn_limits *limits = reader->limits;
    struct text_token first;
    int64_t rows, cols, max = (int64_t)limits->max_pawn_cells;
    if (!text_read_number(reader, "the number of rows", &first, &rows))
        return false;
    if (!text_check_range(reader, "the number of rows", first, 2, max, rows) ||
        !text_read_ranged(reader, "the number of columns", 1, max, &cols))
        return false;
    if (rows * cols > max)
        return text_refuse(reader, first.at, FAULT_RANGE, "the board has %lld x %lld squares; max_pawn_cells is %lld",
                           (long long)rows, (long long)cols, (long long)max);
    position->rows = (unsigned)rows;
    position->cols = (unsigned)cols;
    return text_add_total(reader, first.at, (uint64_t)(rows * cols), limits->max_pawn_cells_total,
                          "max_pawn_cells_total");
}

bool pawn_text_read_case(struct text_reader *reader, void *ret_case) {
    struct pawn_case *the_case = ret_case;
    struct pawn_board board = {.position = &the_case->position};
    size_t first_row = 0, at;
    if (!read_size(reader, board.position))
        return false;
    for (unsigned row = 0; row < board.position->rows; row++) {
        if (!read_row(reader, &board, row, &at))
            return false;
        if (row == 0)
            first_row = at;
    }
    /* In the contest format Red always moves first. */
    unsigned bad = pawn_board_end(&board);
    if (bad & PAWN_BAD_REDS)
        return text_refuse(reader, first_row, FAULT_COUNT, PAWN_WRONG_REDS, board.reds, ascii_plural(board.reds));
    if (bad & PAWN_BAD_PAWNS)
        return text_refuse(reader, first_row, FAULT_COUNT, PAWN_WRONG_PAWNS, board.pawns, ascii_plural(board.pawns));
    return true;
}

void pawn_text_print(struct buffer *out, struct pawn_verdict verdict) {
    buffer_put_string(out, pawn_winner_words[verdict.winner]);
    if (verdict.winner != PAWN_TIE) {
        buffer_put_char(out, ' ');
        buffer_put_integer(out, verdict.steps);
    }
    buffer_put_char(out, '\n');
}
