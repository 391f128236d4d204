/* POST /pawn: the crossing-pawn game. */
#include "api/game/cases.h"
#include "api/game/game.h"
#include "api/game/judge.h"
#include "api/json/encode.h"
#include "api/pawn/board.h"
#include "api/svg/canvas.h"
#include "pawn/solve.h"

#include <string.h>

bool pawn_board_put(struct pawn_board *board, unsigned row, unsigned col, char character) {
    unsigned cell = row * board->position->cols + col;
    switch (character) {
    case '.':
        return true;
    case '#':
        board->position->obstacle[cell] = true;
        return true;
    case 'O':
        if (board->reds < 2)
            board->position->red[board->reds] = cell;
        board->reds++;
        return true;
    case 'X':
        board->position->pawn = cell;
        board->pawns++;
        return row != 0;
    default:
        return false;
    }
}

static void read_board(struct decode *d, const struct field *field, const cJSON *json, const struct place *place,
                       void *target) {
    struct pawn_case *the_case = target;
    struct pawn_board board = {.position = &the_case->position};
    struct rows_format format = {
        .characters = PAWN_CHARACTERS,
        .legend = "'.', '#', 'O' or 'X'",
        .least_rows = 2,
        .most_rows = SIZE_MAX,
        .most_cols = SIZE_MAX,
        .most_cells = d->limits->max_pawn_cells,
        .limit_name = "max_pawn_cells",
    };
    size_t rows, cols, index = 0;
    (void)field;
    if (!decode_rows(d, json, place, &format, &rows, &cols))
        return;
    the_case->position.rows = (unsigned)rows;
    the_case->position.cols = (unsigned)cols;
    const cJSON *row;
    cJSON_ArrayForEach(row, json) {
        struct place here = {.parent = place, .index = index};
        for (unsigned col = 0; col < cols; col++)
            if (!pawn_board_put(&board, (unsigned)index, col, row->valuestring[col])) {
                fault_at(d->faults, &here, FAULT_VALUE, "the pawn 'X' stands in the first row");
                return;
            }
        index++;
    }
    if (board.reds != 2)
        fault_at(d->faults, place, FAULT_COUNT, PAWN_WRONG_REDS, board.reds);
    if (board.pawns != 1)
        fault_at(d->faults, place, FAULT_COUNT, PAWN_WRONG_PAWNS, board.pawns);
}

static const char *const turns[] = {[PAWN_RED] = "Red", [PAWN_BLACK] = "Black", NULL};
enum { PART_MOVES, PART_LINE, PART_BOARDS };
static const char *const parts[] = {[PART_MOVES] = "moves", [PART_LINE] = "line", [PART_BOARDS] = "boards", NULL};

static const struct field fields[] = {
    {.name = "board", .read = read_board, .required = true},
    {.name = "turn", .read = read_word, .offset = offsetof(struct pawn_case, turn), .words = turns},
    {.name = "include", .read = read_include, .offset = offsetof(struct pawn_case, include), .words = parts},
    {.name = "id", .read = read_id, .offset = offsetof(struct pawn_case, id)},
};

static const struct object case_object = {"the case", fields, sizeof fields / sizeof *fields};

static void decode(struct decode *d, const cJSON *json, const struct place *place, void *ret_case) {
    struct pawn_case *the_case = ret_case;
    decode_object(d, &case_object, json, place, the_case);
    the_case->position.turn = the_case->turn;
}

static uint64_t weigh(const struct api_limits *limits, const cJSON *json) {
    uint64_t cells = peek_cells(find_member(json, "board"));
    return cells <= limits->max_pawn_cells ? cells : 0;
}

static bool asks_for(const struct pawn_case *the_case, unsigned part) { return the_case->include >> part & 1; }

static void put_verdict(struct buffer *out, struct pawn_verdict verdict) {
    static const char *const winners[] = {[PAWN_RED_WINS] = "Red", [PAWN_BLACK_WINS] = "Black", [PAWN_TIE] = "Tie"};
    buffer_put_literal(out, "\"verdict\":\"");
    buffer_put_string(out, winners[verdict.winner]);
    buffer_put_literal(out, "\",\"steps\":");
    if (verdict.winner == PAWN_TIE)
        buffer_put_literal(out, "null");
    else
        buffer_put_integer(out, verdict.steps);
}

static void put_cell(struct buffer *out, const struct pawn_position *position, unsigned cell) {
    buffer_put_char(out, '[');
    buffer_put_integer(out, cell / position->cols);
    buffer_put_char(out, ',');
    buffer_put_integer(out, cell % position->cols);
    buffer_put_char(out, ']');
}

/* A move, without its closing brace. */
static void put_move(struct buffer *out, const struct pawn_position *position, struct pawn_move move) {
    buffer_put_literal(out, "{\"from\":");
    put_cell(out, position, move.from);
    buffer_put_literal(out, ",\"to\":");
    put_cell(out, position, move.to);
}

