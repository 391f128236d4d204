/* The positions that stood in a game, and the search for an earlier one.
 *
 * Positions are kept whole, one after the other in one growing array; an open-addressing table of their numbers, probed
 * one by one from the hash, finds candidates; where the search ends is where the position belongs. A hash never
 * decides: a candidate counts only when all its stones are the same, so that an answer is exact whatever the hash does.
 *
 *     slots:      [ .  3  .  .  1  2  . ]     number of a position + 1, 0 for none; a power of two, at most a quarter
 *                                             full: most searches end at the first
 *     positions:  [ #0 | #1 | #2 | #3 ... ]   each hash, the colour that left it, the move after which it stood; then
 *                                             its stones
 *
 * Under situational superko the colour that left a position is part of its identity; elsewhere it is always 0. */
#pragma once

#include "base/arena.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct go_stood {
    uint64_t hash;
    uint32_t move;  /* the first move after which it stood; 0: the start */
    uint32_t color; /* who left it */
    uint64_t stones[];
};

struct go_history {
    struct arena *arena;
    size_t words; /* of the stones of a position */
    uint64_t *positions;
    size_t count, capacity;
    uint32_t *slots;
    size_t slot_count;
};

/* Start with no position, and room for about as many as are expected. Everything is allocated in `arena` and dies with
 * it. False when memory is exhausted. */
bool go_history_init(struct go_history *history, size_t words, size_t expected, struct arena *arena);

/* A search for positions with a hash, left by a colour: candidates, the earliest first, each of which may be the
 * position or not. */
struct go_search {
    uint64_t hash;
    uint32_t color;
    size_t slot; /* the next to look at; in the end the one where such a position belongs */
};

static inline void go_history_search(const struct go_history *history, uint64_t hash, unsigned color,
                                     struct go_search *ret_search) {
    /* The high half of a product by an odd constant: every bit of the hash takes part. */
    uint64_t mixed = (hash ^ color) * 0x9e3779b97f4a7c15u;
    ret_search->hash = hash;
    ret_search->color = color;
    ret_search->slot = (size_t)(mixed >> 32) & (history->slot_count - 1);
}

static inline struct go_stood *go_history_at(const struct go_history *history, size_t number) {
    return (struct go_stood *)(history->positions + number * (sizeof(struct go_stood) / 8 + history->words));
}

/* The next candidate; NULL when there is none any more. */
static inline const struct go_stood *go_history_next(const struct go_history *history, struct go_search *search) {
    uint32_t number;
    while ((number = history->slots[search->slot]) != 0) {
        const struct go_stood *stood = go_history_at(history, number - 1);
        search->slot = (search->slot + 1) & (history->slot_count - 1);
        if (stood->hash == search->hash && stood->color == search->color)
            return stood;
    }
    return NULL;
}

/* Is a candidate the position with these stones[words]? */
bool go_history_is(const struct go_history *history, const struct go_stood *stood, const uint64_t *stones);

/* Remember a position that this search has not found; it has come to its end, and nothing was added since. Returns
 * where its stones[words] are to be written; NULL when memory is exhausted. */
uint64_t *go_history_add(struct go_history *history, const struct go_search *search, uint32_t move);
