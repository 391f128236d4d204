/* The positions that stood in a game, and the search for an earlier one.
 *
 * Positions are kept whole, one after the other in one growing array; an open-addressing table of their numbers, probed
 * line by line from the hash, finds candidates. A hash never decides: a candidate counts only when all its stones are
 * the same, so that an answer is exact whatever the hash does.
 *
 *     slots:      [ .  3  .  .  1  2  . ]     number of a position + 1, 0 for none; a power of two, at most half full
 *     positions:  [ #0 | #1 | #2 | #3 ... ]   black words, white words
 *     entries:    [ #0 | #1 | #2 | #3 ... ]   hash, the colour that left it, the move after which it stood
 *
 * Under situational superko the colour that left a position is part of its identity; elsewhere it is always 0. */
#pragma once

#include "base/arena.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct go_entry {
    uint64_t hash;
    uint32_t move; /* the first move after which it stood; 0: the start */
    uint8_t color; /* who left it */
};

struct go_history {
    struct arena *arena;
    size_t words; /* of a position: half of them black stones, half white */
    uint64_t *positions;
    struct go_entry *entries;
    size_t count, capacity;
    uint32_t *slots;
    size_t slot_count;
};

/* Start with no position. Everything is allocated in `arena` and dies with it. False when memory is exhausted. */
bool go_history_init(struct go_history *history, size_t words, struct arena *arena);

/* A search for positions with a hash, left by a colour: candidates, the earliest first, each of which may be the
 * position or not. */
struct go_search {
    uint64_t hash;
    uint8_t color;
    size_t slot; /* the next to look at */
};

struct go_search go_history_search(const struct go_history *history, uint64_t hash, uint8_t color);

/* The next candidate; NULL when there is none any more. */
const struct go_entry *go_history_next(const struct go_history *history, struct go_search *search);

/* Is a candidate the position with these stones? stones[words]: black, then white. */
bool go_history_is(const struct go_history *history, const struct go_entry *entry, const uint64_t *stones);

/* Remember a position that has never stood: black[words / 2], white[words / 2]. False when memory is exhausted. */
bool go_history_add(struct go_history *history, const struct go_entry *entry, const uint64_t *black,
                    const uint64_t *white);
