#include "api/job/json_case.h"

#include "api/json/check.h"
#include "api/json/decode.h"
#include "api/json/tree.h"

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
    r->context.text = source->bytes + r->position->begin;
    r->context.text_length = length_of(r);
    source->admission->game->decode(&decode, tree.root, place, r->the_case);
    if (cJSON_IsArray(tree.root) && place->parent == NULL && !source->admission->link)
        fault_list_add_advice(r->faults, " (to send several cases, use {\"cases\":[...]} or one case per line)");
    source_name_faults(source, r);
    return decode.outcome;
}
