#include "api/go/json.h"

#include "api/game/limit.h"
#include "api/go/json_move.h"
#include "api/go/record.h"
#include "api/go/settle.h"
#include "api/json/encode.h"
#include "base/assert.h"
#include "base/utf8.h"
#include "base/words.h"
#include "go/alive.h"

#include <stdlib.h>
#include <string.h>

/* Find the size of the board without adding faults: the member `size`, or else the number of rows of the set-up, or
 * else 19. Returns 0 if that member is faulty, so that faults which merely follow from it are not reported. */
static int64_t peek_size(const cJSON *json) {
    const cJSON *setup = json_find_member(json, "setup");
    if (json_find_member(json, "size") != NULL)
        return json_peek_integer(json, "size", 1, GO_MAX_SIZE, 0);
    if (setup == NULL)
        return 19;
    size_t rows = json_count_rows(setup);
    return rows <= GO_MAX_SIZE ? (int64_t)rows : 0;
}

/* Together with a record, members that would specify the same thing are faults. */
static bool conflicts(struct json_decode *d, const struct go_case *the_case, const struct place *place) {
    if (the_case->has_sgf)
        fault_at(d->faults, place, FAULT_CONFLICT, "\"%s\" cannot be combined with \"sgf\"; send one or the other",
                 place->member);
    return the_case->has_sgf;
}

static void read_size(struct json_decode *d, const struct json_field *field, const cJSON *json,
                      const struct place *place, void *target) {
    int64_t size; /* unused: the case already has it from peek_size */
    if (!conflicts(d, target, place))
        json_decode_integer(d, json, place, NULL, field->min, field->max, &size);
}

static void read_setup(struct json_decode *d, const struct json_field *field, const cJSON *json,
                       const struct place *place, void *target) {
    struct go_case *the_case = target;
    struct json_rows_format format = {
        .characters = ".BW",
        .legend = "'.', 'B' or 'W'",
        .unit = "points",
        .min_rows = 1,
        .max_side = GO_MAX_SIZE,
        .size = (size_t)the_case->size,
        .max_cells = (uint64_t)GO_MAX_SIZE * GO_MAX_SIZE,
        .limit_name = "the board", /* the limit on the total counts moves, not points */
    };
    struct json_rows rows;
    (void)field;
    if (conflicts(d, the_case, place))
        return;
    if (!json_decode_rows(d, json, place, &format, &rows) || the_case->size == 0)
        return;
    the_case->setup = arena_alloc(d->arena, rows.rows * rows.cols);
    if (the_case->setup == NULL) {
        d->outcome = OUTCOME_NO_MEMORY;
        return;
    }
    const cJSON *row;
    uint8_t *point = the_case->setup;
    cJSON_ArrayForEach(row, rows.array)
        for (const char *c = row->valuestring; *c != 0; c++)
            *point++ = *c == '.' ? GO_EMPTY : *c == 'B' ? GO_BLACK : GO_WHITE;
    go_record_check_setup(d, place, the_case);
}

static void read_moves(struct json_decode *d, const struct json_field *field, const cJSON *json,
                       const struct place *place, void *target) {
    struct go_case *the_case = target;
    const struct go_limits *limits = d->context->limits;
    (void)field;
    if (conflicts(d, the_case, place))
        return;
    if (!cJSON_IsArray(json)) {
        json_fault_type(d, json, place, NULL, "an array");
        return;
    }
    size_t count = json_count_elements(d, json), index = 0;
    if (count > limits->max_moves) {
        fault_at(d->faults, place, FAULT_LENGTH, "\"moves\" has %zu moves; max_moves is %llu", count,
                 (unsigned long long)limits->max_moves);
        return;
    }
    if (d->context->over_total) {
        fault_at(d->faults, place, FAULT_RANGE, "with these moves, the request exceeds max_moves_total");
        return;
    }
    if (!json_decode_charge(d, 2 + 3 * count))
        return;
    the_case->moves = arena_calloc(d->arena, count, sizeof *the_case->moves);
    if (the_case->moves == NULL) {
        d->outcome = OUTCOME_NO_MEMORY;
        return;
    }
    the_case->move_count = (uint32_t)count;
    struct json_elements moves;
    const cJSON *move;
    uint8_t next = GO_BLACK; /* the colour of a move that does not name one: colours alternate */
    json_elements_begin(&moves, d, json);
    while ((move = json_elements_next(&moves)) != NULL) {
        struct place here = {.parent = place, .index = index};
        struct go_move *read = &the_case->moves[index];
        *read = (struct go_move){.color = next};
        go_json_read_move(d, move, &here, the_case->size, read);
        next = read->color ^ GO_BLACK ^ GO_WHITE;
        index++;
    }
    ASSERT(index == count || d->outcome != OUTCOME_DONE);
}

