#include "api/go/settle.h"

#include "api/go/json_move.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const list_names[] = {[GO_LIST_DEAD] = "dead", [GO_LIST_SEKI] = "seki"};

/* ---- members ---- */

void go_settle_read_komi(struct json_decode *d, const struct json_field *field, const cJSON *json,
                         const struct place *place, void *target) {
    struct go_asked *asked = &((struct go_case *)target)->asked;
    (void)field;
    if (!cJSON_IsNumber(json)) {
        json_fault_type(d, json, place, NULL, "a number");
    } else if (2 * json->valuedouble != floor(2 * json->valuedouble)) {
        fault_at(d->faults, place, FAULT_VALUE, "\"komi\" must be a multiple of 0.5");
    } else {
        asked->has_komi = true;
        asked->komi = (int)fmin(fmax(2 * json->valuedouble, -GO_KOMI_HUGE), GO_KOMI_HUGE);
    }
}

void go_settle_read_list(struct json_decode *d, const struct json_field *field, const cJSON *json,
                         const struct place *place, void *target) {
    struct go_case *the_case = target;
    int count = cJSON_GetArraySize(json);
    if (!cJSON_IsArray(json))
        json_fault_type(d, json, place, NULL, "an array of points");
    else if (count > GO_POINTS)
        fault_at(d->faults, place, FAULT_LENGTH, "\"%s\" has %d points; the maximum is %d", field->name, count,
                 GO_POINTS);
    else
        the_case->asked.json_lists[field->min] = json;
}

/* ---- settling ---- */

struct settling {
    struct json_decode *d;
    const struct place *place; /* NULL: the query */
    struct go_case *the_case;
    struct go_move *points[GO_LISTS];
    size_t count[GO_LISTS];
};

static void settle_komi(const struct settling *s) {
    struct go_case *the_case = s->the_case;
    int max = (int)(the_case->size * the_case->size), given = the_case->asked.komi, of_record = the_case->record.komi;
    the_case->komi = the_case->asked.has_komi ? given : abs(of_record) <= 2 * max ? of_record : 0;
    if (abs(given) > 2 * max)
        go_case_fault(s->d->faults, s->place, "komi", -1, FAULT_RANGE,
                      "\"komi\" is too %s; it must be between %d and %d", given < 0 ? "small" : "large", -max, max);
}

static void settle_turn(struct go_case *the_case) {
    unsigned player = the_case->record.player;
    size_t points = (size_t)(the_case->size * the_case->size);
    the_case->next = the_case->asked.next;
    if (the_case->next == GO_EMPTY && the_case->record.player_stands)
        the_case->next = player;
    bool handicap =
        the_case->record.has_handicap && the_case->setup != NULL && memchr(the_case->setup, GO_BLACK, points) != NULL;
    the_case->first = player != GO_EMPTY ? player : handicap ? GO_WHITE : GO_BLACK;
}

/* Make space for the points of a list. Returns false if there are none or no memory. */
static bool begin_list(struct settling *s, enum go_list list, size_t count) {
    if (count == 0 || !json_decode_charge(s->d, 2 + 4 * count))
        return false;
    s->points[list] = arena_calloc(s->d->arena, count, sizeof *s->points[list]);
    if (s->points[list] == NULL)
        s->d->outcome = OUTCOME_NO_MEMORY;
    return s->points[list] != NULL;
}

static void read_json_list(struct settling *s, enum go_list list, const cJSON *json) {
    const struct place whole = {.parent = s->place, .member = list_names[list]};
    const cJSON *element;
    if (!begin_list(s, list, (size_t)cJSON_GetArraySize(json)))
        return;
    cJSON_ArrayForEach(element, json) {
        const struct place here = {.parent = &whole, .index = s->count[list]};
        struct go_move *point = &s->points[list][s->count[list]++];
        go_json_read_move(s->d, element, &here, s->the_case->size, point);
        if (point->row == GO_PASS)
            fault_at(s->d->faults, &here, FAULT_VALUE, "a pass is not a point");
    }
}

static void read_query_list(struct settling *s, enum go_list list, const uint64_t *set) {
    unsigned size = (unsigned)s->the_case->size;
    if (size == 0 || !begin_list(s, list, GO_POINTS))
        return;
    for (unsigned bit = 0; bit < GO_POINTS; bit++) {
        unsigned from_bottom = bit / GO_MAX_SIZE, col = bit % GO_MAX_SIZE;
        if ((set[bit / 64] >> bit % 64 & 1) == 0)
            continue;
        if (from_bottom < size && col < size) {
            s->points[list][s->count[list]++] =
                (struct go_move){.row = (uint8_t)(size - 1 - from_bottom), .col = (uint8_t)col};
            continue;
        }
        go_case_fault(s->d->faults, NULL, list_names[list], -1, FAULT_RANGE,
                      "\"%s\" has %c%u, which is not on the %u x %u board", list_names[list], go_column_letter(col),
                      from_bottom + 1, size, size);
    }
}

