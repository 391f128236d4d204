/* The parts that a position falls into, written down by their keys. Inside the room. */
#pragma once

#include "base/arena.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A part that theory cannot value, with its key. Equal keys are equal graphs but for the names of their vertices, and
 * so equal in value; what is alike has the same key most of the time (reduce.c). */
struct mine_part {
    size_t at;     /* where its key stands in the words of its mine_parts */
    uint64_t hash; /* of its key */
    uint32_t words;
    uint32_t vertices, edges, loops;
};

/* A list of parts, and their keys one after the other. Zeroed, it is empty. */
struct mine_parts {
    struct mine_part *items;
    size_t count, capacity;
    uint64_t *words;
    size_t word_count, word_capacity;
};

/* A position as a sum of games: the xor of the values of those parts that theory values, and the other parts. */
struct mine_sum {
    uint32_t value;
    struct mine_parts parts;
};

/* Count the vertices, edges and loops of a part. */
static inline uint32_t mine_part_pieces(const struct mine_part *part) {
    return part->vertices + part->edges + part->loops;
}

/* Find the key of a part, part->words words, in the list that it belongs to. */
static inline const uint64_t *mine_part_key(const struct mine_parts *parts, const struct mine_part *part) {
    return parts->words + part->at;
}

/* Empty the list; its room stays. */
static inline void mine_parts_empty(struct mine_parts *parts) { parts->count = parts->word_count = 0; }

/* Make room in `arena` for one more part whose key has at most so many words. False when memory is exhausted. */
bool mine_parts_reserve(struct mine_parts *parts, size_t words, struct arena *arena);

/* Add a part, of which vertices, edges and loops are given, after its key has been written at parts->words +
 * parts->word_count, so many bits of it. There is room for it. */
void mine_parts_close(struct mine_parts *parts, struct mine_part part, size_t bits);

/* Add a copy of a part whose key is `words`. False when memory is exhausted. */
bool mine_parts_add(struct mine_parts *parts, const struct mine_part *part, const uint64_t *words, struct arena *arena);
