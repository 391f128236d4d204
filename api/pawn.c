/* POST /pawn: the crossing-pawn game. */
#include "api/cases.h"
#include "api/encode.h"
#include "api/forms/judge.h"
#include "api/game.h"
#include "api/pawn_board.h"
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
static const char *const parts[] = {NULL};

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

static enum outcome answer(const void *the_case, const struct answering *a, struct buffer *out) {
    static const char *const winners[] = {[PAWN_RED_WINS] = "Red", [PAWN_BLACK_WINS] = "Black", [PAWN_TIE] = "Tie"};
    const struct pawn_case *pawn_case = the_case;
    struct pawn_verdict verdict;
    enum outcome outcome = pawn_solve(&pawn_case->position, a->arena, a->work, &verdict);
    if (outcome != DONE)
        return outcome;
    if (a->form == API_TEXT) {
        judge_print_pawn(out, verdict);
        return DONE;
    }
    put_result_head(out, &pawn_case->id);
    put_literal(out, "\"verdict\":\"");
    buffer_put_string(out, winners[verdict.winner]);
    put_literal(out, "\",\"steps\":");
    if (verdict.winner == PAWN_TIE)
        put_literal(out, "null");
    else
        buffer_put_integer(out, verdict.steps);
    put_literal(out, "}");
    return DONE;
}

const struct game pawn_game = {
    .name = "pawn",
    .case_size = sizeof(struct pawn_case),
    .decode = decode,
    .weigh = weigh,
    .total_offset = offsetof(struct api_limits, max_pawn_cells_total),
    .read_head = judge_read_pawn_head,
    .read_case = judge_read_pawn,
    .answer = answer,
};
