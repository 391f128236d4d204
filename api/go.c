/* POST /go: a list of moves is played through. */
#include "api/cases.h"
#include "api/encode.h"
#include "api/forms/judge.h"
#include "api/game.h"

#include <string.h>

/* The board's size without adding faults: as given, else the rows of the set-up, else 19; 0 when what gives it is
 * faulty, so that no fault is found that only follows from it. */
static int64_t peek_size(const cJSON *json) {
    const cJSON *setup = find_member(json, "setup");
    if (find_member(json, "size") != NULL)
        return peek_integer(json, "size", 1, GO_MAX_SIZE, 0);
    if (setup == NULL)
        return 19;
    int rows = cJSON_IsArray(setup) ? cJSON_GetArraySize(setup) : 0;
    return rows <= GO_MAX_SIZE ? rows : 0;
}

static void read_size(struct decode *d, const struct field *field, const cJSON *json, const struct place *place,
                      void *target) {
    int64_t size; /* the case has it already, from peek_size */
    (void)target;
    decode_integer(d, json, place, field->name, 1, GO_MAX_SIZE, &size);
}

static void set_up(struct go_game *game, const cJSON *setup) {
    const cJSON *row;
    unsigned r = 0;
    cJSON_ArrayForEach(row, setup) {
        for (unsigned c = 0; row->valuestring[c] != 0; c++)
            if (row->valuestring[c] != '.')
                go_game_set_up(game, r, c, row->valuestring[c] == 'B' ? GO_BLACK : GO_WHITE);
        r++;
    }
}

/* Every chain of the set-up must have a liberty. */
static void check_liberties(struct decode *d, const struct go_case *the_case, const struct place *place) {
    struct go_game *game;
    unsigned row = 0, col = 0;
    d->outcome = go_game_new((unsigned)the_case->size, (struct go_rules){.ko = GO_KO_NONE}, d->arena, d->work, &game);
    if (d->outcome != DONE)
        return;
    set_up(game, the_case->setup);
    while (go_game_find_dead(game, &row, &col)) {
        fault_at(d->faults, place, FAULT_LIBERTY, "the chain at [%u,%u] has no liberty", row, col);
        if (++col == (unsigned)the_case->size) {
            row++;
            col = 0;
        }
    }
}

static void read_setup(struct decode *d, const struct field *field, const cJSON *json, const struct place *place,
                       void *target) {
    struct go_case *the_case = target;
    struct rows_format format = {
        .characters = ".BW",
        .legend = "'.', 'B' or 'W'",
        .least_rows = 1,
        .most_rows = GO_MAX_SIZE,
        .rows = (size_t)the_case->size,
        .cols = (size_t)the_case->size,
        .most_cols = GO_MAX_SIZE,
        .most_cells = GO_MAX_SIZE * GO_MAX_SIZE,
        .limit_name = "the board",
    };
    size_t rows, cols;
    bool over_total = d->over_total;
    (void)field;
    d->over_total = false; /* that is about the moves */
    bool good = decode_rows(d, json, place, &format, &rows, &cols);
    d->over_total = over_total;
    if (!good || the_case->size == 0)
        return;
    the_case->setup = json;
    check_liberties(d, the_case, place);
}

/* A point as GTP writes it: a column letter without I, and a row from 1 at the bottom. */
static bool read_point(struct decode *d, const char *point, const struct place *place, int64_t size,
                       struct go_move *ret_move) {
    struct quoted quoted = quote(point, strlen(point));
    char letter = point[0] >= 'a' && point[0] <= 'z' ? (char)(point[0] - 'a' + 'A') : point[0];
    size_t digits = letter != 0 ? strspn(point + 1, "0123456789") : 0;
    if (letter < 'A' || letter > 'Z' || letter == 'I' || digits == 0 || point[1 + digits] != 0) {
        fault_at(d->faults, place, FAULT_VALUE, "\"%s\" is no point such as \"Q16\", and not \"pass\"", quoted.text);
        return false;
    }
    int64_t col = letter - 'A' - (letter > 'I'), row = 0;
    for (size_t i = 1; i <= digits && row <= GO_MAX_SIZE; i++)
        row = 10 * row + (point[i] - '0');
    if (size != 0 && (col >= size || row < 1 || row > size)) {
        fault_at(d->faults, place, FAULT_RANGE, "\"%s\" is not on a board of size %lld", quoted.text, (long long)size);
        return false;
    }
    ret_move->row = (uint8_t)(size - row);
    ret_move->col = (uint8_t)col;
    return true;
}

/* The second element of a move of two: a point or a pass. */
static bool read_word_move(struct decode *d, const cJSON *json, const struct place *place, int64_t size,
                           struct go_move *ret_move) {
    if (!cJSON_IsString(json)) {
        fault_at(d->faults, place, FAULT_TYPE, "the second element of a move of two is a point or \"pass\"");
        return false;
    }
    if (strcmp(json->valuestring, "pass") == 0) {
        ret_move->row = GO_PASS;
        return true;
    }
    return read_point(d, json->valuestring, place, size, ret_move);
}

