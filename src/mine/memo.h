/* A table of what a search knows about the parts it has encountered, by key. Internal to src/mine. */
#pragma once

#include "base/arena.h"
#include "mine/part.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    MINE_UNKNOWN = UINT32_MAX,  /* no value */
    MINE_NO_ENTRY = UINT32_MAX, /* no part */
    MINE_NOTED_VALUES = 64,     /* only option values below this are noted */
};

/* The facts about a part. */
struct mine_facts {
    uint32_t value;         /* MINE_UNKNOWN while unknown */
    uint32_t words;         /* of its key */
    size_t key;             /* where it is in the memo's words */
    uint64_t option_values; /* bit k: an option is worth k, so the part is not */
};

/* A slot of the memo's table. The tag is the upper half of the hash of the entry's key. Keys are compared only if tags
 * are equal, which saves 9 % of a search's time when there are a million entries. */
struct mine_memo_slot {
    uint32_t number; /* number of an entry + 1; 0 if free */
    uint32_t tag;
};

/* A hash table with open addressing. Entries are numbered in the order in which they are added, and are never removed.
 * A key encodes the whole part, so results never depend on the hash. */
struct mine_memo {
    struct mine_facts *facts; /* [count] one for each entry */
    size_t count, capacity;
    uint64_t *words; /* their keys, one after the other */
    size_t word_count, word_capacity;
    struct mine_memo_slot *slots;
    size_t slot_count; /* a power of two, twice the capacity */
};

/* Initialise an empty memo. Everything is in `arena`, which must not be rewound while the memo is used. Returns false
 * if memory is exhausted. */
bool mine_memo_init(struct mine_memo *memo, struct arena *arena);

/* Find a part's entry. Returns MINE_NO_ENTRY if there is none. */
uint32_t mine_memo_find(const struct mine_memo *memo, const struct mine_parts *parts, const struct mine_part *part);

/* Add a part that has no entry, without facts. It becomes entry memo->count - 1. Returns false if memory is
 * exhausted. */
bool mine_memo_add(struct mine_memo *memo, const struct mine_parts *parts, const struct mine_part *part,
                   struct arena *arena);

/* Record that an option of the entry is worth `value`. Values from MINE_NOTED_VALUES on are not recorded. */
static inline void mine_memo_note(struct mine_memo *memo, uint32_t entry, uint32_t value) {
    if (value < MINE_NOTED_VALUES)
        memo->facts[entry].option_values |= (uint64_t)1 << value;
}

/* Is an option of the part known to be worth `value`? */
static inline bool mine_facts_exclude(const struct mine_facts *facts, uint32_t value) {
    return value < MINE_NOTED_VALUES && facts->option_values >> value & 1;
}
