/* POST /mine: Minesweeper for two players. */
#include "api/game/cases.h"
#include "api/game/game.h"
#include "api/game/judge.h"
#include "api/json/encode.h"
#include "api/svg/canvas.h"

#include <string.h>

static bool allocate_mines(struct decode *d, struct mine_case *the_case) {
    size_t words = (size_t)the_case->rows * mine_words((unsigned)the_case->cols);
    if (!decode_charge(d, 2 + words / 4))
        return false;
    the_case->mines = arena_calloc(d->arena, words, sizeof *the_case->mines);
    if (the_case->mines == NULL)
        d->outcome = WORK_NO_MEMORY;
    return the_case->mines != NULL;
}

static void add_mine(struct mine_case *the_case, size_t row, size_t col) {
    the_case->mines[row * mine_words((unsigned)the_case->cols) + col / 64] |= (uint64_t)1 << col % 64;
}

/* Which of eight characters are '*': bit k for text[k]. A row of 1000 is read several times as fast as by searching. */
static uint64_t find_stars(const char *text) {
    const uint64_t low = 0x7f7f7f7f7f7f7f7fu;
    uint64_t bytes = 0;
    for (int k = 0; k < 8; k++)
        bytes |= (uint64_t)(unsigned char)text[k] << 8 * k;
    bytes ^= 0x0101010101010101u * '*';
    uint64_t zero = ~(((bytes & low) + low) | bytes | low); /* the top bit of each byte that is 0 */
    return (zero >> 7) * 0x0102040810204080u >> 56;
}

static void read_board(struct decode *d, const struct field *field, const cJSON *json, const struct place *place,
                       void *target) {
    struct mine_case *the_case = target;
    struct rows_format format = {
        .characters = ".*",
        .legend = "'.' or '*'",
        .least_rows = 1,
        .most_rows = MINE_CASE_SIDE,
        .most_cols = MINE_CASE_SIDE,
        .most_cells = d->limits->max_mine_cells,
        .limit_name = "max_mine_cells",
    };
    size_t rows, cols, index = 0;
    (void)field;
    if (!decode_rows(d, json, place, &format, &rows, &cols))
        return;
    the_case->rows = (int64_t)rows;
    the_case->cols = (int64_t)cols;
    if (!allocate_mines(d, the_case))
        return;
    const cJSON *row;
    cJSON_ArrayForEach(row, json) {
        uint64_t *mines = the_case->mines + index++ * mine_words((unsigned)cols);
        size_t col = 0;
        for (; col + 8 <= cols; col += 8)
            mines[col / 64] |= find_stars(row->valuestring + col) << col % 64;
        for (; col < cols; col++)
            mines[col / 64] |= (uint64_t)(row->valuestring[col] == '*') << col % 64;
    }
}

/* Beside a board, the members of the other form do not go. */
static bool conflicts(struct decode *d, const struct mine_case *the_case, const struct place *place) {
    if (the_case->has_board)
        fault_at(d->faults, place, FAULT_CONFLICT, "%s does not go with board: give one form of the field",
                 place->member);
    return the_case->has_board;
}

static void read_side(struct decode *d, const struct field *field, const cJSON *json, const struct place *place,
                      void *target) {
    struct mine_case *the_case = target;
    int64_t side; /* the case has it already, from peek_sides */
    if (conflicts(d, the_case, place) ||
        !decode_integer(d, json, place, field->name, field->least, field->most, &side) ||
        strcmp(field->name, "rows") != 0 || the_case->rows == 0 || the_case->cols == 0)
        return;
    if ((uint64_t)(the_case->rows * the_case->cols) > d->limits->max_mine_cells)
        fault_at(d->faults, place, FAULT_RANGE, "the field has %lld x %lld cells; max_mine_cells allows %llu",
                 (long long)the_case->rows, (long long)the_case->cols, (unsigned long long)d->limits->max_mine_cells);
    else if (d->over_total)
        fault_at(d->faults, place, FAULT_RANGE, "with this field the request passes max_mine_cells_total");
}

/* One coordinate of a mine; where the side is not known, any will do. */
static bool read_coordinate(struct decode *d, const cJSON *json, const struct place *mine, size_t index, int64_t side,
                            int64_t *ret_value) {
    struct place here = {.parent = mine, .index = index};
    return decode_integer(d, json, &here, index == 0 ? "a mine's row" : "a mine's column", 0,
                          side != 0 ? side - 1 : (int64_t)1 << 53, ret_value);
}

