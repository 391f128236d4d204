#include "go/history.h"

#include <string.h>

enum { MIN = 32, MAX_AT_ONCE = 4096, SLOTS_A_POSITION = 4 };

/* Allocate space for `capacity` positions, a power of two greater than their current number, and rebuild the table of
 * slots. The old arrays stay in the arena; together they are smaller than the new ones. Returns false if memory is
 * exhausted. */
static bool grow(struct go_history *history, size_t capacity) {
    size_t size = sizeof(struct go_history_entry) + history->words * sizeof *history->positions;
    ASSERT(capacity > history->count && (capacity & (capacity - 1)) == 0);
    uint64_t *positions = arena_array(history->arena, capacity, size);
    uint32_t *slots = arena_calloc(history->arena, SLOTS_A_POSITION * capacity, sizeof *slots);
    if (positions == NULL || slots == NULL)
        return false;
    if (history->count != 0)
        memcpy(positions, history->positions, history->count * size);
    history->positions = positions;
    history->capacity = capacity;
    history->slots = slots;
    history->slot_count = SLOTS_A_POSITION * capacity;
    for (uint32_t number = 0; number < history->count; number++) {
        const struct go_history_entry *entry = go_history_entry_at(history, number);
        struct go_history_search search;
        go_history_search_begin(history, entry->hash, entry->identity, &search);
        while (go_history_search_next(history, &search) != NULL)
            continue;
        slots[search.slot] = number + 1;
    }
    return true;
}

bool go_history_init(struct go_history *history, size_t words, size_t expected, struct arena *arena) {
    size_t capacity = MIN;
    while (capacity <= expected && capacity < MAX_AT_ONCE)
        capacity *= 2;
    *history = (struct go_history){.arena = arena, .words = words};
    return grow(history, capacity);
}

/* The newest position is removed first, because the search for a position passes the slots of those added before it. */
void go_history_cut(struct go_history *history, size_t count) {
    for (; history->count > count; history->count--) {
        const struct go_history_entry *entry = go_history_entry_at(history, history->count - 1);
        struct go_history_search search;
        go_history_search_begin(history, entry->hash, entry->identity, &search);
        while (history->slots[search.slot] != history->count)
            search.slot = (search.slot + 1) & (history->slot_count - 1);
        history->slots[search.slot] = 0;
    }
}

uint64_t *go_history_add(struct go_history *history, const struct go_history_search *search, uint32_t move) {
    size_t number = history->count++;
    ASSERT(number < history->capacity && history->slots[search->slot] == 0);
    history->slots[search->slot] = (uint32_t)number + 1;
    struct go_history_entry *entry = go_history_entry_at(history, number);
    entry->hash = search->hash;
    entry->move = move;
    entry->identity = search->identity;
    /* Grow now rather than before adding the next position, because the search for that one ends in a slot of the very
     * table that it is then added to. */
    if (history->count == history->capacity && !grow(history, 2 * history->capacity))
        return NULL;
    return go_history_entry_at(history, number)->stones;
}
