#include "api/mine/json.h"

#include "api/json/encode.h"
#include "base/ascii.h"
#include "base/bits.h"
#include "mine/play.h"

#include <string.h>

static uint64_t max_cells(const struct json_decode *d) {
    return ((const struct mine_limits *)d->context->limits)->max_mine_cells;
}

/* Allocate an empty bitmap of the field. Returns NULL if decoding ends. */
static uint64_t *new_map(struct json_decode *d, const struct mine_case *the_case) {
    size_t words = (size_t)the_case->rows * mine_words((unsigned)the_case->cols);
    if (!json_decode_charge(d, 2 + words / 4))
        return NULL;
    uint64_t *map = arena_calloc(d->arena, words, sizeof *map);
    if (map == NULL)
        d->outcome = OUTCOME_NO_MEMORY;
    return map;
}

/* Find which of eight characters are '*': bit k for text[k]. Testing one character at a time makes requests with fields
 * of 100 x 100 to 1000 x 1000 cells take 5 to 8 % longer. */
static uint64_t find_stars(const char *text) {
    uint64_t stars = bits_zero_bytes(bits_load(text) ^ bits_repeat('*'));
    return (stars >> 7) * 0x0102040810204080u >> 56;
}

/* Check the digits of a board, whose mines are known. Adds a fault for each that is not the number of its cell. */
static bool check_digits(struct json_decode *d, const struct mine_case *the_case, const struct json_rows *rows,
                         const struct place *place) {
    struct mine_field field = {.rows = (unsigned)rows->rows, .cols = (unsigned)rows->cols, .mines = the_case->mines};
    size_t before = d->faults->count;
    unsigned r = 0;
    const cJSON *row;
    if (!json_decode_charge(d, 2 + rows->rows * rows->cols))
        return false;
    cJSON_ArrayForEach(row, rows->array) {
        const struct place here = json_row_place(place, rows, r);
        for (unsigned c = 0; c < field.cols; c++) {
            char digit = row->valuestring[c];
            if (digit == '.' || digit == '*')
                continue;
            unsigned count = mine_count_around(&field, r, c);
            if ((unsigned)(digit - '0') == count)
                continue;
            fault_at(d->faults, &here, FAULT_VALUE, "[%u,%u] is %c, but it has %u mine%s around it", r, c, digit, count,
                     ascii_plural(count));
            fault_list_add_cell(d->faults, (struct fault_cell){r, c});
        }
        r++;
    }
    return d->faults->count == before;
}

static void read_board(struct json_decode *d, const struct json_field *field, const cJSON *json,
                       const struct place *place, void *target) {
    struct mine_case *the_case = target;
    struct json_rows_format format = {
        .characters = ".*",
        .others = "012345678",
        .legend = "'.', '*' or a digit from 0 to 8",
        .unit = "cells",
        .min_rows = 1,
        .max_side = MINE_CASE_SIDE,
        .max_cells = max_cells(d),
        .limit_name = "max_mine_cells",
        .over_total = d->context->over_total,
    };
    struct json_rows rows;
    size_t index = 0;
    (void)field;
    if (!json_decode_rows(d, json, place, &format, &rows))
        return;
    size_t cols = rows.cols;
    the_case->rows = (int64_t)rows.rows;
    the_case->cols = (int64_t)cols;
    if ((the_case->mines = new_map(d, the_case)) == NULL)
        return;
    const cJSON *row;
    cJSON_ArrayForEach(row, rows.array) {
        uint64_t *mines = the_case->mines + index++ * mine_words((unsigned)cols);
        size_t col = 0;
        for (; col + 8 <= cols; col += 8)
            mines[col / 64] |= find_stars(row->valuestring + col) << col % 64;
        for (; col < cols; col++)
            mines[col / 64] |= (uint64_t)(row->valuestring[col] == '*') << col % 64;
    }
    the_case->has_mines = !rows.has_others || check_digits(d, the_case, &rows, place);
}

/* Together with a board, members that describe a list of mines are faults. */
static bool conflicts(struct json_decode *d, const struct mine_case *the_case, const struct place *place) {
    if (the_case->has_board)
        fault_at(d->faults, place, FAULT_CONFLICT,
                 "\"%s\" cannot be combined with \"board\"; send \"board\", or \"rows\", \"cols\" and \"mines\"",
                 place->member);
    return the_case->has_board;
}

