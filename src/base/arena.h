/* An arena: memory that is handed out in sequence and taken back all at once.
 *
 *     chunks (each a malloc block):   [used........|free...]  ->  [full]  ->  [full]        [empty............]
 *                                      newest, where the next allocation goes                spare: the next newest
 *
 * A request's parse tree and a solver's scratch live in arenas: nothing in them is freed one by one, a reset ends them
 * all, and the largest chunk stays for what comes next (first use of fresh pages costs more than the work done in
 * them, and threads that give pages back disturb one another).
 *
 * The caller holds the struct (arena_init / arena_clear); an arena belongs to one thread at a time. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct arena_chunk;

/* Always true: `used` is the sum of what is used of the chunks, and at most `cap`. */
struct arena {
    struct arena_chunk *newest; /* NULL: nothing is handed out */
    struct arena_chunk *spare;  /* NULL: none */
    size_t used;                /* bytes handed out since the last reset, alignment included */
    size_t cap;                 /* a hard limit against amplification */
};

#define ARENA_NO_CAP ((size_t)-1)

/* What an arena holds at most after arena_reset, in bytes. */
#define ARENA_WATERMARK ((size_t)4 << 20)

/* Start empty, with no memory held. */
void arena_init(struct arena *arena, size_t cap);

/* Give all memory back to the system. Accepts NULL and an arena that was zeroed but never initialised. */
void arena_clear(struct arena *arena);

/* `size` bytes, aligned for any type, contents undefined; NULL when memory or the cap is exhausted. */
void *arena_alloc(struct arena *arena, size_t size);

/* `count` zeroed elements of `size` bytes; NULL on overflow too. */
void *arena_calloc(struct arena *arena, size_t count, size_t size);

/* `count` elements of `size` bytes, contents undefined; NULL on overflow too. */
void *arena_array(struct arena *arena, size_t count, size_t size);

/* For arena_extend. */
void *arena_move(struct arena *arena, const void *array, size_t count, size_t wanted, size_t *capacity, size_t size);

/* An array with room for `wanted` elements of `size` bytes: itself when *capacity is enough, else a copy of its first
 * `count` in a place at least twice as large; the old one stays until the reset or rewind. NULL when memory is
 * exhausted, and then nothing has changed. An array that is NULL has room for none. */
static inline void *arena_extend(struct arena *arena, void *array, size_t count, size_t wanted, size_t *capacity,
                                 size_t size) {
    return wanted <= *capacity ? array : arena_move(arena, array, count, wanted, capacity, size);
}

/* Take `block` back if it is the newest allocation; otherwise it stays until the reset. Accepts NULL. */
void arena_give_back(struct arena *arena, void *block);

/* End the life of every allocation. Holds at most ARENA_WATERMARK bytes for later. */
void arena_reset(struct arena *arena);

/* A point to return to: arena_rewind ends everything allocated after arena_mark. The largest chunk stays held. */
struct arena_mark {
    struct arena_chunk *chunk;
    size_t chunk_used, used;
};
struct arena_mark arena_mark(const struct arena *arena);
void arena_rewind(struct arena *arena, struct arena_mark mark);
