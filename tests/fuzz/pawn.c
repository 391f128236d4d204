/* A small crossing pawn board, compared with tests/reference. The input is a letter for the number of columns, a letter
 * for the side to move, three letters for the pieces, then the squares: '#' is an obstacle, anything else is not.
 *
 * With every move and the line, the answer must match the model's byte for byte. In contest format, where Red moves
 * first, the answer must have the same verdict. */
#include "fuzz/ask.h"

#include "reference/pawn.h"

#include <stdio.h>
#include <string.h>

enum { MAX_CELLS = 15, MAX_COLS = 5 };

/* A board and the side to move. The red pieces can be in any order. */
struct board {
    unsigned rows, cols, red[2], pawn;
    bool obstacle[MAX_CELLS], black;
};

/* Put a piece on an allowed square that no other piece occupies. Returns false if there is none. */
static bool place(struct board *board, uint8_t letter, unsigned first_cell, const unsigned *taken, unsigned count,
                  unsigned *ret_cell) {
    unsigned free_cells[MAX_CELLS], free_count = 0;
    for (unsigned cell = first_cell; cell < board->rows * board->cols; cell++) {
        bool is_free = !board->obstacle[cell];
        for (unsigned t = 0; t < count; t++)
            is_free &= taken[t] != cell;
        if (is_free)
            free_cells[free_count++] = cell;
    }
    if (free_count != 0)
        *ret_cell = free_cells[ask_choice(letter, free_count)];
    return free_count != 0;
}

/* Read the board. Returns false if the input has none. */
static bool read_board(const uint8_t *data, size_t size, struct board *ret_board) {
    unsigned taken[2];
    *ret_board = (struct board){.rows = 0};
    if (size < 5)
        return false;
    size_t cells = size - 5 < MAX_CELLS ? size - 5 : MAX_CELLS;
    ret_board->cols = 1 + ask_choice(data[0], MAX_COLS);
    ret_board->rows = (unsigned)cells / ret_board->cols;
    ret_board->black = ask_choice(data[1], 2) != 0;
    for (unsigned cell = 0; cell < ret_board->rows * ret_board->cols; cell++)
        ret_board->obstacle[cell] = data[5 + cell] == '#';
    if (ret_board->rows < 2 || !place(ret_board, data[2], ret_board->cols, NULL, 0, &ret_board->pawn))
        return false;
    taken[0] = ret_board->pawn;
    if (!place(ret_board, data[3], 0, taken, 1, &ret_board->red[0]))
        return false;
    taken[1] = ret_board->red[0];
    return place(ret_board, data[4], 0, taken, 2, &ret_board->red[1]);
}

/* Write the rows, separated by a text. */
static void put_rows(struct buffer *out, const struct board *board, const char *between) {
    for (unsigned cell = 0; cell < board->rows * board->cols; cell++) {
        if (cell % board->cols == 0)
            buffer_put_string(out, cell == 0 ? "" : between);
        bool red = cell == board->red[0] || cell == board->red[1];
        buffer_put_char(out, red ? 'O' : cell == board->pawn ? 'X' : board->obstacle[cell] ? '#' : '.');
    }
}

static void put_case(struct buffer *out, const struct board *board) {
    buffer_put_string(out, "{\"board\":[\"");
    put_rows(out, board, "\",\"");
    buffer_printf(out, "\"],\"turn\":\"%s\",\"include\":[\"moves\",\"line\"]}", board->black ? "Black" : "Red");
}

static void put_value(struct buffer *out, struct reference_pawn_value value) {
    const char *word = value.winner == 'R' ? "Red" : value.winner == 'B' ? "Black" : "Tie";
    if (value.winner == 'T')
        buffer_printf(out, "\"verdict\":\"%s\",\"steps\":null", word);
    else
        buffer_printf(out, "\"verdict\":\"%s\",\"steps\":%u", word, value.steps);
}

