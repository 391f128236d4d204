#include "go/history.h"

#include <string.h>

enum { FIRST_CAPACITY = 32 };

static size_t first_slot(const struct go_history *history, uint64_t hash, uint8_t color) {
    /* The high half of a product by an odd constant: every bit of the hash takes part. */
    uint64_t mixed = (hash ^ color) * 0x9e3779b97f4a7c15u;
    return (size_t)(mixed >> 32) & (history->slot_count - 1);
}

static void insert(struct go_history *history, uint32_t number) {
    const struct go_entry *entry = &history->entries[number];
    size_t slot = first_slot(history, entry->hash, entry->color);
    while (history->slots[slot] != 0)
        slot = (slot + 1) & (history->slot_count - 1);
    history->slots[slot] = number + 1;
}

/* Twice the room. The old arrays stay in the arena: together they are smaller than the new ones. */
static bool grow(struct go_history *history) {
    size_t capacity = history->capacity != 0 ? 2 * history->capacity : FIRST_CAPACITY;
    uint64_t *positions = arena_array(history->arena, capacity, history->words * sizeof *positions);
    struct go_entry *entries = arena_array(history->arena, capacity, sizeof *entries);
    uint32_t *slots = arena_calloc(history->arena, 2 * capacity, sizeof *slots);
    if (positions == NULL || entries == NULL || slots == NULL)
        return false;
    if (history->count != 0) {
        memcpy(positions, history->positions, history->count * history->words * sizeof *positions);
        memcpy(entries, history->entries, history->count * sizeof *entries);
    }
    history->positions = positions;
    history->entries = entries;
    history->capacity = capacity;
    history->slots = slots;
    history->slot_count = 2 * capacity;
    for (uint32_t number = 0; number < history->count; number++)
        insert(history, number);
    return true;
}

bool go_history_init(struct go_history *history, size_t words, struct arena *arena) {
    *history = (struct go_history){.arena = arena, .words = words};
    return grow(history);
}

struct go_search go_history_search(const struct go_history *history, uint64_t hash, uint8_t color) {
    return (struct go_search){hash, color, first_slot(history, hash, color)};
}

const struct go_entry *go_history_next(const struct go_history *history, struct go_search *search) {
    while (history->slots[search->slot] != 0) {
        const struct go_entry *entry = &history->entries[history->slots[search->slot] - 1];
        search->slot = (search->slot + 1) & (history->slot_count - 1);
        if (entry->hash == search->hash && entry->color == search->color)
            return entry;
    }
    return NULL;
}

bool go_history_is(const struct go_history *history, const struct go_entry *entry, const uint64_t *stones) {
    const uint64_t *stood = history->positions + (size_t)(entry - history->entries) * history->words;
    return memcmp(stood, stones, history->words * sizeof *stones) == 0;
}

bool go_history_add(struct go_history *history, const struct go_entry *entry, const uint64_t *black,
                    const uint64_t *white) {
    size_t half = history->words / 2;
    if (history->count == history->capacity && !grow(history))
        return false;
    uint64_t *stones = history->positions + history->count * history->words;
    memcpy(stones, black, half * sizeof *stones);
    memcpy(stones + half, white, half * sizeof *stones);
    history->entries[history->count] = *entry;
    insert(history, (uint32_t)history->count++);
    return true;
}
