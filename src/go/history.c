#include "go/history.h"

#include <string.h>

enum { LEAST = 32, MOST_AT_ONCE = 4096, SLOTS_A_POSITION = 4 };

/* Room for `capacity` positions, a power of two. The old arrays stay in the arena: together they are smaller. */
static bool grow(struct go_history *history, size_t capacity) {
    size_t size = sizeof(struct go_stood) + history->words * sizeof *history->positions;
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
        const struct go_stood *stood = go_history_at(history, number);
        struct go_search search;
        go_history_search(history, stood->hash, stood->color, &search);
        while (go_history_next(history, &search) != NULL)
            continue;
        slots[search.slot] = number + 1;
    }
    return true;
}

bool go_history_init(struct go_history *history, size_t words, size_t expected, struct arena *arena) {
    size_t capacity = LEAST;
    while (capacity <= expected && capacity < MOST_AT_ONCE)
        capacity *= 2;
    *history = (struct go_history){.arena = arena, .words = words};
    return grow(history, capacity);
}

bool go_history_is(const struct go_history *history, const struct go_stood *stood, const uint64_t *stones) {
    return memcmp(stood->stones, stones, history->words * sizeof *stones) == 0;
}

uint64_t *go_history_add(struct go_history *history, const struct go_search *search, uint32_t move) {
    size_t number = history->count++;
    history->slots[search->slot] = (uint32_t)number + 1;
    struct go_stood *stood = go_history_at(history, number);
    stood->hash = search->hash;
    stood->move = move;
    stood->color = search->color;
    /* For the next one, whose search needs the table as it will be. */
    if (history->count == history->capacity && !grow(history, 2 * history->capacity))
        return NULL;
    return go_history_at(history, number)->stones;
}