static void read_move(struct decode *d, const cJSON *json, const struct place *place, int64_t size,
                      struct go_move *ret_move) {
    if (!cJSON_IsArray(json)) {
        fault_at(d->faults, place, FAULT_TYPE, "a move is an array: [colour, row, col] or [colour, point]");
        return;
    }
    int length = cJSON_GetArraySize(json);
    if (length != 2 && length != 3) {
        fault_at(d->faults, place, FAULT_LENGTH, "a move has %d elements; 2 or 3 are needed", length);
        return;
    }
    const cJSON *color = json->child, *second = color->next, *third = second->next;
    struct place at_color = {.parent = place, .index = 0}, at_second = {.parent = place, .index = 1},
                 at_third = {.parent = place, .index = 2};
    if (!cJSON_IsString(color))
        fault_at(d->faults, &at_color, FAULT_TYPE, "a move's colour is \"B\" or \"W\"");
    else if (strcmp(color->valuestring, "B") != 0 && strcmp(color->valuestring, "W") != 0)
        fault_at(d->faults, &at_color, FAULT_VALUE, "a move's colour is \"%s\"; it must be \"B\" or \"W\"",
                 quote(color->valuestring, strlen(color->valuestring)).text);
    else
        ret_move->color = color->valuestring[0] == 'B' ? GO_BLACK : GO_WHITE;
    if (third == NULL) {
        read_word_move(d, second, &at_second, size, ret_move);
        return;
    }
    /* Where the size is not known, any point may be on the board. */
    int64_t row, col, last = size != 0 ? size - 1 : INT32_MAX;
    bool good = decode_integer(d, second, &at_second, "a move's row", 0, last, &row);
    if (decode_integer(d, third, &at_third, "a move's column", 0, last, &col) && good) {
        ret_move->row = (uint8_t)row;
        ret_move->col = (uint8_t)col;
    }
}

static void read_moves(struct decode *d, const struct field *field, const cJSON *json, const struct place *place,
                       void *target) {
    struct go_case *the_case = target;
    (void)field;
    if (!cJSON_IsArray(json)) {
        fault_at(d->faults, place, FAULT_TYPE, "moves is no array");
        return;
    }
    size_t count = (size_t)cJSON_GetArraySize(json), index = 0;
    if (count > d->limits->max_moves) {
        fault_at(d->faults, place, FAULT_LENGTH, "%zu moves; max_moves allows %llu", count,
                 (unsigned long long)d->limits->max_moves);
        return;
    }
    if (d->over_total) {
        fault_at(d->faults, place, FAULT_RANGE, "with these moves the request passes max_moves_total");
        return;
    }
    if (!decode_charge(d, 2 + 3 * count))
        return;
    the_case->moves = arena_calloc(d->arena, count, sizeof *the_case->moves);
    if (the_case->moves == NULL) {
        d->outcome = NO_MEMORY;
        return;
    }
    the_case->move_count = (uint32_t)count;
    const cJSON *move;
    cJSON_ArrayForEach(move, json) {
        struct place here = {.parent = place, .index = index};
        read_move(d, move, &here, the_case->size, &the_case->moves[index]);
        index++;
    }
}

static const char *const ko_rules[] = {[GO_KO_POSITIONAL] = "positional",
                                       [GO_KO_SITUATIONAL] = "situational",
                                       [GO_KO_SIMPLE] = "simple",
                                       [GO_KO_NONE] = "none",
                                       NULL};
static const char *const parts[] = {NULL};

static const struct field rules_fields[] = {
    {.name = "ko", .read = read_word, .offset = offsetof(struct go_case, rules.ko), .words = ko_rules},
    {.name = "suicide", .read = read_boolean, .offset = offsetof(struct go_case, rules.suicide)},
};

/* Its target is the case. */
static const struct object rules_object = {"rules", rules_fields, sizeof rules_fields / sizeof *rules_fields};

static const struct field fields[] = {
    {.name = "moves", .read = read_moves, .required = true},
    {.name = "size", .read = read_size, .least = 1, .most = GO_MAX_SIZE},
    {.name = "setup", .read = read_setup},
    {.name = "rules", .read = read_object, .offset = 0, .object = &rules_object},
    {.name = "include", .read = read_include, .offset = offsetof(struct go_case, include), .words = parts},
    {.name = "id", .read = read_id, .offset = offsetof(struct go_case, id)},
};

static const struct object case_object = {"the case", fields, sizeof fields / sizeof *fields};