static void read_mine(struct decode *d, const cJSON *json, const struct place *place, struct mine_case *the_case) {
    int64_t row, col;
    if (!cJSON_IsArray(json)) {
        fault_at(d->faults, place, FAULT_TYPE, "a mine is an array: [row, col]");
        return;
    }
    const cJSON *first = json->child, *second = first != NULL ? first->next : NULL;
    if (second == NULL || second->next != NULL) {
        fault_at(d->faults, place, FAULT_LENGTH, "a mine has %d elements; 2 are needed", cJSON_GetArraySize(json));
        return;
    }
    bool good = read_coordinate(d, first, place, 0, the_case->rows, &row);
    good = read_coordinate(d, second, place, 1, the_case->cols, &col) && good;
    if (good && the_case->mines != NULL)
        add_mine(the_case, (size_t)row, (size_t)col);
}

static void read_mines(struct decode *d, const struct field *field, const cJSON *json, const struct place *place,
                       void *target) {
    struct mine_case *the_case = target;
    if (conflicts(d, the_case, place))
        return;
    if (!cJSON_IsArray(json)) {
        fault_at(d->faults, place, FAULT_TYPE, "%s is no array", field->name);
        return;
    }
    bool fits = the_case->rows != 0 && the_case->cols != 0 &&
                (uint64_t)(the_case->rows * the_case->cols) <= d->limits->max_mine_cells;
    if (!decode_charge(d, 2 + 2 * (uint64_t)cJSON_GetArraySize(json)) || (fits && !allocate_mines(d, the_case)))
        return;
    const cJSON *mine;
    size_t index = 0;
    cJSON_ArrayForEach(mine, json) {
        struct place here = {.parent = place, .index = index++};
        read_mine(d, mine, &here, the_case);
    }
}

enum { PART_WINS, PART_BOARD };
static const char *const parts[] = {[PART_WINS] = "wins", [PART_BOARD] = "board", NULL};

static const struct field fields[] = {
    {.name = "board", .read = read_board},
    {.name = "rows", .read = read_side, .least = 1, .most = MINE_CASE_SIDE},
    {.name = "cols", .read = read_side, .least = 1, .most = MINE_CASE_SIDE},
    {.name = "mines", .read = read_mines},
    {.name = "include", .read = read_include, .offset = offsetof(struct mine_case, include), .words = parts},
    {.name = "id", .read = read_id, .offset = offsetof(struct mine_case, id)},
};

static const struct object case_object = {"the case", fields, sizeof fields / sizeof *fields};

/* Exactly one of the two forms: what is missing of it. */
static void check_form(struct decode *d, const cJSON *json, const struct place *place) {
    static const char *const list_form[] = {"rows", "cols", "mines"};
    int given = 0;
    for (int i = 0; i < 3; i++)
        given += find_member(json, list_form[i]) != NULL;
    if (given == 0)
        fault_at(d->faults, place, FAULT_MISSING,
                 "the case has no member \"board\", nor \"rows\", \"cols\", \"mines\"");
    for (int i = 0; i < 3 && given != 0; i++)
        if (find_member(json, list_form[i]) == NULL)
            fault_at(d->faults, place, FAULT_MISSING, "the case has no member \"%s\"", list_form[i]);
}

static void decode(struct decode *d, const cJSON *json, const struct place *place, void *ret_case) {
    struct mine_case *the_case = ret_case;
    if (cJSON_IsObject(json)) {
        the_case->has_board = find_member(json, "board") != NULL;
        if (!the_case->has_board) {
            check_form(d, json, place);
            the_case->rows = peek_integer(json, "rows", 1, MINE_CASE_SIDE, 0);
            the_case->cols = peek_integer(json, "cols", 1, MINE_CASE_SIDE, 0);
        }
    }
    decode_object(d, &case_object, json, place, the_case);
}

static uint64_t weigh(const struct api_limits *limits, const cJSON *json) {
    const cJSON *board = find_member(json, "board");
    uint64_t cells = board != NULL ? peek_cells(board)
                                   : (uint64_t)(peek_integer(json, "rows", 1, MINE_CASE_SIDE, 0) *
                                                peek_integer(json, "cols", 1, MINE_CASE_SIDE, 0));
    return cells <= limits->max_mine_cells ? cells : 0;
}

/* How many winning clicks are listed. */
enum { MOST_WINS = 1000 };

static bool asks_for(const struct mine_case *the_case, const struct answering *a, unsigned part) {
    return a->form == API_JSON && the_case->include >> part & 1;
}

static void put_wins(struct buffer *out, const struct mine_clicks *clicks, unsigned cols) {
    if (!clicks->known) {
        buffer_put_literal(out, ",\"wins\":null,\"wins_total\":null");
        return;
    }
    buffer_put_literal(out, ",\"wins\":[");
    for (uint32_t k = 0; k < clicks->count; k++)
        buffer_printf(out, "%s[%u,%u]", k == 0 ? "" : ",", clicks->cells[k] / cols, clicks->cells[k] % cols);
    buffer_printf(out, "],\"wins_total\":%u", clicks->total);
}

