/* An arena: memory that is allocated sequentially and freed all at once.
 *
 *     chunks (blocks from malloc):    [used........|free...]  ->  [full]  ->  [full]        [empty............]
 *                                      first, where the next allocation goes                 spare: used again
 *
 * Parse trees and the solvers' scratch memory are kept in arenas. Nothing in them is freed individually; a reset frees
 * everything, and keeps the largest chunk for reuse. (Using a page for the first time costs more than the work done in
 * it, and threads that return pages to the system slow each other down.)
 *
 * The caller holds the struct (arena_init / arena_clear). An arena belongs to one thread at a time. */
#pragma once

#include "base/account.h"

#include <stdalign.h>
#include <stddef.h>

/* A block of memory. Outside arena.c, only arena_alloc reads it. */
struct arena_chunk {
    struct arena_chunk *next;
    size_t size, used;    /* bytes of data[] */
    unsigned char *block; /* the latest allocation in it; NULL if unknown */
    alignas(max_align_t) unsigned char data[];
};

enum { ARENA_ALIGNMENT = alignof(max_align_t) };

/* Invariants: `used` is the sum of the used bytes of all chunks, and at most `cap`. In an arena with an account, `held`
 * is the size of all blocks, and the part of it above `uncharged` is taken from the account. */
struct arena {
    struct arena_chunk *first; /* a list; allocations come from its first chunk; NULL if nothing is allocated */
    struct arena_chunk *spare; /* NULL: none */
    size_t used;               /* bytes allocated since the last reset, including alignment */
    size_t cap;                /* the limit of `used` */
    size_t held;               /* bytes from the system, including the spare chunk and the heads of chunks */
    size_t uncharged;          /* bytes that are not taken from the account */
    struct account *account;   /* NULL: nothing is charged */
};

#define ARENA_NO_CAP ((size_t)-1)

/* The maximum number of bytes that an arena holds after arena_reset. */
#define ARENA_WATERMARK ((size_t)4 << 20)

/* Initialise an empty arena. Allocates nothing. */
void arena_init(struct arena *arena, size_t cap);

/* Initialise an arena with an account. Bytes above `uncharged` are taken from the account before they are allocated,
 * and returned when they are freed, by a clear, a reset or a rewind (the last two keep one chunk). If the account
 * cannot provide them, the allocation fails. The account must outlive the arena. */
void arena_init_charged(struct arena *arena, size_t uncharged, struct account *account);

/* Free all memory. Accepts NULL and a zeroed struct. */
void arena_clear(struct arena *arena);

/* Called by arena_alloc when the first chunk may lack space. */
void *arena_alloc_elsewhere(struct arena *arena, size_t size);

/* Allocate `size` bytes, aligned for any type, with undefined contents. Returns NULL if memory, the cap or the account
 * is exhausted. Inline, because a parse allocates every 20 ns: with a function call, a large request takes 1.1 times as
 * long. */
static inline void *arena_alloc(struct arena *arena, size_t size) {
    size_t rounded = (size + ARENA_ALIGNMENT - 1) & ~(size_t)(ARENA_ALIGNMENT - 1);
    struct arena_chunk *chunk = arena->first;
#ifdef ARBITER_CHECKS
    chunk = NULL; /* forces the call below, which checks the invariants */
#endif
    /* `rounded` is 0 for 0 bytes, and on overflow. */
    if (chunk == NULL || rounded - 1 >= chunk->size - chunk->used || rounded > arena->cap - arena->used)
        return arena_alloc_elsewhere(arena, size);
    chunk->block = chunk->data + chunk->used;
    chunk->used += rounded;
    arena->used += rounded;
    return chunk->block;
}

/* Allocate `count` zeroed elements of `size` bytes. Returns NULL on overflow, too. */
void *arena_calloc(struct arena *arena, size_t count, size_t size);

/* Allocate `count` elements of `size` bytes, with undefined contents. Returns NULL on overflow, too. */
void *arena_array(struct arena *arena, size_t count, size_t size);

/* Called by arena_extend. */
void *arena_move(struct arena *arena, const void *array, size_t count, size_t wanted, size_t *capacity, size_t size);

/* Make sure that an array has space for `wanted` elements of `size` bytes. Returns the array itself if *capacity is
 * large enough. Otherwise returns a copy of its first `count` elements with at least twice the capacity; the old array
 * stays allocated until the reset or rewind. Returns NULL, with nothing changed, when out of memory. A NULL array has
 * capacity 0. */
static inline void *arena_extend(struct arena *arena, void *array, size_t count, size_t wanted, size_t *capacity,
                                 size_t size) {
    return wanted <= *capacity ? array : arena_move(arena, array, count, wanted, capacity, size);
}

/* Free `block` if it is the latest allocation; otherwise it stays until the reset. Accepts NULL. */
void arena_give_back(struct arena *arena, void *block);

/* Free all allocations, but keep up to ARENA_WATERMARK bytes for reuse. */
void arena_reset(struct arena *arena);

/* A position to return to: arena_rewind frees everything that was allocated after arena_mark. It keeps the largest
 * chunk. */
struct arena_mark {
    struct arena_chunk *chunk;
    size_t chunk_used, used;
};
struct arena_mark arena_mark(const struct arena *arena);
void arena_rewind(struct arena *arena, struct arena_mark mark);