static void read_side(struct json_decode *d, const struct json_field *field, const cJSON *json,
                      const struct place *place, void *target) {
    struct mine_case *the_case = target;
    int64_t side; /* the case has it already, from peek_sides */
    if (conflicts(d, the_case, place) || !json_decode_integer(d, json, place, NULL, field->min, field->max, &side) ||
        strcmp(field->name, "rows") != 0 || the_case->rows == 0 || the_case->cols == 0)
        return;
    if ((uint64_t)(the_case->rows * the_case->cols) > max_cells(d))
        fault_at(d->faults, place, FAULT_RANGE, "the field has %lld x %lld cells; max_mine_cells is %llu",
                 (long long)the_case->rows, (long long)the_case->cols, (unsigned long long)max_cells(d));
    else if (d->context->over_total)
        fault_at(d->faults, place, FAULT_RANGE, "with this field, the request exceeds max_mine_cells_total");
}

/* Names of a cell and its coordinates in error messages. */
struct cell_words {
    const char *any, *this, *row, *col;
};

static const struct cell_words mine_cell_words = {"a mine", "the mine", "the mine's row", "the mine's column"};
static const struct cell_words click_cell_words = {"a click", "the click", "the click's row", "the click's column"};

/* Read a coordinate of a cell. If the side is unknown, any value is valid. */
static bool read_coordinate(struct json_decode *d, const cJSON *json, const struct place *cell, size_t index,
                            const char *what, int64_t side, int64_t *ret_value) {
    struct place here = {.parent = cell, .index = index};
    return json_decode_integer(d, json, &here, what, 0, side != 0 ? side - 1 : (int64_t)1 << 53, ret_value);
}

/* Read a cell. Returns true if it is valid and, if the field is known, on the field. */
static bool read_cell(struct json_decode *d, const cJSON *json, const struct place *place,
                      const struct cell_words *words, const struct mine_case *the_case, int64_t *ret_row,
                      int64_t *ret_col) {
    if (!cJSON_IsArray(json)) {
        json_fault_type(d, json, place, words->this, "an array: [row, col]");
        return false;
    }
    const cJSON *first = json->child, *second = first != NULL ? first->next : NULL;
    if (second == NULL || second->next != NULL) {
        fault_at(d->faults, place, FAULT_LENGTH, "%s has 2 elements; this one has %d", words->any,
                 cJSON_GetArraySize(json));
        return false;
    }
    bool good = read_coordinate(d, first, place, 0, words->row, the_case->rows, ret_row);
    return read_coordinate(d, second, place, 1, words->col, the_case->cols, ret_col) && good;
}

/* Check that the value is an array. Adds a fault if it is not. */
static bool check_array(struct json_decode *d, const cJSON *json, const struct place *place) {
    if (!cJSON_IsArray(json))
        json_fault_type(d, json, place, NULL, "an array");
    return cJSON_IsArray(json);
}

static void read_mines(struct json_decode *d, const struct json_field *field, const cJSON *json,
                       const struct place *place, void *target) {
    struct mine_case *the_case = target;
    (void)field;
    if (conflicts(d, the_case, place) || !check_array(d, json, place))
        return;
    bool fits =
        the_case->rows != 0 && the_case->cols != 0 && (uint64_t)(the_case->rows * the_case->cols) <= max_cells(d);
    if (!json_decode_charge(d, 2 + 2 * (uint64_t)json_count_elements(d, json)) ||
        (fits && (the_case->mines = new_map(d, the_case)) == NULL))
        return;
    struct json_elements mines;
    const cJSON *mine;
    size_t count = 0, faults_before = d->faults->count;
    json_elements_begin(&mines, d, json);
    while ((mine = json_elements_next(&mines)) != NULL) {
        struct place here = {.parent = place, .index = count++};
        int64_t row, col;
        if (read_cell(d, mine, &here, &mine_cell_words, the_case, &row, &col) && fits)
            mine_case_add(the_case, (size_t)row, (size_t)col);
    }
    the_case->has_mines = fits && d->faults->count == faults_before;
}

/* Start playing the clicks, if the field is known. Returns false if decoding ends. */
static bool begin_play(struct json_decode *d, struct mine_case *the_case, struct mine_play **ret_play) {
    if ((the_case->face_up = new_map(d, the_case)) == NULL)
        return false;
    struct mine_field field = {
        .rows = (unsigned)the_case->rows,
        .cols = (unsigned)the_case->cols,
        .mines = the_case->mines,
        .face_up = the_case->face_up,
    };
    d->outcome = mine_play_new(&field, d->arena, d->work, ret_play);
    return d->outcome == OUTCOME_DONE;
}

