#include "mine/memo.h"

#include "base/assert.h"

#include <string.h>

enum { FIRST_CAPACITY = 64 };

static uint32_t tag_of(uint64_t hash) { return (uint32_t)(hash >> 32); }

static bool has_key(const struct mine_memo *memo, uint32_t entry, const uint64_t *key, uint32_t words) {
    const struct mine_facts *facts = &memo->facts[entry];
    return facts->words == words && memcmp(memo->words + facts->key, key, words * sizeof *key) == 0;
}

/* Find the slot for a key: the one that has it, or the free one where it belongs. At least half of the slots are
 * free. */
static struct mine_memo_slot *find_slot(const struct mine_memo *memo, const uint64_t *key, uint32_t words,
                                        uint64_t hash) {
    ASSERT(memo->count < memo->slot_count);
    uint32_t tag = tag_of(hash);
    size_t at = (size_t)hash & (memo->slot_count - 1);
    while (memo->slots[at].number != 0 &&
           (memo->slots[at].tag != tag || !has_key(memo, memo->slots[at].number - 1, key, words)))
        at = (at + 1) & (memo->slot_count - 1);
    return &memo->slots[at];
}

/* Allocate space for `capacity` entries, and rebuild the table of slots. */
static bool grow(struct mine_memo *memo, size_t capacity, struct arena *arena) {
    struct mine_facts *facts = arena_array(arena, capacity, sizeof *facts);
    struct mine_memo_slot *slots = arena_calloc(arena, 2 * capacity, sizeof *slots);
    if (facts == NULL || slots == NULL)
        return false;
    if (memo->count != 0)
        memcpy(facts, memo->facts, memo->count * sizeof *facts);
    memo->facts = facts;
    memo->slots = slots;
    memo->capacity = capacity;
    memo->slot_count = 2 * capacity;
    for (size_t k = 0; k < memo->count; k++) {
        const uint64_t *key = memo->words + facts[k].key;
        uint64_t hash = mine_key_hash(key, facts[k].words);
        *find_slot(memo, key, facts[k].words, hash) = (struct mine_memo_slot){(uint32_t)k + 1, tag_of(hash)};
    }
    return true;
}

bool mine_memo_init(struct mine_memo *memo, struct arena *arena) {
    *memo = (struct mine_memo){0};
    return grow(memo, FIRST_CAPACITY, arena);
}

uint32_t mine_memo_find(const struct mine_memo *memo, const struct mine_parts *parts, const struct mine_part *part) {
    /* A free slot has the number 0. */
    return find_slot(memo, mine_part_key(parts, part), part->words, part->hash)->number - 1;
}

bool mine_memo_add(struct mine_memo *memo, const struct mine_parts *parts, const struct mine_part *part,
                   struct arena *arena) {
    const uint64_t *key = mine_part_key(parts, part);
    uint32_t words = part->words;
    ASSERT(mine_memo_find(memo, parts, part) == MINE_NO_ENTRY && part->hash == mine_key_hash(key, words));
    if (memo->count == memo->capacity && !grow(memo, 2 * memo->capacity, arena))
        return false;
    uint64_t *grown = arena_extend(arena, memo->words, memo->word_count, memo->word_count + words, &memo->word_capacity,
                                   sizeof *grown);
    if (grown == NULL)
        return false;
    memo->words = grown;
    memcpy(memo->words + memo->word_count, key, words * sizeof *key);
    memo->facts[memo->count++] =
        (struct mine_facts){.value = MINE_UNKNOWN, .words = words, .key = memo->word_count, .option_values = 0};
    memo->word_count += words;
    *find_slot(memo, key, words, part->hash) = (struct mine_memo_slot){(uint32_t)memo->count, tag_of(part->hash)};
    return true;
}