/* Add a fault for a point in a list. */
static void refuse(const struct settling *s, enum go_list list, size_t index, enum fault_code code, const char *before,
                   const char *after) {
    struct go_move point = s->points[list][index];
    go_case_fault(s->d->faults, s->place, list_names[list], (int64_t)index, code, "%s%c%u%s", before,
                  go_column_letter(point.col), (unsigned)s->the_case->size - point.row, after);
    fault_list_add_cell(s->d->faults, (struct fault_cell){point.row, point.col});
}

/* Check that each dead point has a stone, that no point in seki has a living one, and that a colour given with a point
 * is that of its stone. `marks` has the living stones; NULL: not known. */
static void check_list(const struct settling *s, enum go_list list, const struct go_game *game, const uint8_t *marks) {
    for (size_t k = 0; k < s->count[list]; k++) {
        struct go_move point = s->points[list][k];
        enum go_color color = go_game_at(game, point.row, point.col);
        bool needs_stone = list == GO_LIST_DEAD || point.color != GO_EMPTY;
        if (color == GO_EMPTY && needs_stone)
            refuse(s, list, k, FAULT_VALUE, "there is no stone on ", " at the end of the game");
        else if (point.color == go_opponent(color))
            refuse(s, list, k, FAULT_CONFLICT, "the stone on ", color == GO_BLACK ? " is black" : " is white");
        else if (color != GO_EMPTY && marks != NULL && marks[point.row * s->the_case->size + point.col] == color)
            refuse(s, list, k, FAULT_VALUE, "", " has a stone; \"seki\" takes empty points, or those of dead stones");
    }
}

/* Check the lists against the final position. */
static void check_lists(const struct settling *s) {
    struct json_decode *d = s->d;
    const struct go_case *the_case = s->the_case;
    struct go_game *game;
    struct go_score score;
    unsigned size = (unsigned)the_case->size;
    struct arena_mark mark = arena_mark(d->arena);
    if (!json_decode_charge(d, 10 + 5 * (uint64_t)size * size + 4 * (s->count[GO_LIST_DEAD] + s->count[GO_LIST_SEKI])))
        return;
    d->outcome = go_game_new(size, go_case_rules(the_case), the_case->move_count, d->context->hash_seed, d->arena,
                             d->work, &game);
    if (d->outcome == OUTCOME_DONE) {
        go_case_set_up(the_case, game);
        d->outcome = go_case_play(the_case, game, d->work);
    }
    size_t before = d->faults->count;
    if (d->outcome == OUTCOME_DONE)
        check_list(s, GO_LIST_DEAD, game, NULL);
    if (d->outcome == OUTCOME_DONE && d->faults->count == before) {
        go_game_score(game, &the_case->agreement, &score);
        check_list(s, GO_LIST_SEKI, game, score.marks);
    }
    arena_rewind(d->arena, mark);
}

void go_settle(struct json_decode *d, const struct place *place, bool good, struct go_case *the_case) {
    struct settling s = {.d = d, .place = place, .the_case = the_case};
    size_t before = d->faults->count;
    for (enum go_list list = GO_LIST_DEAD; list < GO_LISTS && d->outcome == OUTCOME_DONE; list++) {
        const cJSON *json = the_case->asked.json_lists[list];
        const uint64_t *query = the_case->asked.query_lists[list];
        if (the_case->asked.game == GO_ALL_GAMES && (json != NULL || query != NULL))
            go_case_fault(d->faults, place, list_names[list], -1, FAULT_CONFLICT,
                          "\"%s\" cannot be combined with %s; choose one game", list_names[list],
                          json != NULL ? "\"game\": \"all\"" : "game=all");
        else if (json != NULL)
            read_json_list(&s, list, json);
        else if (query != NULL)
            read_query_list(&s, list, query);
    }
    the_case->agreement = (struct go_agreement){
        .scoring = (enum go_scoring)the_case->asked.rules.scoring,
        .dead = s.points[GO_LIST_DEAD],
        .dead_count = s.count[GO_LIST_DEAD],
        .seki = s.points[GO_LIST_SEKI],
        .seki_count = s.count[GO_LIST_SEKI],
    };
    if (the_case->size == 0 || d->outcome != OUTCOME_DONE)
        return;
    settle_komi(&s);
    settle_turn(the_case);
    if (good && d->faults->count == before && s.count[GO_LIST_DEAD] + s.count[GO_LIST_SEKI] != 0)
        check_lists(&s);
}
