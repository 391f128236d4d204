/* The positions that have occurred in a game, and how to search for one.
 *
 * Complete positions are stored one after the other in a growing array. A hash table of their numbers, with open
 * addressing and linear probing, finds candidates; a new position is added at the slot where the search ends. A hash
 * never decides: a candidate is the same position only if all its stones match, so results are exact for any hash.
 *
 *     slots:      [ .  3  .  .  1  2  . ]     number of a position + 1, 0 for none; a power of two, at most a quarter
 *                                             full: most searches end at the first
 *     positions:  [ #0 | #1 | #2 | #3 ... ]   each: hash, the move after which it occurred, identity, its stones
 *
 * Two positions with the same stones are different if the caller gives them different identities: under situational
 * superko, when different colours have left them, and in any case, when the board was changed in between. */
#pragma once

#include "base/arena.h"
#include "base/assert.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A position that has occurred. */
struct go_history_entry {
    uint64_t hash;
    uint32_t move;     /* the number of the first move after which it occurred; 0 for the start */
    uint32_t identity; /* what else, besides its stones, is part of its identity */
    uint64_t stones[]; /* [history->words] */
};

/* Invariants after go_history_init: capacity is a power of two, slot_count is four times that, and count is less than
 * capacity. Every search therefore reaches an empty slot. */
struct go_history {
    struct arena *arena;
    size_t words;        /* the number of words that a position's stones take */
    uint64_t *positions; /* space for `capacity` entries, each of sizeof(struct go_history_entry) / 8 + words */
    size_t count, capacity;
    uint32_t *slots; /* [slot_count] */
    size_t slot_count;
};

/* Initialise an empty history for positions of `words` words, with space for about `expected`; more can be added. Its
 * memory is in `arena`. Returns false if memory is exhausted. */
bool go_history_init(struct go_history *history, size_t words, size_t expected, struct arena *arena);

/* Remove the positions that were added last, until `count` are left. Takes time proportional to their number. */
void go_history_cut(struct go_history *history, size_t count);

/* A search for positions with a given hash and identity. It finds candidates, earliest first; the caller compares their
 * stones. */
struct go_history_search {
    uint64_t hash;
    uint32_t identity;
    size_t slot; /* the next slot to read; at the end, the empty one where such a position belongs */
};

/* Begin a search. */
static inline void go_history_search_begin(const struct go_history *history, uint64_t hash, uint32_t identity,
                                           struct go_history_search *ret_search) {
    /* The high half of a product with an odd constant, which depends on every bit of the hash. */
    uint64_t mixed = (hash ^ identity) * 0x9e3779b97f4a7c15u;
    ret_search->hash = hash;
    ret_search->identity = identity;
    ret_search->slot = (size_t)(mixed >> 32) & (history->slot_count - 1);
}

/* Return entry `number`, which is less than the history's count. Adding a position can move it. */
static inline struct go_history_entry *go_history_entry_at(const struct go_history *history, size_t number) {
    ASSERT(number < history->count);
    size_t words = sizeof(struct go_history_entry) / sizeof *history->positions + history->words;
    return (struct go_history_entry *)(history->positions + number * words);
}

/* Return the next candidate, or NULL if there are no more, which ends the search. */
static inline const struct go_history_entry *go_history_search_next(const struct go_history *history,
                                                                    struct go_history_search *search) {
    uint32_t number;
    ASSERT(history->count < history->slot_count); /* otherwise the loop might never end */
    while ((number = history->slots[search->slot]) != 0) {
        const struct go_history_entry *entry = go_history_entry_at(history, number - 1);
        search->slot = (search->slot + 1) & (history->slot_count - 1);
        if (entry->hash == search->hash && entry->identity == search->identity)
            return entry;
    }
    return NULL;
}

/* Add the position that `search` has looked for. `move` is the number of the move after which it is on the board. The
 * search must have ended without finding it, and nothing may have been added since. Returns where the caller must write
 * its stones ([history->words]), or NULL if memory is exhausted; the history must not be used after that. */
uint64_t *go_history_add(struct go_history *history, const struct go_history_search *search, uint32_t move);
