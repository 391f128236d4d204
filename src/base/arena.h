/* An arena: memory that is handed out in sequence and taken back all at once.
 *
 *     chunks (each a malloc block):   [used........|free...]  ->  [full]  ->  [full]        [empty............]
 *                                      first, where the next allocation goes                 spare: used again
 *
 * A request's parse tree and a solver's scratch live in arenas: nothing in them is freed one by one, a reset ends them
 * all, and the largest chunk stays for what comes next (first use of fresh pages costs more than the work done in
 * them, and threads that give pages back disturb one another).
 *
 * The caller holds the struct (arena_init / arena_clear); an arena belongs to one thread at a time. */
#pragma once

#include "base/account.h"

#include <stdalign.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/queue.h>

/* A block of memory. Only arena_alloc looks into it from outside arena.c. */
struct arena_chunk {
    SLIST_ENTRY(arena_chunk) entry;
    size_t size, used;    /* bytes of data[] */
    unsigned char *block; /* the newest allocation in it, NULL when unknown */
    alignas(max_align_t) unsigned char data[];
};

enum { ARENA_ALIGNMENT = alignof(max_align_t) };

/* Always true: `used` is the sum of what is used of the chunks, and at most `cap`. Of an arena with an account: `held`
 * is the size of all its blocks, and what of it lies above `uncharged` is taken from the account. */
struct arena {
    SLIST_HEAD(, arena_chunk) chunks; /* the first is the one to allocate from; empty: nothing is handed out */
    struct arena_chunk *spare;        /* NULL: none */
    size_t used;                      /* bytes handed out since the last reset, alignment included */
    size_t cap;                       /* a hard limit against amplification */
    size_t held;                      /* bytes had from the system, the spare chunk and heads of chunks included */
    size_t uncharged;                 /* so many of these are not taken from the account */
    struct account *account;          /* NULL: none cost anything */
};

#define ARENA_NO_CAP ((size_t)-1)

/* What an arena holds at most after arena_reset, in bytes. */
#define ARENA_WATERMARK ((size_t)4 << 20)

/* Start empty, with no memory held. */
void arena_init(struct arena *arena, size_t cap);

/* Start empty. What the arena holds above `uncharged` bytes is taken from the account before it is allocated, and
 * returned when it is given back to the system: by a clear, a reset or a rewind, but for the chunk that these keep.
 * What cannot be paid is not allocated. The account outlives the arena. */
void arena_init_charged(struct arena *arena, size_t uncharged, struct account *account);

/* Give all memory back to the system. Accepts NULL and an arena that was zeroed but never initialised. */
void arena_clear(struct arena *arena);

/* For arena_alloc, where the first chunk has no room, or nobody knows yet. */
void *arena_alloc_elsewhere(struct arena *arena, size_t size);

/* `size` bytes, aligned for any type, contents undefined; NULL when memory, the cap or the account is exhausted. A
 * parse allocates every 20 ns or so: with a call each time a large request takes 1.1 times as long. */
static inline void *arena_alloc(struct arena *arena, size_t size) {
    size_t rounded = (size + ARENA_ALIGNMENT - 1) & ~(size_t)(ARENA_ALIGNMENT - 1);
    struct arena_chunk *chunk = SLIST_FIRST(&arena->chunks);
#ifdef ARBITER_CHECKS
    chunk = NULL; /* its invariants are checked there */
#endif
    /* Nothing at all, and what overflows, is 0 now. */
    if (chunk == NULL || rounded - 1 >= chunk->size - chunk->used || rounded > arena->cap - arena->used)
        return arena_alloc_elsewhere(arena, size);
    chunk->block = chunk->data + chunk->used;
    chunk->used += rounded;
    arena->used += rounded;
    return chunk->block;
}

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
