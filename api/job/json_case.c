#include "api/job/json_case.h"

#include "api/json/check.h"
#include "api/json/decode.h"
#include "api/json/tree.h"
#include "base/assert.h"

#include <string.h>

enum { SHORT_TREE = 32 << 20 /* bytes in a tree that cJSON builds in about 50 ms */ };

static size_t length_of(const struct case_reading *r) { return r->position->end - r->position->begin; }

bool json_case_is_followed(const char *reason, const char *at) {
    return strstr(reason, "after the JSON value") != NULL && *at == '{';
}

bool json_case_pay(const struct case_reading *r) {
    /* Building a tree takes about 10 ns per byte. Arrays that are left out of the tree are charged when they are
     * decoded. */
    return work_charge(r->work, 4 + length_of(r) / 8);
}

/* Parse the tree of a case. A byte of text becomes 0 to 40 bytes of tree, in 1 to 60 ns, and the ratio is not known in
 * advance. Short workers must not be blocked for long, so their trees are limited in size. (Four million numbers in an
 * unknown member took 450 ms.) */
static enum outcome parse(const struct source *source, const struct case_reading *r, bool has_long_numbers,
                          struct json_tree *ret_tree) {
    struct arena *arena = &r->workspace->reading;
    const char *text = source->bytes + r->position->begin;
    size_t cap = arena->cap;
    enum outcome outcome = OUTCOME_DONE;
    if (!r->workspace->is_largest && cap - arena->used > SHORT_TREE)
        arena->cap = arena->used + SHORT_TREE;
    if (has_long_numbers)
        outcome = json_shorten_numbers(&text, length_of(r), arena, r->work);
    if (outcome == OUTCOME_DONE)
        outcome = json_tree_parse(text, length_of(r), source->admission->game->left_out, JSON_LONG_ARRAY, arena,
                                  r->work, ret_tree);
    arena->cap = cap;
    return outcome;
}

/* ---- defaults ---- */

enum outcome json_default_read(struct source *source, const struct json_field *field, const char *json, size_t length,
                               struct workspace *workspace, struct work *work, struct fault_list *faults) {
    struct json_defaults *defaults = &source->defaults;
    const struct place whole = {0}, here = {.parent = &whole, .member = field->name};
    /* The length bounds the work. */
    struct work unbounded = {.left = WORK_UNBOUNDED, .stop = work->stop};
    struct case_reading reading = {.workspace = workspace, .work = &unbounded, .faults = faults};
    struct case_default *added = defaults->members;
    size_t before = faults->count;
    const char *at = json;
    const cJSON *value;
    if (length > JSON_DEFAULT_BYTES) {
        fault_at(faults, &here, FAULT_LENGTH, "\"%s\" has %zu bytes; as a default it can have %d", field->name, length,
                 JSON_DEFAULT_BYTES);
        return OUTCOME_DONE;
    }
    enum outcome outcome = json_shorten_numbers(&at, length, &defaults->arena, work);
    if (outcome == OUTCOME_DONE)
        outcome = json_tree_parse_next(&at, at + length, &defaults->arena, work, &value);
    if (outcome != OUTCOME_DONE)
        return outcome;
    if (!source_alloc_case(source, &reading))
        return OUTCOME_NO_MEMORY;
    struct json_decode decode = source_begin_decode(source, &reading, 0);
    field->read(&decode, field, value, &here, reading.the_case);
    if (decode.outcome != OUTCOME_DONE || faults->count != before)
        return decode.outcome;
    while (added < defaults->members + defaults->count && strcmp(added->json->string, field->name) != 0)
        added++;
    ASSERT(added < defaults->members + JSON_DEFAULTS);
    defaults->count += added == defaults->members + defaults->count;
    *added = (struct case_default){(cJSON *)value, json, length};
    added->json->string = (char *)field->name;
    return OUTCOME_DONE;
}