/* Read which game of a record is meant: a number or, if the case is the whole body, all of them. */
static void read_game(struct json_decode *d, const struct json_field *field, const cJSON *json,
                      const struct place *place, void *target) {
    struct go_case *the_case = target;
    int64_t number;
    (void)field;
    if (!the_case->has_sgf)
        fault_at(d->faults, place, FAULT_CONFLICT,
                 "\"game\" is only allowed with \"sgf\"; it chooses one of the record's games");
    else if (cJSON_IsString(json) && strcmp(json->valuestring, "all") != 0)
        fault_at(d->faults, place, FAULT_VALUE, "\"game\" is \"%s\"; it must be an integer or \"all\"",
                 fault_quote_string(json->valuestring).text);
    else if (cJSON_IsString(json) && d->context->max_games == 0)
        fault_at(d->faults, place, FAULT_VALUE,
                 "\"game\" is \"all\", which makes a batch; in a batch, a stream or a link, it must be an integer");
    else if (cJSON_IsString(json))
        the_case->asked.game = GO_ALL_GAMES;
    else if (json_decode_integer(d, json, place, NULL, 1, (int64_t)LIMIT_MAX, &number))
        the_case->asked.game = (uint64_t)number;
}

/* Read a record that is a member. Its faults are at the member's place, with the line and column in the record. */
static void read_sgf_member(struct json_decode *d, const struct json_field *field, const cJSON *json,
                            const struct place *place, void *target) {
    struct go_case *the_case = target;
    bool malformed; /* not used: the status is 422 either way */
    (void)field;
    if (!cJSON_IsString(json)) {
        json_fault_type(d, json, place, NULL, "a string");
        return;
    }
    const char *text = json->valuestring;
    /* A byte order mark does not count as a column. A mark in a body is removed earlier. */
    text += utf8_mark_length(text, strlen(text));
    struct sgf_record record = {text, strlen(text), true};
    go_record_read(d, &record, place, &malformed, the_case);
}

/* The members of a JSON case that is one game. */
static const char *const parts[] = {[GO_INCLUDE_CAPTURED] = "captured",
                                    [GO_INCLUDE_BOARDS] = "boards",
                                    [GO_INCLUDE_SCORE] = "score",
                                    [GO_INCLUDE_LEGAL] = "legal",
                                    [GO_INCLUDE_CHAINS] = "chains",
                                    [GO_INCLUDE_TERRITORY] = "territory",
                                    [GO_INCLUDE_ALIVE] = "alive",
                                    [GO_INCLUDE_VARIATIONS] = "variations",
                                    case_part,
                                    NULL};

/* A collection has a result for each of its games, and these do not repeat the case. */
static void read_include(struct json_decode *d, const struct json_field *field, const cJSON *json,
                         const struct place *place, void *target) {
    struct json_field of_games = *field;
    of_games.words = go_include_words;
    bool all = ((const struct go_case *)target)->asked.game == GO_ALL_GAMES;
    case_read_include(d, all ? &of_games : field, json, place, target);
}

/* Read the name of a preset. */
static void read_preset(struct json_decode *d, const struct json_field *field, const cJSON *json,
                        const struct place *place, void *target) {
    struct go_asked_rules *rules = &((struct go_case *)target)->asked.rules;
    (void)field;
    if (!cJSON_IsString(json))
        json_fault_type(d, json, place, NULL, "a string");
    else if (sgf_find_preset(json->valuestring, strlen(json->valuestring), &rules->preset))
        rules->has_preset = true;
    else
        fault_at(d->faults, place, FAULT_VALUE, "\"%s\" is \"%s\"; it must be %s%s", place->member,
                 fault_quote_string(json->valuestring).text, words_list(sgf_preset_words, "\"", " or ").text,
                 fault_ask(d->faults, sgf_preset_words, json->valuestring, strlen(json->valuestring)).text);
}