static void put_move(struct buffer *out, const struct board *board, const struct reference_pawn_move *move) {
    buffer_printf(out, "{\"from\":[%u,%u],\"to\":[%u,%u]", move->from / board->cols, move->from % board->cols,
                  move->to / board->cols, move->to % board->cols);
}

static void put_moves(struct buffer *out, const struct board *board, const struct reference_pawn *model) {
    struct reference_pawn_move moves[REFERENCE_PAWN_MAX_MOVES];
    unsigned count = reference_pawn_ranking(model, board->red[0], board->red[1], board->pawn, board->black, moves);
    buffer_put_string(out, ",\"moves\":[");
    for (unsigned m = 0; m < count; m++) {
        buffer_put_string(out, m == 0 ? "" : ",");
        put_move(out, board, &moves[m]);
        buffer_put_char(out, ',');
        put_value(out, moves[m].value);
        buffer_put_char(out, '}');
    }
    buffer_put_char(out, ']');
}

/* Write the line: play best moves until the game is over. */
static void put_line(struct buffer *out, struct board board, const struct reference_pawn *model, unsigned steps) {
    struct reference_pawn_move moves[REFERENCE_PAWN_MAX_MOVES];
    buffer_put_string(out, ",\"line\":[");
    for (unsigned s = 0; s < steps; s++) {
        INSIST(reference_pawn_ranking(model, board.red[0], board.red[1], board.pawn, board.black, moves) != 0);
        buffer_put_string(out, s == 0 ? "" : ",");
        put_move(out, &board, &moves[0]);
        buffer_put_char(out, '}');
        *(board.black ? &board.pawn : &board.red[board.red[0] != moves[0].from]) = moves[0].to;
        board.black = !board.black;
    }
    char end = reference_pawn_end(model, board.red[0], board.red[1], board.pawn, board.black);
    buffer_put_string(out, "],\"reason\":");
    buffer_put_string(out, end == 'F'   ? "\"first-row\"}\n"
                           : end == 'C' ? "\"capture\"}\n"
                           : end == 'N' ? "\"no-move\"}\n"
                                        : "null}\n");
}

static void insist_text(const struct board *board, struct reference_pawn_value value) {
    struct buffer body;
    char wanted[32];
    int length = value.winner == 'T'
                     ? snprintf(wanted, sizeof wanted, "Tie\n")
                     : snprintf(wanted, sizeof wanted, "%s %u\n", value.winner == 'R' ? "Red" : "Black", value.steps);
    buffer_init(&body, SIZE_MAX, NULL);
    buffer_printf(&body, "7 1\n%u %u\n", board->rows, board->cols);
    put_rows(&body, board, "\n");
    struct asked asked = {"POST", "/pawn", ASK_TEXT, ASK_TEXT, body.data, body.length, false, 0};
    struct response response = ask(&asked);
    ask_insist_bytes(&response, wanted, (size_t)length);
    response_clear(&response);
    buffer_clear(&body);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct board board;
    struct buffer body, wanted;
    if (!read_board(data, size, &board))
        return 0;
    buffer_init(&body, SIZE_MAX, NULL);
    buffer_init(&wanted, SIZE_MAX, NULL);
    put_case(&body, &board);
    struct asked asked = {"POST", "/pawn", ASK_JSON, ASK_JSON, body.data, body.length, false, 0};
    struct response response = ask_in_turns(&asked, ask_seed(data, size));
    struct reference_pawn *model = reference_pawn_new(board.rows, board.cols, board.obstacle);
    struct reference_pawn_value value =
        reference_pawn_value(model, board.red[0], board.red[1], board.pawn, board.black);
    buffer_put_char(&wanted, '{');
    put_value(&wanted, value);
    put_moves(&wanted, &board, model);
    put_line(&wanted, board, model, value.winner == 'T' ? 0 : value.steps);
    ask_insist_bytes(&response, wanted.data, wanted.length);
    if (!board.black)
        insist_text(&board, value);
    reference_pawn_free(model);
    response_clear(&response);
    buffer_clear(&body);
    buffer_clear(&wanted);
    ask_end();
    return 0;
}