/* The first click that breaks the rules. */
struct wrong_click {
    enum mine_click what; /* MINE_CLICK_LEGAL if there is none */
    size_t index;
    int64_t row, col;
};

static void fault_wrong_click(struct json_decode *d, const struct wrong_click *wrong, const struct place *place) {
    struct place here = {.parent = place, .index = wrong->index};
    long long row = wrong->row, col = wrong->col;
    if (wrong->what == MINE_CLICK_ON_MINE)
        fault_at(d->faults, &here, FAULT_VALUE, "the click at [%lld,%lld] hits a mine; only safe cells can be clicked",
                 row, col);
    else
        fault_at(d->faults, &here, FAULT_VALUE,
                 "the cell at [%lld,%lld] is already revealed; only hidden cells can be clicked", row, col);
    fault_list_add_cell(d->faults, (struct fault_cell){(unsigned)row, (unsigned)col});
}

/* If the field is known, clicks are played while they are read. The rules are checked only if every click is a valid
 * cell. */
static void read_clicks(struct json_decode *d, const struct json_field *field, const cJSON *json,
                        const struct place *place, void *target) {
    struct mine_case *the_case = target;
    struct mine_play *play = NULL;
    (void)field;
    if (!check_array(d, json, place) || !json_decode_charge(d, 2 + 6 * (uint64_t)json_count_elements(d, json)) ||
        (the_case->has_mines && !begin_play(d, the_case, &play)))
        return;
    struct wrong_click wrong = {MINE_CLICK_LEGAL, 0, 0, 0};
    struct json_elements clicks;
    const cJSON *click;
    size_t faults_before = d->faults->count;
    json_elements_begin(&clicks, d, json);
    for (size_t index = 0; (click = json_elements_next(&clicks)) != NULL; index++) {
        struct place here = {.parent = place, .index = index};
        int64_t row, col;
        if (!read_cell(d, click, &here, &click_cell_words, the_case, &row, &col) || play == NULL ||
            wrong.what != MINE_CLICK_LEGAL)
            continue;
        wrong = (struct wrong_click){mine_play_click(play, (unsigned)row, (unsigned)col), index, row, col};
        the_case->last_click = (uint32_t)(row * the_case->cols + col);
        the_case->click_count = index + 1;
    }
    if (wrong.what != MINE_CLICK_LEGAL && d->faults->count == faults_before)
        fault_wrong_click(d, &wrong, place);
}

/* The range depends on the service's limits, so it is not in a table. */
static void read_states(struct json_decode *d, const struct json_field *field, const cJSON *json,
                        const struct place *place, void *target) {
    const struct mine_limits *limits = d->context->limits;
    (void)field;
    json_decode_integer(d, json, place, NULL, 1, (int64_t)limits->max_search_states,
                        &((struct mine_case *)target)->states);
}

static const char *const parts[] = {[MINE_INCLUDE_WINS] = "wins",
                                    [MINE_INCLUDE_BOARD] = "board",
                                    [MINE_INCLUDE_FACE] = "face",
                                    [MINE_INCLUDE_CLUSTERS] = "clusters",
                                    case_part,
                                    NULL};

static const struct json_field fields[] = {
    {.name = "board", .read = read_board},
    {.name = "rows", .read = read_side, .min = 1, .max = MINE_CASE_SIDE},
    {.name = "cols", .read = read_side, .min = 1, .max = MINE_CASE_SIDE},
    {.name = "mines", .read = read_mines},
    {.name = "clicks", .read = read_clicks},
    {.name = "states", .read = read_states, .is_default = true},
    {.name = "include",
     .read = case_read_include,
     .offset = offsetof(struct mine_case, include),
     .words = parts,
     .is_default = true},
    {.name = "id", .read = case_read_id},
};

const struct json_object mine_json_members = {"a /mine case", fields, sizeof fields / sizeof *fields};

/* Either a board or a list of mines is required. Add a fault for each missing member. */
static void check_presence(struct json_decode *d, const cJSON *json, const struct place *place) {
    static const char *const list_members[] = {"rows", "cols", "mines"};
    int given = 0;
    for (int i = 0; i < 3; i++)
        given += json_find_member(json, list_members[i]) != NULL;
    if (given == 0)
        fault_at(d->faults, place, FAULT_MISSING,
                 "\"board\" is missing; a /mine case has \"board\", or \"rows\", \"cols\" and \"mines\"");
    for (int i = 0; i < 3 && given != 0; i++)
        if (json_find_member(json, list_members[i]) == NULL)
            fault_at(d->faults, place, FAULT_MISSING, "\"%s\" is missing", list_members[i]);
}

