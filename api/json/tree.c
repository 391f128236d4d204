#include "api/json/tree.h"

#include "api/json/check.h"
#include "base/assert.h"
#include "base/words.h"

#include <stdbool.h>
#include <string.h>

/* cJSON's allocation hooks take no context argument. So the arena that they use is set only during a parse; at other
 * times, they fail. */
static _Thread_local struct {
    struct arena *arena;     /* NULL outside a parse */
    const struct work *work; /* its stop flag makes an allocation fail, which ends the parse; cJSON calls no other
                              * function of ours */
    enum outcome end;        /* why an allocation failed since the parse began */
} parse;

static void *allocate(size_t size) {
    bool stopped = parse.arena != NULL && work_is_stopped(parse.work);
    void *block = parse.arena != NULL && !stopped ? arena_alloc(parse.arena, size) : NULL;
    if (block == NULL)
        parse.end = stopped ? OUTCOME_CANCELLED : OUTCOME_NO_MEMORY;
    return block;
}

static void give_back(void *block) {
    if (parse.arena != NULL)
        arena_give_back(parse.arena, block);
}

void json_tree_prepare(void) { cJSON_InitHooks(&(cJSON_Hooks){.malloc_fn = allocate, .free_fn = give_back}); }

enum outcome json_tree_parse_next(const char **at, const char *end, struct arena *arena, const struct work *work,
                                  const cJSON **ret_root) {
    const char *after_value = *at;
    ASSERT(parse.arena == NULL);
    parse.arena = arena;
    parse.work = work;
    parse.end = OUTCOME_INTERNAL;
    const cJSON *root = cJSON_ParseWithLengthOpts(*at, (size_t)(end - *at), &after_value, false);
    parse.arena = NULL;
    if (root == NULL)
        return parse.end;
    *at = after_value;
    *ret_root = root;
    return OUTCOME_DONE;
}

/* ---- members without a tree ---- */

struct json_members json_members_begin(const char *json, size_t length, const struct work *work) {
    const char *object = json_skip_blanks(json);
    ASSERT(*object == '{');
    return (struct json_members){object + 1, json + length, work};
}

enum outcome json_members_next(struct json_members *members, struct arena *arena, const char **ret_name) {
    const char *at = json_skip_blanks(members->at);
    const cJSON *name = NULL;
    *ret_name = NULL;
    if (*at == ',')
        at = json_skip_blanks(at + 1);
    if (*at == '}')
        return OUTCOME_DONE;
    enum outcome outcome = json_tree_parse_next(&at, members->end, arena, members->work, &name);
    if (outcome != OUTCOME_DONE || name == NULL)
        return outcome;
    *ret_name = name->valuestring;
    members->at = json_skip_blanks(json_skip_blanks(at) + 1);
    return OUTCOME_DONE;
}

/* ---- arrays that are left out ---- */

/* Parse the value of a member, and move members->at past it. If the name is `wanted`, an array of at least `min` bytes
 * is left out: its value is an empty array, which is recorded in the tree. */
static enum outcome parse_member(struct json_members *members, bool wanted, size_t min, struct arena *arena,
                                 struct json_tree *tree, cJSON **ret_value) {
    struct json_left_out array = {.text = members->at};
    const char *end = members->end, *at = members->at, *after = at;
    if (wanted) {
        enum outcome skipped = json_skip_value(&after, end, members->work, &array.elements);
        if (skipped != OUTCOME_DONE)
            return skipped;
        array.length = (size_t)(after - array.text);
        wanted = array.length >= min;
    }
    if (wanted) {
        at = "[]";
        end = at + 2;
    }
    enum outcome outcome = json_tree_parse_next(&at, end, arena, members->work, &array.array);
    if (wanted)
        tree->left_out[tree->left_out_count++] = array;
    members->at = wanted ? after : at;
    *ret_value = (cJSON *)array.array;
    return outcome;
}

/* Parse an object member by member, and leave long arrays out. */
static enum outcome parse_members(const char *json, size_t length, const char *const *names, size_t min,
                                  struct arena *arena, const struct work *work, struct json_tree *tree) {
    struct json_members members = json_members_begin(json, length, work);
    const char *object = "{}";
    unsigned seen = 0;
    enum outcome outcome = json_tree_parse_next(&object, object + 2, arena, work, &tree->root);
    if (outcome != OUTCOME_DONE)
        return outcome;
    for (cJSON **next = &((cJSON *)tree->root)->child;; next = &(*next)->next) {
        const char *name;
        outcome = json_members_next(&members, arena, &name);
        if (outcome != OUTCOME_DONE || name == NULL)
            return outcome;
        int left_out = *members.at == '[' ? words_find(names, name, strlen(name)) : -1;
        bool wanted = left_out >= 0 && !(seen >> left_out & 1);
        seen |= wanted ? 1u << left_out : 0;
        outcome = parse_member(&members, wanted, min, arena, tree, next);
        if (outcome != OUTCOME_DONE)
            return outcome;
        (*next)->string = (char *)name;
    }
}

enum outcome json_tree_parse(const char *json, size_t length, const char *const *names, size_t min, struct arena *arena,
                             const struct work *work, struct json_tree *ret_tree) {
    struct json_tree tree = {0};
    const char *text = json;
    enum outcome outcome = names != NULL && length >= min && *json_skip_blanks(json) == '{'
                               ? parse_members(json, length, names, min, arena, work, &tree)
                               : json_tree_parse_next(&text, json + length, arena, work, &tree.root);
    if (outcome == OUTCOME_DONE)
        *ret_tree = tree;
    return outcome;
}

const struct json_left_out *json_tree_find_left_out(const struct json_tree *tree, const cJSON *array) {
    for (unsigned i = 0; tree != NULL && i < tree->left_out_count; i++)
        if (tree->left_out[i].array == array)
            return &tree->left_out[i];
    return NULL;
}
