/* The parts of a position, represented by their keys. Internal to src/mine.
 *
 * A key is the whole graph of a part encoded in bits:
 *
 *     word 0               number of vertices of the core << 32 | number of edges of the core
 *     bits from word 1 on  for each vertex of the core in its order:  1, loop, the codes of its branches, 0
 *                          for each edge of the core:  the places of its ends in that order, the higher one first
 *
 * Edges are sorted by these places. A place takes as many bits as the last one needs. Bits after the end are 0. */
#pragma once

#include "base/arena.h"
#include "base/assert.h"
#include "mine/cluster.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Branches: the rooted trees that peeling attaches to vertices, and their codes (the method of Aho, Hopcroft and
 * Ullman: see reduce.c).
 *
 *     code(v) = 1, loop, the codes of v's branches in descending order, 0           a leaf is 1?0
 *
 * The first bit of a code is its highest. The code of a tree determines where it ends, so a sequence of codes can be
 * read. Two branches are isomorphic exactly when their codes are equal. */
enum {
    MINE_CODE_BITS = 64, /* the maximum length of a code; a vertex takes 3 bits, so a branch has at most 21 vertices */
    MINE_NO_BRANCH = UINT32_MAX,
};

/* The branches of a graph's vertices. A branch is identified by its root. A vertex's branches form a list, in
 * descending order of their codes. */
struct mine_branches {
    uint64_t *code;    /* of each attached branch */
    uint32_t *child;   /* a vertex's first branch; MINE_NO_BRANCH if it has none */
    uint32_t *sibling; /* the next branch of the same vertex; MINE_NO_BRANCH for the last */
};

/* Count the bits of a code; code != 0. */
static inline unsigned mine_code_length(uint64_t code) { return 64 - (unsigned)__builtin_clzll(code); }

/* Encode `v` as a branch, with all branches that are attached to it. Returns 0 if the code would be too long. */
static inline uint64_t mine_branch_code(const struct mine_branches *branches, uint32_t v, bool loop) {
    uint64_t code = 2 | (uint64_t)loop;
    for (uint32_t c = branches->child[v]; c != MINE_NO_BRANCH && code != 0; c = branches->sibling[c]) {
        unsigned more = mine_code_length(branches->code[c]);
        code = mine_code_length(code) + more < MINE_CODE_BITS ? code << more | branches->code[c] : 0;
    }
    return code << 1;
}

/* Attach `branch`, whose code is written, to `v`. With `cancel`, it cancels with an equal branch of `v`, if there is
 * one: that branch is removed from the list and returned, and `branch` is not attached. Otherwise returns
 * MINE_NO_BRANCH. */
static inline uint32_t mine_branch_attach(struct mine_branches *branches, uint32_t v, uint32_t branch, bool cancel) {
    uint64_t code = branches->code[branch];
    uint32_t *link = &branches->child[v];
    while (*link != MINE_NO_BRANCH && branches->code[*link] > code)
        link = &branches->sibling[*link];
    if (cancel && *link != MINE_NO_BRANCH && branches->code[*link] == code) {
        uint32_t equal = *link;
        *link = branches->sibling[equal];
        return equal;
    }
    branches->sibling[branch] = *link;
    *link = branch;
    return MINE_NO_BRANCH;
}

/* Are the branches of two vertices isomorphic? */
static inline bool mine_branches_equal(const struct mine_branches *branches, uint32_t v, uint32_t w) {
    uint32_t x = branches->child[v], y = branches->child[w];
    while (x != MINE_NO_BRANCH && y != MINE_NO_BRANCH && branches->code[x] == branches->code[y]) {
        x = branches->sibling[x];
        y = branches->sibling[y];
    }
    return x == MINE_NO_BRANCH && y == MINE_NO_BRANCH;
}

/* A key being written, starting with the most significant bit of each word. */
struct mine_key_writer {
    uint64_t *words; /* from word 1 on */
    size_t bit;      /* the next bit of `words` */
    unsigned place_bits;
};

/* Get the number of bits that a number below `count` takes. */
static inline unsigned mine_key_width(uint32_t count) {
    return count > 1 ? 32 - (unsigned)__builtin_clz(count - 1) : 0;
}

/* Append the lowest `count` bits of `bits`; the other bits must be 0; count <= 64. */
static inline void mine_key_put(struct mine_key_writer *writer, uint64_t bits, unsigned count) {
    unsigned used = writer->bit % 64, free = 64 - used;
    uint64_t *word = &writer->words[writer->bit / 64];
    ASSERT(count <= 64 && (count == 64 || bits >> count == 0));
    if (count == 0)
        return;
    if (used == 0)
        *word = 0;
    if (count <= free) {
        *word |= bits << (free - count);
    } else {
        word[0] |= bits >> (count - free);
        word[1] = bits << (64 - (count - free));
    }
    writer->bit += count;
}

