#include "api/pawn/json.h"

#include "api/json/encode.h"
#include "base/ascii.h"

static void read_board(struct json_decode *d, const struct json_field *field, const cJSON *json,
                       const struct place *place, void *target) {
    struct pawn_case *the_case = target;
    const struct pawn_limits *limits = d->context->limits;
    struct pawn_board board = {.position = &the_case->position};
    struct json_rows_format format = {
        .characters = PAWN_CHARACTERS,
        .others = PAWN_OTHER_CHARACTERS,
        .legend = PAWN_LEGEND,
        .unit = "squares",
        .min_rows = 2,
        .max_side = SIZE_MAX,
        .max_cells = limits->max_pawn_cells,
        .limit_name = "max_pawn_cells",
        .over_total = d->context->over_total,
    };
    struct json_rows rows;
    unsigned index = 0;
    (void)field;
    if (!json_decode_rows(d, json, place, &format, &rows))
        return;
    the_case->position.rows = (unsigned)rows.rows;
    the_case->position.cols = (unsigned)rows.cols;
    const cJSON *row;
    cJSON_ArrayForEach(row, rows.array) {
        for (unsigned col = 0; col < rows.cols; col++)
            pawn_board_put(&board, index, col, row->valuestring[col]);
        index++;
    }
    unsigned bad = pawn_board_end(&board);
    if (bad & PAWN_BAD_REDS)
        fault_at(d->faults, place, FAULT_COUNT, PAWN_WRONG_REDS, board.reds, ascii_plural(board.reds));
    if (bad & PAWN_BAD_PAWNS)
        fault_at(d->faults, place, FAULT_COUNT, PAWN_WRONG_PAWNS, board.pawns, ascii_plural(board.pawns));
}

static const char *const parts[] = {
    [PAWN_INCLUDE_MOVES] = "moves", [PAWN_INCLUDE_LINE] = "line", [PAWN_INCLUDE_BOARDS] = "boards", case_part, NULL};

static const struct json_field fields[] = {
    {.name = "board", .read = read_board, .required = true},
    {.name = "turn",
     .read = json_read_side,
     .offset = offsetof(struct pawn_case, turn),
     .words = pawn_side_words,
     .is_default = true},
    {.name = "include",
     .read = case_read_include,
     .offset = offsetof(struct pawn_case, include),
     .words = parts,
     .is_default = true},
    {.name = "id", .read = case_read_id},
};

const struct json_object pawn_json_members = {"a /pawn case", fields, sizeof fields / sizeof *fields};

void pawn_json_decode(struct json_decode *d, const cJSON *json, const struct place *place, void *ret_case) {
    struct pawn_case *the_case = ret_case;
    json_decode_object(d, &pawn_json_members, json, place, the_case);
    struct pawn_position *position = &the_case->position;
    if (position->red[0] != position->pawn && position->red[1] != position->pawn)
        position->turn = (enum pawn_side)the_case->turn;
}

static void put_verdict(struct buffer *out, struct pawn_verdict verdict) {
    buffer_put_literal(out, "\"verdict\":\"");
    buffer_put_string(out, pawn_winner_words[verdict.winner]);
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

/* Append a move without its closing brace. */
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
    const char *reason = pawn_end_words[pawn_position_end(&position)];
    if (reason == NULL) {
        buffer_put_literal(out, "null");
        return;
    }
    buffer_put_char(out, '"');
    buffer_put_string(out, reason);
    buffer_put_char(out, '"');
}

/* If two pieces share a square, the one that has captured the other is shown. */
static void put_board(struct buffer *out, const struct pawn_position *position) {
    unsigned cells = position->rows * position->cols;
    char board[PAWN_MAX_CELLS];
    for (unsigned cell = 0; cell < cells; cell++)
        board[cell] = position->obstacle[cell] ? '#' : '.';
    board[position->red[0]] = board[position->red[1]] = 'O';
    if (!pawn_is_captured(position))
        board[position->pawn] = 'X';
    json_put_rows(out, board, position->rows, position->cols);
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

void pawn_json_encode(const struct pawn_case *the_case, const struct pawn_answer *answer, struct buffer *out) {
    const struct pawn_position *root = &the_case->position;
    case_put_result_head(out, &the_case->echo);
    put_verdict(out, answer->verdict);
    if (the_case->include >> PAWN_INCLUDE_MOVES & 1)
        put_moves(out, answer, root);
    if (the_case->include >> PAWN_INCLUDE_LINE & 1)
        put_line(out, answer, root);
    if (the_case->include >> PAWN_INCLUDE_BOARDS & 1)
        put_boards(out, answer, root);
    buffer_put_char(out, '}');
}