/* Clicks are played on the field. If they precede the field in the document, read the field first without adding its
 * faults, so that faults are reported in document order. */
static void read_field_ahead(struct json_decode *d, const cJSON *json, const struct place *place,
                             struct mine_case *the_case) {
    const char *name = the_case->has_board ? "board" : "mines";
    const cJSON *member = json->child;
    while (member != NULL && strcmp(member->string, name) != 0 && strcmp(member->string, "clicks") != 0)
        member = member->next;
    const cJSON *field = json_find_member(json, name);
    if (member == NULL || member == field || field == NULL)
        return;
    struct fault_list *faults = d->faults, discarded;
    struct place here = {.parent = place, .member = name};
    fault_list_init(&discarded, NULL);
    d->faults = &discarded;
    (the_case->has_board ? read_board : read_mines)(d, NULL, field, &here, the_case);
    d->faults = faults;
    fault_list_clear(&discarded);
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
        read_field_ahead(d, json, place, the_case);
    }
    json_decode_object(d, &mine_json_members, json, place, the_case);
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

static void put_clusters(struct buffer *out, const struct mine_clusters *clusters, unsigned cols,
                         const struct mine_verdict *verdict) {
    buffer_put_literal(out, ",\"clusters\":[");
    for (uint32_t k = 0; k < clusters->count; k++) {
        const struct mine_valued_cluster *item = &clusters->items[k];
        buffer_printf(out, "%s{\"at\":[%u,%u],\"openings\":%u,\"numbers\":%u,\"nimber\":", k == 0 ? "" : ",",
                      item->first / cols, item->first % cols, item->vertices, item->numbers);
        if (item->known)
            buffer_printf(out, "%u}", item->nimber);
        else
            buffer_put_literal(out, "null}");
    }
    buffer_printf(out, "],\"clusters_total\":%u,\"lone_numbers\":%u", clusters->total,
                  verdict->three_bv - verdict->openings);
}

/* Append the rows of a field, written by `show`. */
static enum outcome put_rows(struct buffer *out, const char *name,
                             void (*show)(const struct mine_field *field, char *ret_cells),
                             const struct mine_field *field, struct arena *arena, struct work *work) {
    size_t cells = (size_t)field->rows * field->cols;
    if (!work_charge(work, 5 + cells))
        return work_failure(work);
    char *shown = arena_alloc(arena, cells);
    if (shown == NULL)
        return OUTCOME_NO_MEMORY;
    show(field, shown);
    buffer_printf(out, ",\"%s\":", name);
    json_put_rows(out, shown, field->rows, field->cols);
    arena_give_back(arena, shown);
    return OUTCOME_DONE;
}

static void put_verdict(struct buffer *out, const struct mine_verdict *verdict, size_t clicks) {
    buffer_put_literal(out, "\"verdict\":\"");
    buffer_put_string(out, mine_winner_word(verdict, clicks));
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
    if (!verdict->known && !verdict->won)
        buffer_printf(out, ",\"unsolved\":{\"at\":[%u,%u],\"openings\":%u,\"numbers\":%u}", verdict->unsolved.row,
                      verdict->unsolved.col, verdict->unsolved.openings, verdict->unsolved.numbers);
    buffer_put_literal(out, ",\"turn\":\"");
    buffer_put_string(out, mine_turn_word(clicks));
    buffer_put_char(out, '"');
}

enum outcome mine_json_encode(const struct mine_case *the_case, const struct mine_field *field,
                              const struct mine_verdict *verdict, const struct mine_clicks *clicks,
                              const struct mine_clusters *clusters, struct arena *arena, struct work *work,
                              struct buffer *out) {
    enum outcome outcome = OUTCOME_DONE;
    case_put_result_head(out, &the_case->echo);
    put_verdict(out, verdict, the_case->click_count);
    if (the_case->include >> MINE_INCLUDE_WINS & 1)
        put_wins(out, clicks, field->cols);
    if (the_case->include >> MINE_INCLUDE_CLUSTERS & 1)
        put_clusters(out, clusters, field->cols, verdict);
    if (the_case->include >> MINE_INCLUDE_BOARD & 1)
        outcome = put_rows(out, "board", mine_show, field, arena, work);
    if (outcome == OUTCOME_DONE && the_case->include >> MINE_INCLUDE_FACE & 1)
        outcome = put_rows(out, "face", mine_show_face, field, arena, work);
    buffer_put_char(out, '}');
    return outcome;
}
