/* POST /go: a list of moves is played through. */
#include "api/cases.h"
#include "api/encode.h"
#include "api/forms/judge.h"
#include "api/forms/sgf.h"
#include "api/forms/svg.h"
#include "api/game.h"
#include "go/score.h"

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

/* Beside a record, the members that would say the same do not go. */
static bool conflicts(struct decode *d, const struct go_case *the_case, const struct place *place) {
    if (the_case->has_sgf)
        fault_at(d->faults, place, FAULT_CONFLICT, "%s does not go with sgf: give one form of the game", place->member);
    return the_case->has_sgf;
}

static void read_size(struct decode *d, const struct field *field, const cJSON *json, const struct place *place,
                      void *target) {
    int64_t size; /* the case has it already, from peek_size */
    if (!conflicts(d, target, place))
        decode_integer(d, json, place, field->name, 1, GO_MAX_SIZE, &size);
}

static void set_up(struct go_game *game, const struct go_case *the_case) {
    unsigned size = (unsigned)the_case->size;
    for (unsigned point = 0; the_case->setup != NULL && point < size * size; point++)
        if (the_case->setup[point] != GO_EMPTY)
            go_game_set_up(game, point / size, point % size, the_case->setup[point]);
}

/* Every chain of the set-up must have a liberty. Its place is `place`, or the beginning of
 * the record `text`, or both. */
