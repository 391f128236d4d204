#include "mine/part.h"

#include "base/assert.h"

#include <string.h>

bool mine_parts_reserve(struct mine_parts *parts, size_t words, struct arena *arena) {
    struct mine_part *items =
        arena_extend(arena, parts->items, parts->count, parts->count + 1, &parts->capacity, sizeof *parts->items);
    if (items == NULL)
        return false;
    parts->items = items;
    uint64_t *grown = arena_extend(arena, parts->words, parts->word_count, parts->word_count + words,
                                   &parts->word_capacity, sizeof *parts->words);
    if (grown == NULL)
        return false;
    parts->words = grown;
    return true;
}

void mine_parts_end(struct mine_parts *parts, struct mine_part part, uint32_t words) {
    ASSERT(parts->count < parts->capacity && parts->word_count + words <= parts->word_capacity);
    part.at = parts->word_count;
    part.words = words;
    part.hash = mine_key_hash(parts->words + part.at, part.words);
    parts->items[parts->count++] = part;
    parts->word_count += part.words;
}

bool mine_parts_add(struct mine_parts *parts, const struct mine_part *part, const uint64_t *words,
                    struct arena *arena) {
    if (!mine_parts_reserve(parts, part->words, arena))
        return false;
    memcpy(parts->words + parts->word_count, words, part->words * sizeof *words);
    parts->items[parts->count] = *part;
    parts->items[parts->count++].at = parts->word_count;
    parts->word_count += part->words;
    return true;
}
