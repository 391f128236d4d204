#include "api/mine/json.h"

#include "api/json/encode.h"
#include "api/json/rows.h"

#include <string.h>

static uint64_t max_cells(const struct json_decode *d) {
    return ((const struct mine_limits *)d->limits)->max_mine_cells;
}

static bool allocate_mines(struct json_decode *d, struct mine_case *the_case) {
    size_t words = (size_t)the_case->rows * mine_words((unsigned)the_case->cols);
    if (!json_decode_charge(d, 2 + words / 4))
        return false;
    the_case->mines = arena_calloc(d->arena, words, sizeof *the_case->mines);
    if (the_case->mines == NULL)
        d->outcome = WORK_NO_MEMORY;
    return the_case->mines != NULL;
}

/* Which of eight characters are '*': bit k for text[k]. A field of 1000 x 1000 is read in 0.3 ms, and in 1.2 character
 * by character. */
static uint64_t find_stars(const char *text) {
    const uint64_t low = 0x7f7f7f7f7f7f7f7fu;
    uint64_t bytes = 0;
    for (int k = 0; k < 8; k++)
        bytes |= (uint64_t)(unsigned char)text[k] << 8 * k;
    bytes ^= 0x0101010101010101u * '*';
    uint64_t zero = ~(((bytes & low) + low) | bytes | low); /* the top bit of each byte that is 0 */
    return (zero >> 7) * 0x0102040810204080u >> 56;
}