/* The field turned over, row by row. */
static enum work_outcome put_board(struct buffer *out, const struct mine_field *field, const struct answering *a) {
    size_t cells = (size_t)field->rows * field->cols;
    if (!work_charge(a->work, 5 + cells))
        return WORK_EXHAUSTED;
    char *shown = arena_alloc(a->arena, cells);
    if (shown == NULL)
        return WORK_NO_MEMORY;
    mine_show(field, shown);
    buffer_put_literal(out, ",\"board\":[");
    for (unsigned r = 0; r < field->rows; r++) {
        buffer_put_string(out, r == 0 ? "\"" : ",\"");
        buffer_put(out, shown + (size_t)r * field->cols, field->cols);
        buffer_put_char(out, '"');
    }
    buffer_put_char(out, ']');
    return WORK_DONE;
}

static void put_verdict(struct buffer *out, const struct mine_verdict *verdict) {
    buffer_put_literal(out, "\"verdict\":\"");
    buffer_put_string(out, !verdict->known ? "Unknown" : verdict->nimber != 0 ? "Xiemao" : "Fanglaoshi");
    buffer_put_literal(out, "\",\"nimber\":");
    if (verdict->known)
        buffer_put_integer(out, verdict->nimber);
    else
        buffer_put_literal(out, "null");
    buffer_put_literal(out, ",\"openings\":");
    buffer_put_integer(out, verdict->openings);
    buffer_put_literal(out, ",\"three_bv\":");
    buffer_put_integer(out, verdict->three_bv);
    buffer_put_literal(out, ",\"shared_numbers\":");
    buffer_put_integer(out, verdict->shared_numbers);
    if (!verdict->known)
        buffer_printf(out, ",\"unsolved\":{\"at\":[%u,%u],\"openings\":%u,\"numbers\":%u}", verdict->unsolved.row,
                      verdict->unsolved.col, verdict->unsolved.openings, verdict->unsolved.numbers);
}

/* Larger pictures than this would be of no use to anybody. */
enum { MOST_DRAWN_CELLS = 10000 };

static bool can_draw(const void *the_case) {
    const struct mine_case *mine_case = the_case;
    return mine_case->rows * mine_case->cols <= MOST_DRAWN_CELLS;
}

static enum work_outcome draw(const struct mine_field *field, const struct mine_verdict *verdict,
                              const struct mine_clicks *clicks, const struct answering *a, struct buffer *out) {
    size_t cells = (size_t)field->rows * field->cols;
    if (!work_charge(a->work, 100 + 10 * cells))
        return WORK_EXHAUSTED;
    char *shown = arena_alloc(a->arena, cells);
    uint32_t *openings = arena_array(a->arena, cells, sizeof *openings);
    if (shown == NULL || openings == NULL)
        return WORK_NO_MEMORY;
    mine_show(field, shown);
    enum work_outcome outcome = mine_name_blanks(field, a->arena, a->work, openings);
    if (outcome == WORK_DONE)
        svg_mine(out, &(struct svg_field){
                          .rows = field->rows,
                          .cols = field->cols,
                          .cells = shown,
                          .opening = openings,
                          .wins = clicks->cells,
                          .win_count = clicks->count,
                          .known = verdict->known,
                          .nimber = verdict->nimber,
                          .wins_known = clicks->known,
                      });
    return outcome;
}

static enum work_outcome answer(const void *the_case, const struct answering *a, struct buffer *out) {
    const struct mine_case *mine_case = the_case;
    struct mine_field field = {(unsigned)mine_case->rows, (unsigned)mine_case->cols, mine_case->mines};
    struct mine_verdict verdict;
    struct mine_clicks clicks;
    bool wins = asks_for(mine_case, a, PART_WINS) || a->form == API_SVG;
    uint32_t most = a->form == API_SVG ? MOST_DRAWN_CELLS : MOST_WINS;
    enum work_outcome outcome =
        wins ? mine_solve_with_clicks(&field, a->search_states, most, a->arena, a->work, NULL, &verdict, &clicks)
             : mine_solve(&field, a->search_states, a->arena, a->work, NULL, &verdict);
    if (outcome != WORK_DONE)
        return outcome;
    if (a->form == API_TEXT) {
        judge_print_mine(out, a->number, &verdict);
        return WORK_DONE;
    }
    if (a->form == API_SVG)
        return draw(&field, &verdict, &clicks, a, out);
    put_result_head(out, &mine_case->id);
    put_verdict(out, &verdict);
    if (wins)
        put_wins(out, &clicks, field.cols);
    if (asks_for(mine_case, a, PART_BOARD))
        outcome = put_board(out, &field, a);
    buffer_put_char(out, '}');
    return outcome;
}

const struct game mine_game = {
    .name = "mine",
    .case_size = sizeof(struct mine_case),
    .decode = decode,
    .weigh = weigh,
    .total_offset = offsetof(struct api_limits, max_mine_cells_total),
    .read_head = judge_read_mine_head,
    .read_case = judge_read_mine,
    .can_draw = can_draw,
    .answer = answer,
};
