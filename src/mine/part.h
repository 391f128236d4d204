/* The parts of a position, as their keys. Internal to src/mine. */
#pragma once

#include "base/arena.h"
#include "base/assert.h"
#include "mine/key.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A part without a formula, and its key. Parts with equal keys are isomorphic, and so have equal values. Isomorphic
 * parts mostly have equal keys (reduce.c). */
struct mine_part {
    size_t at;     /* where its key is in the words of its mine_parts */
    uint64_t hash; /* of its key */
    uint32_t words;
    uint32_t vertices, edges, loops;
};

/* A list of parts and their keys. Zeroed: empty. */
struct mine_parts {
    struct mine_part *items;
    size_t count, capacity;
    uint64_t *words;
    size_t word_count, word_capacity;
};

/* A position as a sum of games: the xor of the values of parts with a formula, and the other parts. */
struct mine_sum {
    uint32_t value;
    struct mine_parts parts;
};

/* Formulas for the Grundy values of whole graphs: reduce.c has the proofs. */

/* The value of a single vertex. */
static inline uint32_t mine_vertex_value(bool loop) { return loop ? 2 : 1; }

/* The value of a connected bipartite graph without loops. */
static inline uint32_t mine_bipartite_value(uint32_t vertices, uint32_t edges) {
    return vertices % 2 + 2 * (edges % 2);
}

/* If there is a formula for a connected part, and it is among the shortcuts, add the part's value to the sum and return
 * true. Only vertices, edges and loops of the part are read. */
static inline bool mine_sum_add_by_formula(struct mine_sum *sum, const struct mine_part *part, bool is_bipartite,
                                           unsigned shortcuts) {
    if (part->vertices == 1 && shortcuts & MINE_FORMULA_VERTEX) {
        sum->value ^= mine_vertex_value(part->loops != 0);
        return true;
    }
    if (part->vertices > 1 && part->loops == 0 && is_bipartite && shortcuts & MINE_FORMULA_BIPARTITE) {
        sum->value ^= mine_bipartite_value(part->vertices, part->edges);
        return true;
    }
    return false;
}

/* Count the vertices, edges and loops of a part. */
static inline uint32_t mine_part_pieces(const struct mine_part *part) {
    return part->vertices + part->edges + part->loops;
}

/* Get the key of a part in its list. It has part->words words. */
static inline const uint64_t *mine_part_key(const struct mine_parts *parts, const struct mine_part *part) {
    return parts->words + part->at;
}

/* Empty the list. Its capacity stays. */
static inline void mine_parts_empty(struct mine_parts *parts) { parts->count = parts->word_count = 0; }

/* Make sure that `arena` has space for one more part, whose key has at most this many words. False when memory is
 * exhausted. */
bool mine_parts_reserve(struct mine_parts *parts, size_t words, struct arena *arena);

/* Begin the key of a part, whose vertices, edges and loops are given, after the keys in the list. `core_vertices` is
 * the size of its core; of several parts written as one (MINE_SPLIT is off) that of all their cores. False when memory
 * is exhausted. */
static inline bool mine_parts_begin(struct mine_parts *parts, const struct mine_part *part, uint32_t core_vertices,
                                    struct arena *arena, struct mine_key_writer *ret_writer) {
    ASSERT(core_vertices >= 1 && part->vertices >= core_vertices && part->edges >= part->vertices - core_vertices);
    /* Every vertex that is not in the core is attached to another by one edge. */
    uint32_t core_edges = part->edges - (part->vertices - core_vertices);
    if (!mine_parts_reserve(parts, mine_key_max_words(part->vertices, core_vertices, core_edges), arena))
        return false;
    *ret_writer = mine_key_begin(parts->words + parts->word_count, core_vertices, core_edges);
    return true;
}

/* Add the part whose key was begun. All `words` of the key must be written. */
void mine_parts_end(struct mine_parts *parts, struct mine_part part, uint32_t words);

/* Add a copy of a part with the key `words`. False when memory is exhausted. */
bool mine_parts_add(struct mine_parts *parts, const struct mine_part *part, const uint64_t *words, struct arena *arena);