#define RULE(member, reader, choices)                                                                                  \
    { .name = #member, .read = (reader), .offset = offsetof(struct go_case, asked.rules.member), .words = (choices) }
static const struct json_field rules_fields[] = {
    {.name = "preset", .read = read_preset},
    RULE(ko, json_read_word, go_ko_words),
    RULE(suicide, json_read_boolean, NULL),
    RULE(scoring, json_read_word, go_scoring_words),
    RULE(repetition, json_read_word, go_repetition_words),
    {.name = "source"}, /* ignored: an answer says where its rules come from */
};

/* The target is the case. */
static const struct json_object rules_object = {"\"rules\"", rules_fields, sizeof rules_fields / sizeof *rules_fields};

static void read_rules(struct json_decode *d, const struct json_field *field, const cJSON *json,
                       const struct place *place, void *target) {
    if (cJSON_IsString(json))
        read_preset(d, field, json, place, target);
    else if (cJSON_IsObject(json))
        json_decode_object(d, &rules_object, json, place, target);
    else
        json_fault_type(d, json, place, NULL, "an object, or a name such as \"japanese\"");
}

static void read_next(struct json_decode *d, const struct json_field *field, const cJSON *json,
                      const struct place *place, void *target) {
    enum { NO_SIDE = 2 };
    unsigned side = NO_SIDE;
    json_read_side(d, field, json, place, &side); /* field->offset is 0 */
    if (side != NO_SIDE)
        ((struct go_case *)target)->asked.next = GO_BLACK + side;
}

static const struct json_field fields[] = {
    {.name = "moves", .read = read_moves},
    {.name = "size", .read = read_size, .min = 1, .max = GO_MAX_SIZE},
    {.name = "setup", .read = read_setup},
    {.name = "sgf", .read = read_sgf_member},
    {.name = "game", .read = read_game},
    {.name = "rules", .read = read_rules, .is_default = true},
    {.name = "next", .read = read_next, .words = go_sides},
    {.name = "komi", .read = go_settle_read_komi, .is_default = true},
    {.name = "dead", .read = go_settle_read_list, .min = GO_LIST_DEAD},
    {.name = "seki", .read = go_settle_read_list, .min = GO_LIST_SEKI},
    {.name = "include",
     .read = read_include,
     .offset = offsetof(struct go_case, asked.include),
     .words = parts,
     .is_default = true},
    {.name = "id", .read = case_read_id},
};

const struct json_object go_json_members = {"a /go case", fields, sizeof fields / sizeof *fields};

/* Read a member ahead of its turn, without adding its faults. Returns true if it has none. */
static bool peek(struct json_decode *d, const cJSON *json, const char *name, struct go_case *the_case) {
    const struct place nowhere = {0};
    const cJSON *member = json_find_member(json, name);
    struct json_decode quiet = *d;
    struct fault_list faults;
    if (member == NULL)
        return true;
    fault_list_init(&faults, NULL);
    quiet.faults = &faults;
    const struct json_field *field = json_find_field(&go_json_members, name);
    field->read(&quiet, field, member, &nowhere, the_case);
    bool good = faults.count == 0;
    fault_list_clear(&faults);
    d->outcome = quiet.outcome;
    return good;
}

/* Use the preset for the rules that are not named otherwise, once all of them have been read. */
static void apply_preset(const cJSON *json, struct go_asked_rules *rules) {
    const cJSON *member = json_find_member(json, "rules");
    rules->ko_named = json_find_member(member, "ko") != NULL;
    rules->suicide_named = json_find_member(member, "suicide") != NULL;
    if (rules->has_preset) {
        rules->ko = rules->ko_named ? rules->ko : rules->preset.ko;
        rules->suicide = rules->suicide_named ? rules->suicide : rules->preset.suicide;
        if (json_find_member(member, "scoring") == NULL)
            rules->scoring = rules->preset.scoring;
        rules->ko_named = rules->suicide_named = true;
    }
    rules->source = rules->ko_named && rules->suicide_named ? GO_SOURCE_REQUEST : GO_SOURCE_DEFAULT;
}

/* Read the options that affect how a record is read, wherever they are in the case. */
static void peek_asked(struct json_decode *d, const cJSON *json, struct go_case *the_case) {
    bool game_known = peek(d, json, "game", the_case);
    bool rules_known = peek(d, json, "rules", the_case);
    apply_preset(json, &the_case->asked.rules);
    the_case->depth = !game_known ? GO_RECORD_SYNTAX : !rules_known ? GO_RECORD_MOVES : GO_RECORD_WHOLE;
}

/* Read the variations, once it is known whether they are asked for. `before`: the number of faults before the case. */
static void finish_variations(struct json_decode *d, const struct place *place, size_t before,
                              struct go_case *the_case) {
    const struct place include = {.parent = place, .member = "include"}, sgf = {.parent = place, .member = "sgf"};
    if (d->outcome != OUTCOME_DONE || !go_case_includes(the_case, GO_INCLUDE_VARIATIONS))
        return;
    if (!the_case->has_sgf)
        fault_at(d->faults, &include, FAULT_CONFLICT,
                 "\"variations\" is only for records; a list of moves has none, so send the game as \"sgf\"");
    else if (d->faults->count == before)
        go_record_read_variations(d, &sgf, the_case);
}

void go_json_decode(struct json_decode *d, const cJSON *json, const struct place *place, void *ret_case) {
    struct go_case *the_case = ret_case;
    size_t before = d->faults->count;
    if (cJSON_IsObject(json)) {
        the_case->has_sgf = json_find_member(json, "sgf") != NULL;
        if (the_case->has_sgf) {
            peek_asked(d, json, the_case);
        } else {
            the_case->size = peek_size(json);
            if (json_find_member(json, "moves") == NULL)
                fault_at(d->faults, place, FAULT_MISSING, "\"moves\" is missing; a /go case has \"moves\" or \"sgf\"");
        }
    }
    json_decode_object(d, &go_json_members, json, place, the_case);
    if (!the_case->has_sgf)
        apply_preset(json, &the_case->asked.rules);
    finish_variations(d, place, before, the_case);
    if (d->outcome == OUTCOME_DONE)
        go_settle(d, place, d->faults->count == before, the_case);
}

/* ---- results ---- */

/* There can be as many misses as moves, so this avoids formatted output. */
void go_json_put_miss(struct buffer *out, unsigned size, uint32_t number, struct go_move move, struct go_reply reply,
                      struct fault_line at) {
    buffer_put_literal(out, "{\"move\":");
    buffer_put_integer(out, number);
    buffer_put_literal(out, ",\"color\":\"");
    buffer_put_char(out, move.color == GO_BLACK ? 'B' : 'W');
    buffer_put_literal(out, "\",\"at\":[");
    buffer_put_integer(out, move.row);
    buffer_put_char(out, ',');
    buffer_put_integer(out, move.col);
    buffer_put_literal(out, "],\"name\":\"");
    buffer_put_char(out, go_column_letter(move.col));
    buffer_put_integer(out, size - move.row);
    buffer_put_literal(out, "\",\"code\":");
    buffer_put_char(out, (char)('0' + reply.miss));
    buffer_put_literal(out, ",\"reason\":\"");
    buffer_put_string(out, go_miss_words[reply.miss]);
    buffer_put_char(out, '"');
    if (reply.miss == GO_MISS_REPETITION) {
        buffer_put_literal(out, ",\"repeats\":");
        buffer_put_integer(out, reply.repeats);
    }
    if (at.line != 0) {
        buffer_put_literal(out, ",\"line\":");
        buffer_put_integer(out, (int64_t)at.line);
        buffer_put_literal(out, ",\"column\":");
        buffer_put_integer(out, (int64_t)at.column);
    }
    buffer_put_char(out, '}');
}

static void put_points(struct buffer *out, unsigned size, const uint16_t *points, unsigned count) {
    for (unsigned k = 0; k < count; k++) {
        buffer_put_string(out, k == 0 ? "[" : ",[");
        buffer_put_integer(out, points[k] / size);
        buffer_put_char(out, ',');
        buffer_put_integer(out, points[k] % size);
        buffer_put_char(out, ']');
    }
}

void go_json_put_board(struct buffer *out, const struct go_game *game) {
    unsigned size = go_game_size(game);
    char cells[GO_POINTS];
    for (unsigned row = 0; row < size; row++)
        go_game_letters(game, row, go_letters, cells + (size_t)row * size);
    json_put_rows(out, cells, size, size);
}

void go_json_put_captured(struct buffer *out, const struct go_game *game, uint32_t number) {
    uint16_t points[GO_POINTS];
    unsigned count = go_game_captured(game, points);
    if (out->length != 0)
        buffer_put_char(out, ',');
    buffer_put_literal(out, "{\"move\":");
    buffer_put_integer(out, number);
    buffer_put_literal(out, ",\"stones\":[");
    put_points(out, go_game_size(game), points, count);
    buffer_put_literal(out, "]}");
}

/* Append a member that is a list. */
static void put_list(struct buffer *out, const char *name, const struct buffer *list) {
    buffer_printf(out, ",\"%s\":[", name);
    buffer_put(out, list->data, list->length);
    buffer_put_char(out, ']');
}

/* Append the rules in use, unless the case has given all that matter. */
static void put_rules(struct buffer *out, const struct go_case *the_case) {
    const struct go_asked_rules *rules = &the_case->asked.rules;
    bool shown = the_case->record.games != 0 || rules->has_preset || rules->repetition != 0 ||
                 go_case_includes(the_case, GO_INCLUDE_SCORE) || go_case_includes(the_case, GO_INCLUDE_TERRITORY) ||
                 go_case_includes(the_case, GO_INCLUDE_LEGAL);
    if (!shown)
        return;
    buffer_printf(out, ",\"rules\":{\"ko\":\"%s\",\"suicide\":%s,\"scoring\":\"%s\",\"source\":\"%s\"",
                  go_ko_words[rules->ko], rules->suicide ? "true" : "false", go_scoring_words[rules->scoring],
                  go_source_words[rules->source]);
    if (rules->repetition != 0)
        buffer_printf(out, ",\"repetition\":\"%s\"", go_repetition_words[rules->repetition]);
    buffer_put_char(out, '}');
}

/* Append which game of the record this is. */
static void put_record(struct buffer *out, const struct go_case *the_case) {
    buffer_printf(out, ",\"record\":{\"game\":%llu,\"games\":%llu,\"variations\":%llu}",
                  (unsigned long long)the_case->record.game, (unsigned long long)the_case->record.games,
                  (unsigned long long)the_case->record.variations);
}

/* Append what all lines of the record have. */
static void put_variations(struct buffer *out, const struct go_case *the_case,
                           const struct buffer lists[GO_JSON_LISTS]) {
    buffer_printf(out, ",\"variations\":{\"branches\":%llu,\"lines\":%llu,\"moves\":%llu",
                  (unsigned long long)the_case->record.variations, (unsigned long long)the_case->tree.lines,
                  (unsigned long long)the_case->tree.moves);
    put_list(out, "misses", &lists[GO_JSON_VARIATION_MISSES]);
    if (the_case->asked.rules.repetition != 0)
        put_list(out, "repetitions", &lists[GO_JSON_VARIATION_REPETITIONS]);
    buffer_put_char(out, '}');
}

/* ---- parts of a result that describe the final position ---- */

/* The characters of marked boards, by enum go_legality and enum go_mark. */
static const char legal_letters[] = ".BW23", mark_letters[] = ".BWbw";

static void put_marks(struct buffer *out, unsigned size, const uint8_t *marks, const char *letters) {
    char cells[GO_POINTS];
    for (unsigned at = 0; at < size * size; at++)
        cells[at] = letters[marks[at]];
    json_put_rows(out, cells, size, size);
}

static enum outcome put_legal(struct buffer *out, struct go_game *game, enum go_color next, struct work *work) {
    uint8_t points[GO_POINTS];
    unsigned count;
    enum outcome outcome = go_game_legal(game, next, work, points, &count);
    if (outcome != OUTCOME_DONE)
        return outcome;
    buffer_printf(out, ",\"legal\":{\"color\":\"%c\",\"count\":%u,\"board\":", go_letters[next], count);
    put_marks(out, go_game_size(game), points, legal_letters);
    buffer_put_char(out, '}');
    return OUTCOME_DONE;
}

static void put_chains(struct buffer *out, const struct go_game *game) {
    unsigned size = go_game_size(game);
    bool seen[GO_POINTS] = {false};
    struct go_chain chain;
    const char *comma = "";
    buffer_put_literal(out, ",\"chains\":[");
    for (unsigned at = 0; at < size * size; at++) {
        if (seen[at] || go_game_at(game, at / size, at % size) == GO_EMPTY)
            continue;
        go_game_chain(game, at / size, at % size, &chain);
        for (unsigned k = 0; k < chain.stone_count; k++)
            seen[chain.stones[k]] = true;
        buffer_printf(out, "%s{\"color\":\"%c\",\"stones\":[", comma, go_letters[chain.color]);
        put_points(out, size, chain.stones, chain.stone_count);
        buffer_put_literal(out, "],\"liberties\":[");
        put_points(out, size, chain.liberties, chain.liberty_count);
        buffer_put_literal(out, "]}");
        comma = ",";
    }
    buffer_put_char(out, ']');
}

static void put_score(struct buffer *out, const struct go_score *score, enum go_scoring scoring, int komi) {
    int lead = 2 * ((int)score->black - (int)score->white) - komi; /* of Black, in half points */
    char winner = lead > 0 ? 'B' : 'W';
    buffer_printf(out, ",\"score\":{\"B\":%u,\"W\":%u,\"neutral\":%u,\"scoring\":\"%s\",\"komi\":", score->black,
                  score->white, score->neutral, go_scoring_words[scoring]);
    go_komi_put(out, komi);
    buffer_printf(out, ",\"dead\":{\"B\":%u,\"W\":%u}", score->dead[0], score->dead[1]);
    if (lead == 0) {
        buffer_put_literal(out, ",\"winner\":null,\"margin\":0,\"result\":\"Draw\"}");
        return;
    }
    buffer_printf(out, ",\"winner\":\"%c\",\"margin\":", winner);
    go_komi_put(out, abs(lead));
    buffer_printf(out, ",\"result\":\"%c+", winner);
    go_komi_put(out, abs(lead));
    buffer_put_literal(out, "\"}");
}

/* Append the parts that describe the final position and that the case asks for, each with a comma before it. */
static enum outcome put_parts(struct buffer *out, const struct go_case *the_case, struct go_game *game,
                              enum go_color next, struct work *work) {
    unsigned size = go_game_size(game), points = size * size;
    bool scored = go_case_includes(the_case, GO_INCLUDE_SCORE),
         marked = go_case_includes(the_case, GO_INCLUDE_TERRITORY);
    bool chains = go_case_includes(the_case, GO_INCLUDE_CHAINS), alive = go_case_includes(the_case, GO_INCLUDE_ALIVE);
    enum outcome outcome = OUTCOME_DONE;
    struct go_score score;
    /* A score without marks was paid when the game began. */
    if (!work_charge(work, (marked ? 2 * points : 0) + (chains ? 12 * points : 0) + (alive ? 10 * points : 0)))
        return work_failure(work);
    if (scored || marked)
        go_game_score(game, &the_case->agreement, &score);
    if (scored)
        put_score(out, &score, the_case->agreement.scoring, the_case->komi);
    if (go_case_includes(the_case, GO_INCLUDE_LEGAL))
        outcome = put_legal(out, game, next, work);
    if (chains)
        put_chains(out, game);
    if (marked) {
        buffer_put_literal(out, ",\"territory\":");
        put_marks(out, size, score.marks, mark_letters);
    }
    if (alive) {
        uint8_t marks[GO_POINTS];
        go_game_alive(game, the_case->asked.rules.suicide, marks);
        buffer_put_literal(out, ",\"alive\":");
        put_marks(out, size, marks, mark_letters);
    }
    return outcome;
}

enum outcome go_json_encode(const struct go_case *the_case, struct go_game *game, enum go_color next, uint32_t misses,
                            const struct buffer lists[GO_JSON_LISTS], struct work *work, struct buffer *out) {
    case_put_result_head(out, &the_case->echo);
    buffer_put_literal(out, "\"misses\":[");
    buffer_put(out, lists[GO_JSON_MISSES].data, lists[GO_JSON_MISSES].length);
    buffer_put_char(out, ']');
    if (the_case->asked.rules.repetition != 0)
        put_list(out, "repetitions", &lists[GO_JSON_REPETITIONS]);
    buffer_put_literal(out, ",\"board\":");
    go_json_put_board(out, game);
    buffer_printf(out, ",\"played\":%u,\"prisoners\":{\"B\":%u,\"W\":%u}", the_case->move_count - misses,
                  go_game_prisoners(game, GO_BLACK), go_game_prisoners(game, GO_WHITE));
    put_rules(out, the_case);
    if (the_case->record.games != 0)
        put_record(out, the_case);
    if (go_case_includes(the_case, GO_INCLUDE_CAPTURED))
        put_list(out, "captured", &lists[GO_JSON_CAPTURED]);
    if (go_case_includes(the_case, GO_INCLUDE_BOARDS))
        put_list(out, "boards", &lists[GO_JSON_BOARDS]);
    enum outcome outcome = put_parts(out, the_case, game, next, work);
    if (go_case_includes(the_case, GO_INCLUDE_VARIATIONS))
        put_variations(out, the_case, lists);
    buffer_put_char(out, '}');
    return outcome;
}
