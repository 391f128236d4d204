/* The key of a part: the whole graph encoded in bits. Internal to src/mine.
 *
 *     word 0               number of vertices of the core << 32 | number of edges of the core
 *     bits from word 1 on  for each vertex of the core in its order:  1, loop, the codes of its branches, 0 (branch.h)
 *                          for each edge of the core:  the places of its ends in that order, the higher one first
 *
 * Edges are sorted by these places. A place takes as many bits as the last one needs. Bits after the end are 0. */
#pragma once

#include "base/assert.h"
#include "mine/branch.h"
#include "mine/cluster.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A key that is being written, most significant bit of each word first. */
struct mine_key_writer {
    uint64_t *words; /* from word 1 on */
    size_t bit;      /* the next bit of `words` */
    unsigned place_bits;
};

/* Get how many bits a number below `count` takes. */
static inline unsigned mine_key_width(uint32_t count) {
    return count > 1 ? 32 - (unsigned)__builtin_clz(count - 1) : 0;
}

/* Get how many words are needed to write the key of a part with these numbers of vertices, in all and in its core, and
 * of edges in its core: one for the numbers, one that is incomplete, and one that mine_key_put may touch. */
static inline size_t mine_key_max_words(uint32_t vertices, uint32_t core_vertices, uint32_t core_edges) {
    return (3 * (size_t)vertices + 2 * (size_t)mine_key_width(core_vertices) * core_edges) / 64 + 3;
}

/* Begin a key in `words`. */
static inline struct mine_key_writer mine_key_begin(uint64_t *words, uint32_t core_vertices, uint32_t core_edges) {
    words[0] = (uint64_t)core_vertices << 32 | core_edges;
    return (struct mine_key_writer){words + 1, 0, mine_key_width(core_vertices)};
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

/* Append a vertex of the core with its branches. */
static inline void mine_key_put_vertex(struct mine_key_writer *writer, const struct mine_branches *branches, uint32_t v,
                                       bool loop) {
    mine_key_put(writer, 2 | (uint64_t)loop, 2);
    for (uint32_t c = branches->child[v]; c != MINE_NO_BRANCH; c = branches->sibling[c])
        mine_key_put(writer, branches->code[c], mine_code_length(branches->code[c]));
    mine_key_put(writer, 0, 1);
}

/* Append an edge of the core, by the places of its ends; lower < higher. */
static inline void mine_key_put_edge(struct mine_key_writer *writer, uint32_t higher, uint32_t lower) {
    ASSERT(lower < higher);
    mine_key_put(writer, (uint64_t)higher << writer->place_bits | lower, 2 * writer->place_bits);
}

/* Get the number of words of a complete key. */
static inline uint32_t mine_key_words(const struct mine_key_writer *writer) {
    return (uint32_t)((64 + writer->bit + 63) / 64);
}

/* Hash a key of this many words. The hash only finds its place in the memo. */
static inline uint64_t mine_key_hash(const uint64_t *words, uint32_t count) {
    uint64_t hash = count;
    for (uint32_t w = 0; w < count; w++) {
        hash = (hash ^ words[w]) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 32;
    }
    hash *= 0x9e3779b97f4a7c15u;
    return hash ^ hash >> 29;
}

/* Arrays for mine_key_decode, each with space for the vertices of the largest graph. */
struct mine_key_scratch {
    uint32_t *parent;      /* [vertices] of a vertex in a branch: the vertex that it is attached to */
    uint32_t *core_vertex; /* [vertices] the vertex at this place of the core */
};

/* Allocate them in `arena`. False when memory is exhausted. */
bool mine_key_scratch_init(struct mine_key_scratch *scratch, uint32_t vertices, struct arena *arena);

/* Decode a key into a linked cluster, whose arrays have space for its graph. */
void mine_key_decode(const uint64_t *key, const struct mine_key_scratch *scratch, struct mine_cluster *ret_cluster);
