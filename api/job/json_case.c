#include "api/job/json_case.h"

#include "api/json/check.h"
#include "api/json/decode.h"
#include "api/json/encode.h"
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

const struct json_field *json_default_find(const struct json_object *members, const char *name) {
    for (size_t f = 0; f < members->count; f++)
        if (members->fields[f].is_default && strcmp(members->fields[f].name, name) == 0)
            return &members->fields[f];
    return NULL;
}

enum outcome json_default_read(struct source *source, const struct json_field *field, const char *json, size_t length,
                               struct workspace *workspace, struct work *work, struct fault_list *faults) {
    struct json_defaults *defaults = &source->defaults;
    const struct place whole = {0}, here = {.parent = &whole, .member = field->name};
    struct arena *arena = &workspace->reading;
    /* The length bounds the work. */
    struct work unbounded = {.left = WORK_UNBOUNDED, .stop = work->stop};
    struct case_reading reading = {.workspace = workspace, .work = &unbounded, .faults = faults};
    size_t before = faults->count;
    const cJSON *value;
    if (length > JSON_DEFAULT_BYTES) {
        fault_at(faults, &here, FAULT_LENGTH, "\"%s\" has %zu bytes; as a default it can have %d", field->name, length,
                 JSON_DEFAULT_BYTES);
        return OUTCOME_DONE;
    }
    enum outcome outcome = json_shorten_numbers(&json, length, arena, work);
    const char *at = json;
    if (outcome == OUTCOME_DONE)
        outcome = json_tree_parse_next(&at, json + length, arena, work, &value);
    if (outcome != OUTCOME_DONE)
        return outcome;
    if (!source_alloc_case(source, &reading))
        return OUTCOME_NO_MEMORY;
    struct json_decode decode = source_begin_decode(source, &reading, 0);
    field->read(&decode, field, value, &here, reading.the_case);
    if (decode.outcome != OUTCOME_DONE || faults->count != before)
        return decode.outcome;
    struct json_default *added = defaults->members;
    while (added < defaults->members + defaults->count && strcmp(added->name, field->name) != 0)
        added++;
    ASSERT(added < defaults->members + JSON_DEFAULTS);
    added->name = field->name;
    added->begin = defaults->text.length;
    buffer_printf(&defaults->text, ",\"%s\":", field->name);
    added->value = defaults->text.length;
    json_put_compact(&defaults->text, json, length);
    added->end = defaults->text.length;
    defaults->count += added == defaults->members + defaults->count;
    return defaults->text.outcome;
}

enum outcome json_defaults_apply(const struct source *source, struct case_reading *r, cJSON *object) {
    const struct json_defaults *defaults = &source->defaults;
    char *added = arena_alloc(&r->workspace->reading, defaults->text.length + 1);
    size_t length = 0;
    cJSON **next = &object->child;
    if (added == NULL)
        return OUTCOME_NO_MEMORY;
    while (*next != NULL)
        next = &(*next)->next;
    for (unsigned k = 0; k < defaults->count; k++) {
        const struct json_default *member = &defaults->members[k];
        const char *value = defaults->text.data + member->value, *end = defaults->text.data + member->end;
        const cJSON *json;
        if (!work_charge(r->work, 20 + (member->end - member->value) / 8))
            return work_failure(r->work);
        if (json_find_member(object, member->name) != NULL)
            continue;
        enum outcome outcome = json_tree_parse_next(&value, end, &r->workspace->reading, r->work, &json);
        if (outcome != OUTCOME_DONE)
            return outcome;
        *next = (cJSON *)json;
        (*next)->string = (char *)member->name;
        next = &(*next)->next;
        memcpy(added + length, defaults->text.data + member->begin, member->end - member->begin);
        length += member->end - member->begin;
    }
    added[length] = 0;
    r->context.text.added = added;
    return OUTCOME_DONE;
}

enum outcome json_defaults_decode(const struct source *source, struct case_reading *r) {
    cJSON *member, object = {.type = cJSON_Object};
    if (source->defaults.count == 0)
        return OUTCOME_DONE;
    struct json_decode decode = source_begin_decode(source, r, 0);
    enum outcome outcome = json_defaults_apply(source, r, &object);
    if (outcome != OUTCOME_DONE)
        return outcome;
    cJSON_ArrayForEach(member, &object) {
        const struct place here = {.member = member->string};
        json_decode_member(&decode, source->admission->game->members, member, &here, r->the_case);
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
    r->context.text.bytes = source->bytes + r->position->begin;
    r->context.text.length = length_of(r);
    if ((outcome = wrap_bare(source, r, place, &decode, &tree)) != OUTCOME_DONE)
        return outcome;
    if (source->defaults.count != 0 && cJSON_IsObject(tree.root) &&
        (outcome = json_defaults_apply(source, r, (cJSON *)tree.root)) != OUTCOME_DONE)
        return outcome;
    source->admission->game->decode(&decode, tree.root, place, r->the_case);
    if (cJSON_IsArray(tree.root) && place->parent == NULL && !source->admission->link)
        fault_list_add_advice(r->faults, " (to send several cases, use {\"cases\":[...]} or one case per line)");
    source_name_faults(source, r);
    return decode.outcome;
}