/* Append a core vertex with its branches. */
static inline void mine_key_put_vertex(struct mine_key_writer *writer, const struct mine_branches *branches, uint32_t v,
                                       bool loop) {
    mine_key_put(writer, 2 | (uint64_t)loop, 2);
    for (uint32_t c = branches->child[v]; c != MINE_NO_BRANCH; c = branches->sibling[c])
        mine_key_put(writer, branches->code[c], mine_code_length(branches->code[c]));
    mine_key_put(writer, 0, 1);
}

/* Append a core edge, given the places of its ends; lower < higher. */
static inline void mine_key_put_edge(struct mine_key_writer *writer, uint32_t higher, uint32_t lower) {
    ASSERT(lower < higher);
    mine_key_put(writer, (uint64_t)higher << writer->place_bits | lower, 2 * writer->place_bits);
}

/* Get the number of words in a complete key. */
static inline uint32_t mine_key_words(const struct mine_key_writer *writer) {
    return (uint32_t)((64 + writer->bit + 63) / 64);
}

/* Hash a key of this many words. The hash is only used to find the key in the memo. */
static inline uint64_t mine_key_hash(const uint64_t *words, uint32_t count) {
    uint64_t hash = count;
    for (uint32_t w = 0; w < count; w++) {
        hash = (hash ^ words[w]) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 32;
    }
    hash *= 0x9e3779b97f4a7c15u;
    return hash ^ hash >> 29;
}

/* A part without a formula, and its key. Parts with equal keys are isomorphic, and so have equal values. Isomorphic
 * parts usually have equal keys (reduce.c). */
struct mine_part {
    size_t at;     /* where its key starts in the words of its mine_parts */
    uint64_t hash; /* of its key */
    uint32_t words;
    uint32_t vertices, edges, loops;
};

/* A list of parts and their keys. A zeroed list is empty. */
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

/* Get the value of a single vertex. */
static inline uint32_t mine_vertex_value(bool loop) { return loop ? 2 : 1; }

/* If there is a formula for a connected part, and it is among the shortcuts, add the part's value to the sum and return
 * true. Only vertices, edges and loops of the part are read. reduce.c has the proofs. */
static inline bool mine_sum_add_by_formula(struct mine_sum *sum, const struct mine_part *part, bool is_bipartite,
                                           unsigned shortcuts) {
    if (part->vertices == 1 && shortcuts & MINE_FORMULA_VERTEX) {
        sum->value ^= mine_vertex_value(part->loops != 0);
        return true;
    }
    if (part->vertices > 1 && part->loops == 0 && is_bipartite && shortcuts & MINE_FORMULA_BIPARTITE) {
        sum->value ^= part->vertices % 2 + 2 * (part->edges % 2);
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

/* Empty the list, but keep its capacity. */
static inline void mine_parts_empty(struct mine_parts *parts) { parts->count = parts->word_count = 0; }

/* Begin the key of a part, whose vertices, edges and loops are given, after the keys in the list. `core_vertices` is
 * the size of its core or, for several parts written as one (if MINE_SPLIT is off), of all their cores. Returns false
 * if memory is exhausted. */
bool mine_parts_begin(struct mine_parts *parts, const struct mine_part *part, uint32_t core_vertices,
                      struct arena *arena, struct mine_key_writer *ret_writer);

/* Add the part whose key was begun. All `words` of the key must be written. */
void mine_parts_end(struct mine_parts *parts, struct mine_part part, uint32_t words);

/* Add a copy of a part with the key `words`. Returns false if memory is exhausted. */
bool mine_parts_add(struct mine_parts *parts, const struct mine_part *part, const uint64_t *words, struct arena *arena);

/* Arrays for mine_key_decode, each with space for the vertices of the largest graph. */
struct mine_key_scratch {
    uint32_t *parent;      /* [vertices] for a vertex in a branch: the vertex that it is attached to */
    uint32_t *core_vertex; /* [vertices] the vertex at this place in the core */
};

/* Allocate them in `arena`. Returns false if memory is exhausted. */
bool mine_key_scratch_init(struct mine_key_scratch *scratch, uint32_t vertices, struct arena *arena);

/* Decode a key into a linked cluster, whose arrays have space for its graph. */
void mine_key_decode(const uint64_t *key, const struct mine_key_scratch *scratch, struct mine_cluster *ret_cluster);