static void decode(struct decode *d, const cJSON *json, const struct place *place, void *ret_case) {
    struct go_case *the_case = ret_case;
    the_case->size = cJSON_IsObject(json) ? peek_size(json) : 0;
    decode_object(d, &case_object, json, place, the_case);
}

static uint64_t weigh(const struct api_limits *limits, const cJSON *json) {
    const cJSON *moves = find_member(json, "moves");
    uint64_t count = cJSON_IsArray(moves) ? (uint64_t)cJSON_GetArraySize(moves) : 0;
    return count <= limits->max_moves ? count : 0;
}

static const char *const reasons[] = {
    [GO_MISS_OCCUPIED] = "occupied", [GO_MISS_SUICIDE] = "suicide", [GO_MISS_REPETITION] = "repetition"};

static void put_miss(struct buffer *out, uint32_t number, struct go_move move, struct go_reply reply) {
    put_literal(out, "{\"move\":");
    buffer_put_integer(out, number);
    buffer_put_string(out, move.color == GO_BLACK ? ",\"color\":\"B\",\"at\":[" : ",\"color\":\"W\",\"at\":[");
    buffer_put_integer(out, move.row);
    put_literal(out, ",");
    buffer_put_integer(out, move.col);
    put_literal(out, "],\"code\":");
    buffer_put_integer(out, reply.miss);
    put_literal(out, ",\"reason\":\"");
    buffer_put_string(out, reasons[reply.miss]);
    put_literal(out, "\"");
    if (reply.miss == GO_MISS_REPETITION) {
        put_literal(out, ",\"repeats\":");
        buffer_put_integer(out, reply.repeats);
    }
    put_literal(out, "}");
}

static void put_board(struct buffer *out, const struct go_game *game, unsigned size) {
    char row_text[GO_MAX_SIZE + 3];
    put_literal(out, "\"board\":[");
    for (unsigned row = 0; row < size; row++) {
        row_text[0] = row_text[size + 1] = '"';
        for (unsigned col = 0; col < size; col++)
            row_text[col + 1] = ".BW"[go_game_at(game, row, col)];
        row_text[size + 2] = ',';
        buffer_put(out, row_text, size + 3 - (row + 1 == size));
    }
    put_literal(out, "]");
}

/* Play all moves; misses are written as they happen. */
static enum outcome play(struct go_game *game, const struct go_case *the_case, const struct answering *a,
                         struct buffer *out, uint32_t *ret_misses) {
    uint32_t misses = 0;
    for (uint32_t m = 0; m < the_case->move_count && out->state == BUFFER_GOOD; m++) {
        struct go_reply reply;
        enum outcome outcome = go_game_play(game, the_case->moves[m], a->work, &reply);
        if (outcome != DONE)
            return outcome;
        if (reply.miss == GO_PLAYED)
            continue;
        if (!work_charge(a->work, 5))
            return OUT_OF_WORK;
        if (a->form == API_TEXT) {
            judge_print_go_miss(out, reply.miss);
        } else {
            if (misses != 0)
                buffer_put_char(out, ',');
            put_miss(out, m + 1, the_case->moves[m], reply);
        }
        misses++;
    }
    *ret_misses = misses;
    return DONE;
}

static enum outcome answer(const void *the_case, const struct answering *a, struct buffer *out) {
    const struct go_case *go_case = the_case;
    unsigned size = (unsigned)go_case->size;
    struct go_rules rules = {.ko = go_case->rules.ko, .suicide = go_case->rules.suicide};
    struct go_game *game;
    uint32_t misses;
    if (!work_charge(a->work, 20 + size * size / 2))
        return OUT_OF_WORK;
    enum outcome outcome = go_game_new(size, rules, a->arena, a->work, &game);
    if (outcome != DONE)
        return outcome;
    set_up(game, go_case->setup);
    if (a->form == API_JSON) {
        put_result_head(out, &go_case->id);
        put_literal(out, "\"misses\":[");
    }
    outcome = play(game, go_case, a, out, &misses);
    if (outcome != DONE)
        return outcome;
    if (a->form == API_TEXT) {
        judge_print_go_board(out, game, size);
        return DONE;
    }
    put_literal(out, "],");
    put_board(out, game, size);
    put_literal(out, ",\"played\":");
    buffer_put_integer(out, go_case->move_count - misses);
    put_literal(out, ",\"prisoners\":{\"B\":");
    buffer_put_integer(out, go_game_prisoners(game, GO_BLACK));
    put_literal(out, ",\"W\":");
    buffer_put_integer(out, go_game_prisoners(game, GO_WHITE));
    put_literal(out, "}}");
    return DONE;
}

const struct game go_game = {
    .name = "go",
    .case_size = sizeof(struct go_case),
    .decode = decode,
    .weigh = weigh,
    .total_offset = offsetof(struct api_limits, max_moves_total),
    .read_head = judge_read_go_head,
    .read_case = judge_read_go,
    .answer = answer,
};
