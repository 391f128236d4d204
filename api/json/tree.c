#include "api/json/tree.h"

#include "base/assert.h"
#include "base/checked.h"

/* cJSON's hooks are functions without an argument of ours. The arena that they allocate from is set around a parse and
 * nowhere else: outside of it an allocation by cJSON fails. */
static _Thread_local struct {
    struct arena *arena; /* NULL outside of a parse */
    bool exhausted;      /* an allocation failed since the parse began */
} parse;

static void *allocate(size_t size) {
    void *block = parse.arena != NULL ? arena_alloc(parse.arena, size) : NULL;
    parse.exhausted |= block == NULL;
    return block;
}

static void give_back(void *block) {
    if (parse.arena != NULL)
        arena_give_back(parse.arena, block);
}

void json_tree_prepare(void) { cJSON_InitHooks(&(cJSON_Hooks){.malloc_fn = allocate, .free_fn = give_back}); }

enum json_tree_end json_tree_parse(const char *json, size_t length, uint64_t values, struct arena *arena,
                                   const cJSON **ret_tree) {
    /* A value is a node and at most one string, a name one more string; each is rounded up to 16 bytes. What passes
     * this is a fault of ours, and must not eat the machine. */
    size_t cap, cap_before = arena->cap, text = 0;
    if (!checked_mul(values, sizeof(cJSON) + 32, &cap) || !checked_mul(length, 2, &text) ||
        !checked_add(cap, text, &cap) || !checked_add(cap, arena->used + 4096, &cap))
        return JSON_TREE_NO_MEMORY;
    const char *end = json;
    ASSERT(parse.arena == NULL);
    arena->cap = cap < cap_before ? cap : cap_before;
    parse.arena = arena;
    parse.exhausted = false;
    const cJSON *tree = cJSON_ParseWithLengthOpts(json, length, &end, false);
    parse.arena = NULL;
    arena->cap = cap_before;
    if (tree == NULL)
        return parse.exhausted ? JSON_TREE_NO_MEMORY : JSON_TREE_REFUSED;
    *ret_tree = tree;
    return JSON_TREE_GOOD;
}
