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

/* What is looked for or added. */
struct go_standing {
    const uint64_t *stones; /* [words] */
    uint64_t hash;
    uint8_t color;
};

struct go_history {
    struct arena *arena;
    size_t words; /* of a position */
    uint64_t *positions;
    struct go_entry *entries;
    size_t count, capacity;
    uint32_t *slots;
    size_t slot_count;
};

/* Start with no position. Everything is allocated in `arena` and dies with it. False when memory is exhausted. */
bool go_history_init(struct go_history *history, size_t words, struct arena *arena);

/* The earliest entry that is `standing`; NULL when it never stood. */
const struct go_entry *go_history_find(const struct go_history *history, struct go_standing standing);

/* Remember a position that has never stood. False when memory is exhausted. */
bool go_history_add(struct go_history *history, struct go_standing standing, uint32_t move);