static void read_board(struct json_decode *d, const struct json_field *field, const cJSON *json,
                       const struct place *place, void *target) {
    struct mine_case *the_case = target;
    struct json_rows_format format = {
        .characters = ".*",
        .legend = "'.' or '*'",
        .least_rows = 1,
        .most_rows = MINE_CASE_SIDE,
        .most_cols = MINE_CASE_SIDE,
        .most_cells = max_cells(d),
        .limit_name = "max_mine_cells",
    };
    size_t rows, cols, index = 0;
    (void)field;
    if (!json_decode_rows(d, json, place, &format, &rows, &cols))
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

/* Beside a board, the members of a list of mines do not go. */
static bool conflicts(struct json_decode *d, const struct mine_case *the_case, const struct place *place) {
    if (the_case->has_board)
        fault_at(d->faults, place, FAULT_CONFLICT, "%s does not go with board: give one form of the field",
                 place->member);
    return the_case->has_board;
}

static void read_side(struct json_decode *d, const struct json_field *field, const cJSON *json,
                      const struct place *place, void *target) {
    struct mine_case *the_case = target;
    int64_t side; /* the case has it already, from peek_sides */
    if (conflicts(d, the_case, place) ||
        !json_decode_integer(d, json, place, field->name, field->least, field->most, &side) ||
        strcmp(field->name, "rows") != 0 || the_case->rows == 0 || the_case->cols == 0)
        return;
    if ((uint64_t)(the_case->rows * the_case->cols) > max_cells(d))
        fault_at(d->faults, place, FAULT_RANGE, "the field has %lld x %lld cells; max_mine_cells allows %llu",
                 (long long)the_case->rows, (long long)the_case->cols, (unsigned long long)max_cells(d));
    else if (d->over_total)
        fault_at(d->faults, place, FAULT_RANGE, "with this field the request passes max_mine_cells_total");
}

/* One coordinate of a mine; where the side is not known, any will do. */
static bool read_coordinate(struct json_decode *d, const cJSON *json, const struct place *mine, size_t index,
                            int64_t side, int64_t *ret_value) {
    struct place here = {.parent = mine, .index = index};
    return json_decode_integer(d, json, &here, index == 0 ? "a mine's row" : "a mine's column", 0,
                               side != 0 ? side - 1 : (int64_t)1 << 53, ret_value);
}

static void read_mine(struct json_decode *d, const cJSON *json, const struct place *place, struct mine_case *the_case) {
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
        mine_case_add(the_case, (size_t)row, (size_t)col);
}

static void read_mines(struct json_decode *d, const struct json_field *field, const cJSON *json,
                       const struct place *place, void *target) {
    struct mine_case *the_case = target;
    if (conflicts(d, the_case, place))
        return;
    if (!cJSON_IsArray(json)) {
        fault_at(d->faults, place, FAULT_TYPE, "%s is no array", field->name);
        return;
    }
    bool fits =
        the_case->rows != 0 && the_case->cols != 0 && (uint64_t)(the_case->rows * the_case->cols) <= max_cells(d);
    if (!json_decode_charge(d, 2 + 2 * (uint64_t)cJSON_GetArraySize(json)) || (fits && !allocate_mines(d, the_case)))
        return;
    const cJSON *mine;
    size_t index = 0;
    cJSON_ArrayForEach(mine, json) {
        struct place here = {.parent = place, .index = index++};
        read_mine(d, mine, &here, the_case);
    }
}

static const char *const parts[] = {[MINE_INCLUDE_WINS] = "wins", [MINE_INCLUDE_BOARD] = "board", NULL};

static const struct json_field fields[] = {
    {.name = "board", .read = read_board},
    {.name = "rows", .read = read_side, .least = 1, .most = MINE_CASE_SIDE},
    {.name = "cols", .read = read_side, .least = 1, .most = MINE_CASE_SIDE},
    {.name = "mines", .read = read_mines},
    {.name = "include", .read = json_read_parts, .offset = offsetof(struct mine_case, include), .words = parts},
    {.name = "id", .read = case_read_id, .offset = offsetof(struct mine_case, id)},
};

static const struct json_object case_object = {"the case", fields, sizeof fields / sizeof *fields};

/* Either a board or a list of mines: add what is missing. */
static void check_presence(struct json_decode *d, const cJSON *json, const struct place *place) {
    static const char *const list_members[] = {"rows", "cols", "mines"};
    int given = 0;
    for (int i = 0; i < 3; i++)
        given += json_find_member(json, list_members[i]) != NULL;
    if (given == 0)
        fault_at(d->faults, place, FAULT_MISSING,
                 "the case has no member \"board\", nor \"rows\", \"cols\", \"mines\"");
    for (int i = 0; i < 3 && given != 0; i++)
        if (json_find_member(json, list_members[i]) == NULL)
            fault_at(d->faults, place, FAULT_MISSING, "the case has no member \"%s\"", list_members[i]);
}

void mine_json_decode(struct json_decode *d, const cJSON *json, const struct place *place, void *ret_case) {
    struct mine_case *the_case = ret_case;
    if (cJSON_IsObject(json)) {
        the_case->has_board = json_find_member(json, "board") != NULL;
        if (!the_case->has_board) {
            check_presence(d, json, place);
            the_case->rows = json_peek_integer(json, "rows", 1, MINE_CASE_SIDE, 0);
            the_case->cols = json_peek_integer(json, "cols", 1, MINE_CASE_SIDE, 0);
        }
    }
    json_decode_object(d, &case_object, json, place, the_case);
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
static enum work_outcome put_board(struct buffer *out, const struct mine_field *field, struct arena *arena,
                                   struct work *work) {
    size_t cells = (size_t)field->rows * field->cols;
    if (!work_charge(work, 5 + cells))
        return WORK_EXHAUSTED;
    char *shown = arena_alloc(arena, cells);
    if (shown == NULL)
        return WORK_NO_MEMORY;
    mine_show(field, shown);
    buffer_put_literal(out, ",\"board\":");
    json_put_rows(out, shown, field->rows, field->cols);
    return WORK_DONE;
}

static void put_verdict(struct buffer *out, const struct mine_verdict *verdict) {
    buffer_put_literal(out, "\"verdict\":\"");
    buffer_put_string(out, mine_winner_word(verdict));
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

enum work_outcome mine_json_encode(const struct mine_case *the_case, const struct mine_field *field,
                                   const struct mine_verdict *verdict, const struct mine_clicks *clicks,
                                   struct arena *arena, struct work *work, struct buffer *out) {
    enum work_outcome outcome = WORK_DONE;
    case_put_head(out, &the_case->id);
    put_verdict(out, verdict);
    if (the_case->include >> MINE_INCLUDE_WINS & 1)
        put_wins(out, clicks, field->cols);
    if (the_case->include >> MINE_INCLUDE_BOARD & 1)
        outcome = put_board(out, field, arena, work);
    buffer_put_char(out, '}');
    return outcome;
}