static void put_moves(struct buffer *out, const struct pawn_answer *answer, const struct pawn_position *root) {
    buffer_put_literal(out, ",\"moves\":[");
    for (unsigned m = 0; m < answer->move_count; m++) {
        if (m != 0)
            buffer_put_char(out, ',');
        put_move(out, root, answer->moves[m].move);
        buffer_put_char(out, ',');
        put_verdict(out, answer->moves[m].verdict);
        buffer_put_char(out, '}');
    }
    buffer_put_char(out, ']');
}

static void put_line(struct buffer *out, const struct pawn_answer *answer, const struct pawn_position *root) {
    static const char *const reasons[] = {[PAWN_NOT_OVER] = "null",
                                          [PAWN_FIRST_ROW] = "\"first-row\"",
                                          [PAWN_CAPTURE] = "\"capture\"",
                                          [PAWN_NO_MOVE] = "\"no-move\""};
    struct pawn_position position = *root;
    buffer_put_literal(out, ",\"line\":[");
    for (unsigned m = 0; m < answer->verdict.steps; m++) {
        if (m != 0)
            buffer_put_char(out, ',');
        put_move(out, root, answer->line[m]);
        buffer_put_char(out, '}');
        pawn_position_play(&position, answer->line[m]);
    }
    buffer_put_literal(out, "],\"reason\":");
    buffer_put_string(out, reasons[pawn_position_end(&position)]);
}

/* On a shared cell the piece that moved last is drawn. */
static void put_board(struct buffer *out, const struct pawn_position *position) {
    unsigned cells = position->rows * position->cols;
    char board[PAWN_MAX_CELLS];
    for (unsigned cell = 0; cell < cells; cell++)
        board[cell] = position->obstacle[cell] ? '#' : '.';
    board[position->pawn] = 'X';
    board[position->red[0]] = board[position->red[1]] = 'O';
    if (position->turn == PAWN_RED)
        board[position->pawn] = 'X';
    for (unsigned row = 0; row < position->rows; row++) {
        buffer_put_string(out, row == 0 ? "[\"" : ",\"");
        buffer_put(out, board + row * position->cols, position->cols);
        buffer_put_char(out, '"');
    }
    buffer_put_char(out, ']');
}

static void put_boards(struct buffer *out, const struct pawn_answer *answer, const struct pawn_position *root) {
    struct pawn_position position = *root;
    buffer_put_literal(out, ",\"boards\":[");
    put_board(out, &position);
    for (unsigned m = 0; m < answer->verdict.steps; m++) {
        pawn_position_play(&position, answer->line[m]);
        buffer_put_char(out, ',');
        put_board(out, &position);
    }
    buffer_put_char(out, ']');
}

/* What the solver must find for what is asked for. */
static unsigned wants_of(const struct pawn_case *the_case, enum api_form form) {
    if (form == API_TEXT)
        return 0;
    if (form == API_SVG)
        return PAWN_LINE;
    return (asks_for(the_case, PART_MOVES) ? PAWN_MOVES : 0) |
           (asks_for(the_case, PART_LINE) || asks_for(the_case, PART_BOARDS) ? PAWN_LINE : 0);
}

/* Any board that can be solved can be drawn. */
static bool can_draw(const void *the_case) {
    (void)the_case;
    return true;
}

static enum work_outcome answer(const void *the_case, const struct answering *a, struct buffer *out) {
    const struct pawn_case *pawn_case = the_case;
    const struct pawn_position *root = &pawn_case->position;
    struct pawn_answer answer;
    enum work_outcome outcome = pawn_solve(root, wants_of(pawn_case, a->form), a->arena, a->work, &answer);
    if (outcome != WORK_DONE)
        return outcome;
    if (a->form == API_TEXT) {
        judge_print_pawn(out, answer.verdict);
        return WORK_DONE;
    }
    /* In a picture an arrow is looked at for every move (there are fewer than 8 a cell); elsewhere a move of the line
     * and its board take some 2 ns a cell. */
    uint64_t cells = root->rows * root->cols;
    if (!work_charge(a->work, a->form == API_SVG ? 500 + answer.verdict.steps * cells
                                                 : 50 + answer.verdict.steps * (20 + cells / 4)))
        return WORK_EXHAUSTED;
    if (a->form == API_SVG) {
        svg_pawn(out, root, answer.verdict, answer.line, answer.verdict.steps);
        return WORK_DONE;
    }
    put_result_head(out, &pawn_case->id);
    put_verdict(out, answer.verdict);
    if (asks_for(pawn_case, PART_MOVES))
        put_moves(out, &answer, root);
    if (asks_for(pawn_case, PART_LINE))
        put_line(out, &answer, root);
    if (asks_for(pawn_case, PART_BOARDS))
        put_boards(out, &answer, root);
    buffer_put_char(out, '}');
    return WORK_DONE;
}

const struct game pawn_game = {
    .name = "pawn",
    .case_size = sizeof(struct pawn_case),
    .decode = decode,
    .weigh = weigh,
    .total_offset = offsetof(struct api_limits, max_pawn_cells_total),
    .read_head = judge_read_pawn_head,
    .read_case = judge_read_pawn,
    .can_draw = can_draw,
    .answer = answer,
};