enum outcome json_defaults_apply(const struct source *source, struct case_reading *r, cJSON *object) {
    const struct json_defaults *defaults = &source->defaults;
    struct case_text *text = &r->context.text;
    cJSON **end = &object->child;
    if (defaults->count == 0 || !cJSON_IsObject(object))
        return OUTCOME_DONE;
    while (*end != NULL)
        end = &(*end)->next;
    text->defaults = defaults->members;
    for (unsigned k = 0; k < defaults->count; k++) {
        if (!work_charge(r->work, 20))
            return work_failure(r->work);
        if (json_find_member(object, defaults->members[k].json->string) != NULL)
            continue;
        if ((*end = arena_alloc(&r->workspace->reading, sizeof **end)) == NULL)
            return OUTCOME_NO_MEMORY;
        **end = *defaults->members[k].json;
        end = &(*end)->next;
        text->added |= 1u << k;
    }
    return OUTCOME_DONE;
}

enum outcome json_defaults_decode(const struct source *source, struct case_reading *r) {
    struct json_decode decode = source_begin_decode(source, r, 0);
    for (unsigned k = 0; k < source->defaults.count && json_decode_charge(&decode, 20); k++) {
        cJSON *json = source->defaults.members[k].json;
        const struct json_field *field = json_find_field(source->admission->game->members, json->string);
        field->read(&decode, field, json, &(struct place){.member = json->string}, r->the_case);
    }
    return decode.outcome;
}

/* Is this the value of the game's bare member, instead of an object? Among several cases, a string of one line could
 * also be a row of a board. */
static bool is_bare(const cJSON *json, bool among_cases) {
    if (cJSON_IsArray(json))
        return among_cases ? !cJSON_IsObject(json->child) : cJSON_IsString(json->child);
    return cJSON_IsString(json) && (!among_cases || *json->valuestring == 0 || strchr(json->valuestring, '\n') != NULL);
}

/* If the text is not an object but the value of the game's bare member, put it into an object. */
static enum outcome wrap_bare(const struct source *source, struct case_reading *r, const struct place *place,
                              struct json_decode *d, struct json_tree *tree) {
    const char *name = source->admission->game->bare_member;
    if (name == NULL || !is_bare(tree->root, place->parent != NULL))
        return OUTCOME_DONE;
    cJSON *object = arena_calloc(d->arena, 1, sizeof *object);
    if (object == NULL)
        return OUTCOME_NO_MEMORY;
    object->type = cJSON_Object;
    object->child = (cJSON *)tree->root;
    object->child->string = (char *)name;
    tree->root = object;
    d->is_bare = true;
    r->context.text.member = name;
    return OUTCOME_DONE;
}

enum outcome json_case_read(const struct source *source, struct case_reading *r, bool has_long_numbers,
                            const struct place *place, uint64_t max_games) {
    struct json_tree tree;
    if (has_long_numbers && !work_charge(r->work, length_of(r) / 8)) /* for the copy */
        return work_failure(r->work);
    if (!source_alloc_case(source, r))
        return OUTCOME_NO_MEMORY;
    enum outcome outcome = parse(source, r, has_long_numbers, &tree);
    if (outcome != OUTCOME_DONE)
        return outcome;
    struct json_decode decode = source_begin_decode(source, r, max_games);
    decode.tree = &tree;
    r->context.text = (struct case_text){.bytes = source->bytes + r->position->begin, .length = length_of(r)};
    if ((outcome = wrap_bare(source, r, place, &decode, &tree)) != OUTCOME_DONE)
        return outcome;
    if ((outcome = json_defaults_apply(source, r, (cJSON *)tree.root)) != OUTCOME_DONE)
        return outcome;
    source->admission->game->decode(&decode, tree.root, place, r->the_case);
    if (cJSON_IsArray(tree.root) && place->parent == NULL && !source->admission->link)
        fault_list_add_advice(r->faults, " (to send several cases, use {\"cases\":[...]} or one case per line)");
    source_name_faults(source, r);
    return decode.outcome;
}