static void check_liberties(struct decode *d, const struct go_case *the_case, const struct place *place,
                            const char *text) {
    struct go_game *game;
    unsigned row = 0, col = 0;
    d->outcome =
        go_game_new((unsigned)the_case->size, (struct go_rules){.ko = GO_KO_NONE}, 0, d->arena, d->work, &game);
    if (d->outcome != WORK_DONE)
        return;
    set_up(game, the_case);
    while (go_game_find_without_liberty(game, &row, &col)) {
        static const char detail[] = "the chain at [%u,%u] has no liberty";
        if (text == NULL)
            fault_at(d->faults, place, FAULT_LIBERTY, detail, row, col);
        else if (place != NULL)
            fault_in_member(d->faults, place, text, 0, FAULT_LIBERTY, detail, row, col);
        else
            fault_in_text(d->faults, text, 0, FAULT_LIBERTY, detail, row, col);
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
    if (conflicts(d, the_case, place))
        return;
    d->over_total = false; /* that is about the moves */
    bool good = decode_rows(d, json, place, &format, &rows, &cols);
    d->over_total = over_total;
    if (!good || the_case->size == 0)
        return;
    the_case->setup = arena_alloc(d->arena, rows * cols);
    if (the_case->setup == NULL) {
        d->outcome = WORK_NO_MEMORY;
        return;
    }
    const cJSON *row;
    uint8_t *point = the_case->setup;
    cJSON_ArrayForEach(row, json)
        for (const char *c = row->valuestring; *c != 0; c++)
            *point++ = *c == '.' ? GO_EMPTY : *c == 'B' ? GO_BLACK : GO_WHITE;
    check_liberties(d, the_case, place, NULL);
}

/* A point as GTP writes it: a column letter without I, and a row from 1 at the bottom. */
static bool read_point(struct decode *d, const char *point, const struct place *place, int64_t size,
                       struct go_move *ret_move) {
    struct quoted quoted = quote(point, strlen(point));
    char letter = point[0] >= 'a' && point[0] <= 'z' ? (char)(point[0] - 'a' + 'A') : point[0];
    size_t digits = letter != 0 ? strspn(point + 1, "0123456789") : 0;
    bool padded = digits > 1 && point[1] == '0';
    if (letter < 'A' || letter > 'Z' || letter == 'I' || digits == 0 || padded || point[1 + digits] != 0) {
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
    const cJSON *color = json->child, *second = color != NULL ? color->next : NULL;
    const cJSON *third = second != NULL ? second->next : NULL;
    if (second == NULL || (third != NULL && third->next != NULL)) {
        fault_at(d->faults, place, FAULT_LENGTH, "a move has %d elements; 2 or 3 are needed", cJSON_GetArraySize(json));
        return;
    }
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
    int64_t row, col, last = size != 0 ? size - 1 : (int64_t)1 << 53;
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
    if (conflicts(d, the_case, place))
        return;
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
        d->outcome = WORK_NO_MEMORY;
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

/* A record as a member: its faults have the member's place, and the line and column in it. */
static void read_sgf_member(struct decode *d, const struct field *field, const cJSON *json, const struct place *place,
                            void *target) {
    struct go_case *the_case = target;
    struct sgf_fault fault;
    bool good;
    if (!cJSON_IsString(json)) {
        fault_at(d->faults, place, FAULT_TYPE, "%s is no string", field->name);
        return;
    }
    const char *text = json->valuestring;
    enum work_outcome outcome =
        sgf_read(text, strlen(text), SGF_UNICODE, d->limits, d->arena, d->work, the_case, &good, &fault);
    if (outcome != WORK_DONE)
        d->outcome = outcome;
    else if (!good)
        fault_in_member(d->faults, place, text, fault.offset, fault.code, "%s", fault.detail);
    else if (d->over_total)
        fault_at(d->faults, place, FAULT_RANGE, "with these moves the request passes max_moves_total");
    else if (the_case->setup != NULL)
        check_liberties(d, the_case, place, text);
}

/* A record as a body. */
static void read_sgf(struct decode *d, const char *text, size_t length, enum problem *ret_problem, void *ret_case) {
    struct go_case *the_case = ret_case;
    struct sgf_fault fault;
    bool good;
    d->outcome = sgf_read(text, length, SGF_AS_WRITTEN, d->limits, d->arena, d->work, the_case, &good, &fault);
    *ret_problem = PROBLEM_INVALID_CASE;
    if (d->outcome != WORK_DONE)
        return;
    if (!good) {
        *ret_problem = fault.malformed ? PROBLEM_MALFORMED : PROBLEM_INVALID_CASE;
        fault_in_text(d->faults, text, fault.offset, fault.code, "%s", fault.detail);
    } else if (the_case->move_count > d->limits->max_moves_total) {
        fault_in_text(d->faults, text, 0, FAULT_RANGE, "with these moves the request passes max_moves_total");
    } else if (the_case->setup != NULL) {
        check_liberties(d, the_case, NULL, text);
    }
}

static const char *const ko_rules[] = {[GO_KO_POSITIONAL] = "positional",
                                       [GO_KO_SITUATIONAL] = "situational",
                                       [GO_KO_SIMPLE] = "simple",
                                       [GO_KO_NONE] = "none",
                                       NULL};
enum { PART_CAPTURED, PART_BOARDS, PART_SCORE };
static const char *const parts[] = {
    [PART_CAPTURED] = "captured", [PART_BOARDS] = "boards", [PART_SCORE] = "score", NULL};

static const struct field rules_fields[] = {
    {.name = "ko", .read = read_word, .offset = offsetof(struct go_case, rules.ko), .words = ko_rules},
    {.name = "suicide", .read = read_boolean, .offset = offsetof(struct go_case, rules.suicide)},
};

/* Its target is the case. */
static const struct object rules_object = {"rules", rules_fields, sizeof rules_fields / sizeof *rules_fields};

static const struct field fields[] = {
    {.name = "moves", .read = read_moves},
    {.name = "size", .read = read_size, .least = 1, .most = GO_MAX_SIZE},
    {.name = "setup", .read = read_setup},
    {.name = "sgf", .read = read_sgf_member},
    {.name = "rules", .read = read_object, .offset = 0, .object = &rules_object},
    {.name = "include", .read = read_include, .offset = offsetof(struct go_case, include), .words = parts},
    {.name = "id", .read = read_id, .offset = offsetof(struct go_case, id)},
};

static const struct object case_object = {"the case", fields, sizeof fields / sizeof *fields};

static void decode(struct decode *d, const cJSON *json, const struct place *place, void *ret_case) {
    struct go_case *the_case = ret_case;
    if (cJSON_IsObject(json)) {
        the_case->has_sgf = find_member(json, "sgf") != NULL;
        if (!the_case->has_sgf) {
            the_case->size = peek_size(json);
            if (find_member(json, "moves") == NULL)
                fault_at(d->faults, place, FAULT_MISSING, "the case has no member \"moves\"");
        }
    }
    decode_object(d, &case_object, json, place, the_case);
}

/* The moves of a record, which must be read for it; 0 when it has a fault, which is told later. */
static uint64_t count_sgf_moves(const struct api_limits *limits, const char *sgf) {
    struct arena arena;
    struct work work = {.left = WORK_UNBOUNDED}; /* reading is linear, like the parse before it */
    struct go_case unused = {0};
    struct sgf_fault fault;
    bool good = false;
    arena_init(&arena, ARENA_NO_CAP);
    bool done = sgf_read(sgf, strlen(sgf), SGF_UNICODE, limits, &arena, &work, &unused, &good, &fault) == WORK_DONE;
    arena_clear(&arena);
    return done && good ? unused.move_count : 0;
}

static uint64_t weigh(const struct api_limits *limits, const cJSON *json) {
    const cJSON *moves = find_member(json, "moves"), *sgf = find_member(json, "sgf");
    if (cJSON_IsString(sgf))
        return count_sgf_moves(limits, sgf->valuestring);
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
    put_literal(out, "[");
    for (unsigned row = 0; row < size; row++) {
        row_text[0] = row_text[size + 1] = '"';
        for (unsigned col = 0; col < size; col++)
            row_text[col + 1] = ".BW"[go_game_at(game, row, col)];
        row_text[size + 2] = ',';
        buffer_put(out, row_text, size + 3 - (row + 1 == size));
    }
    put_literal(out, "]");
}

/* The parts of a result that come about move by move, each in a buffer of its own. */
struct record {
    struct buffer misses, captured, boards;
    uint32_t miss_count;
    struct svg_mark *marks; /* [miss_count], for a picture; else NULL */
    int last;               /* the point of the last stone that was played; -1: none */
};

static bool asks_for(const struct go_case *the_case, const struct answering *a, unsigned part) {
    return a->form == API_JSON && the_case->include >> part & 1;
}

static void put_captured(struct buffer *out, const struct go_game *game, uint32_t number) {
    unsigned size = go_game_size(game);
    const char *comma = "";
    if (out->length != 0)
        buffer_put_char(out, ',');
    put_literal(out, "{\"move\":");
    buffer_put_integer(out, number);
    put_literal(out, ",\"stones\":[");
    for (unsigned row = 0; row < size; row++)
        for (unsigned col = 0; col < size; col++)
            if (go_game_gone(game, row, col)) {
                buffer_printf(out, "%s[%u,%u]", comma, row, col);
                comma = ",";
            }
    put_literal(out, "]}");
}

/* Play one move and note what it brings. */
static enum work_outcome play_move(struct go_game *game, const struct go_case *the_case, uint32_t m,
                                   const struct answering *a, struct record *record) {
    struct go_move move = the_case->moves[m];
    struct go_reply reply;
    enum work_outcome outcome = go_game_play(game, move, a->work, &reply);
    if (outcome != WORK_DONE)
        return outcome;
    if (reply.miss != GO_PLAYED) {
        if (!work_charge(a->work, 5))
            return WORK_EXHAUSTED;
        if (a->form == API_TEXT) {
            judge_print_go_miss(&record->misses, reply.miss);
        } else if (a->form == API_SVG) {
            record->marks[record->miss_count] = (struct svg_mark){move.row, move.col, (uint8_t)reply.miss};
        } else {
            if (record->miss_count != 0)
                buffer_put_char(&record->misses, ',');
            put_miss(&record->misses, m + 1, move, reply);
        }
        record->miss_count++;
    } else if (move.row != GO_PASS) {
        record->last = (int)(move.row * go_game_size(game) + move.col);
    }
    unsigned points = go_game_size(game) * go_game_size(game);
    if (reply.gone != 0 && asks_for(the_case, a, PART_CAPTURED)) {
        if (!work_charge(a->work, points / 5 + 20 * (uint64_t)reply.gone))
            return WORK_EXHAUSTED;
        put_captured(&record->captured, game, m + 1);
    }
    if (asks_for(the_case, a, PART_BOARDS)) {
        if (!work_charge(a->work, points / 5))
            return WORK_EXHAUSTED;
        buffer_put_char(&record->boards, ',');
        put_board(&record->boards, game, go_game_size(game));
    }
    return WORK_DONE;
}

/* Does a buffer want no more? */
static bool is_full(const struct record *record) {
    return record->misses.state != BUFFER_GOOD || record->captured.state != BUFFER_GOOD ||
           record->boards.state != BUFFER_GOOD;
}

static enum work_outcome play(struct go_game *game, const struct go_case *the_case, const struct answering *a,
                              struct record *record) {
    if (asks_for(the_case, a, PART_BOARDS))
        put_board(&record->boards, game, go_game_size(game));
    for (uint32_t m = 0; m < the_case->move_count && !is_full(record); m++) {
        enum work_outcome outcome = play_move(game, the_case, m, a, record);
        if (outcome != WORK_DONE)
            return outcome;
    }
    return WORK_DONE;
}

/* Append a part; its failure is the answer's. */
static void put_part(struct buffer *out, const struct buffer *part) {
    buffer_put(out, part->data, part->length);
    if (out->state == BUFFER_GOOD)
        out->state = part->state;
}

static void put_result(struct buffer *out, const struct go_game *game, const struct go_case *the_case,
                       const struct answering *a, const struct record *record) {
    put_result_head(out, &the_case->id);
    put_literal(out, "\"misses\":[");
    put_part(out, &record->misses);
    put_literal(out, "],\"board\":");
    put_board(out, game, go_game_size(game));
    put_literal(out, ",\"played\":");
    buffer_put_integer(out, the_case->move_count - record->miss_count);
    put_literal(out, ",\"prisoners\":{\"B\":");
    buffer_put_integer(out, go_game_prisoners(game, GO_BLACK));
    put_literal(out, ",\"W\":");
    buffer_put_integer(out, go_game_prisoners(game, GO_WHITE));
    put_literal(out, "}");
    if (asks_for(the_case, a, PART_CAPTURED)) {
        put_literal(out, ",\"captured\":[");
        put_part(out, &record->captured);
        put_literal(out, "]");
    }
    if (asks_for(the_case, a, PART_BOARDS)) {
        put_literal(out, ",\"boards\":[");
        put_part(out, &record->boards);
        put_literal(out, "]");
    }
    if (asks_for(the_case, a, PART_SCORE)) {
        struct go_score score = go_game_score(game);
        buffer_printf(out, ",\"score\":{\"B\":%u,\"W\":%u,\"neutral\":%u}", score.black, score.white, score.neutral);
    }
    put_literal(out, "}");
}

/* Any game can be drawn. */
static bool can_draw(const void *the_case) {
    (void)the_case;
    return true;
}

static void draw(struct buffer *out, const struct go_game *game, const struct record *record) {
    unsigned size = go_game_size(game);
    /* A suicide is the last stone that was played, and does not stand. */
    bool stands =
        record->last >= 0 && go_game_at(game, (unsigned)record->last / size, (unsigned)record->last % size) != GO_EMPTY;
    svg_go(out, game, record->marks, record->miss_count, stands ? record->last : -1);
}

/* Boards are what a request fixes the size of: is there room for them? */
static bool boards_fit(const struct go_case *the_case, const struct answering *a) {
    uint64_t size = (uint64_t)the_case->size, board = size * (size + 3) + 2;
    return !asks_for(the_case, a, PART_BOARDS) ||
           (the_case->move_count + (uint64_t)1) * board <= a->limits->max_answer_bytes;
}

static enum work_outcome answer(const void *the_case, const struct answering *a, struct buffer *out) {
    const struct go_case *go_case = the_case;
    unsigned size = (unsigned)go_case->size;
    struct go_rules rules = {.ko = go_case->rules.ko, .suicide = go_case->rules.suicide};
    struct go_game *game;
    struct record record;
    if (!boards_fit(go_case, a)) {
        out->state = BUFFER_FULL;
        return WORK_DONE;
    }
    if (!work_charge(a->work, 20 + size * size))
        return WORK_EXHAUSTED;
    enum work_outcome outcome = go_game_new(size, rules, go_case->move_count, a->arena, a->work, &game);
    if (outcome != WORK_DONE)
        return outcome;
    set_up(game, go_case);
    record = (struct record){.last = -1};
    if (a->form == API_SVG) {
        if (!work_charge(a->work, 1000))
            return WORK_EXHAUSTED;
        record.marks = arena_array(a->arena, go_case->move_count, sizeof *record.marks);
        if (record.marks == NULL)
            return WORK_NO_MEMORY;
    }
    buffer_init(&record.misses, out->max, out->account);
    buffer_init(&record.captured, out->max, out->account);
    buffer_init(&record.boards, out->max, out->account);
    outcome = play(game, go_case, a, &record);
    if (outcome == WORK_DONE && a->form == API_TEXT) {
        put_part(out, &record.misses);
        judge_print_go_board(out, game, size);
    } else if (outcome == WORK_DONE && a->form == API_SVG) {
        draw(out, game, &record);
    } else if (outcome == WORK_DONE) {
        put_result(out, game, go_case, a, &record);
    }
    buffer_clear(&record.misses);
    buffer_clear(&record.captured);
    buffer_clear(&record.boards);
    return outcome;
}

const struct game go_game = {
    .name = "go",
    .case_size = sizeof(struct go_case),
    .decode = decode,
    .weigh = weigh,
    .total_offset = offsetof(struct api_limits, max_moves_total),
    .read_head = judge_read_go_head,
    .read_case = judge_read_go,
    .read_sgf = read_sgf,
    .can_draw = can_draw,
    .answer = answer,
};
