#include "base/arena.h"

#include "base/checked.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct arena_chunk {
    struct arena_chunk *older;
    size_t size, used;    /* bytes of data[] */
    unsigned char *block; /* the newest allocation in it, NULL when unknown */
    alignas(max_align_t) unsigned char data[];
};

enum { ALIGNMENT = alignof(max_align_t), FIRST_CHUNK = 16 << 10 };

void arena_init(struct arena *arena, size_t cap) { *arena = (struct arena){.cap = cap}; }

static void free_chunks(struct arena_chunk *chunk) {
    while (chunk != NULL) {
        struct arena_chunk *older = chunk->older;
        free(chunk);
        chunk = older;
    }
}

void arena_clear(struct arena *arena) {
    if (arena == NULL)
        return;
    free_chunks(arena->newest);
    arena->newest = NULL;
    arena->used = 0;
}

/* A chunk that holds at least `size` bytes becomes the newest. Chunks double, so that a large parse has few of them. */
static bool add_chunk(struct arena *arena, size_t size) {
    size_t want = arena->newest != NULL ? arena->newest->size : FIRST_CHUNK / 2;
    if (!checked_mul(want, 2, &want))
        want = size;
    if (want > (size_t)64 << 20)
        want = (size_t)64 << 20;
    if (want < size)
        want = size;
    size_t bytes;
    if (!checked_add(want, sizeof(struct arena_chunk), &bytes))
        return false;
    struct arena_chunk *chunk = malloc(bytes);
    if (chunk == NULL)
        return false;
    *chunk = (struct arena_chunk){.older = arena->newest, .size = want};
    arena->newest = chunk;
    return true;
}

void *arena_alloc(struct arena *arena, size_t size) {
    size_t rounded;
    if (!checked_add(size, ALIGNMENT - 1, &rounded))
        return NULL;
    rounded &= ~(size_t)(ALIGNMENT - 1);
    if (rounded > arena->cap - arena->used)
        return NULL;
    struct arena_chunk *chunk = arena->newest;
    if (chunk == NULL || rounded > chunk->size - chunk->used) {
        if (!add_chunk(arena, rounded))
            return NULL;
        chunk = arena->newest;
    }
    chunk->block = chunk->data + chunk->used;
    chunk->used += rounded;
    arena->used += rounded;
    return chunk->block;
}

void *arena_array(struct arena *arena, size_t count, size_t size) {
    size_t bytes;
    return checked_mul(count, size, &bytes) ? arena_alloc(arena, bytes) : NULL;
}

void *arena_calloc(struct arena *arena, size_t count, size_t size) {
    void *block = arena_array(arena, count, size);
    if (block != NULL)
        memset(block, 0, count * size);
    return block;
}

void *arena_move(struct arena *arena, const void *array, size_t count, size_t wanted, size_t *capacity, size_t size) {
    size_t more;
    if (!checked_add(2 * *capacity, wanted, &more) || !checked_add(more, 16, &more))
        return NULL;
    void *place = arena_array(arena, more, size);
    if (place == NULL)
        return NULL;
    if (count != 0)
        memcpy(place, array, count * size);
    *capacity = more;
    return place;
}

void arena_give_back(struct arena *arena, void *block) {
    struct arena_chunk *chunk = arena->newest;
    if (block == NULL || chunk == NULL || chunk->block != block)
        return;
    size_t start = (size_t)(chunk->block - chunk->data);
    arena->used -= chunk->used - start;
    chunk->used = start;
    chunk->block = NULL;
}

void arena_reset(struct arena *arena) {
    struct arena_chunk *chunk = arena->newest;
    arena->used = 0;
    if (chunk == NULL)
        return;
    /* The newest is the largest or close to it: one that is small enough serves the next request. */
    free_chunks(chunk->older);
    chunk->older = NULL;
    chunk->used = 0;
    chunk->block = NULL;
    if (chunk->size > ARENA_WATERMARK) {
        free(chunk);
        arena->newest = NULL;
    }
}

struct arena_mark arena_mark(const struct arena *arena) {
    struct arena_chunk *chunk = arena->newest;
    return (struct arena_mark){chunk, chunk != NULL ? chunk->used : 0, arena->used};
}

void arena_rewind(struct arena *arena, struct arena_mark mark) {
    while (arena->newest != mark.chunk && arena->newest->older != NULL) {
        struct arena_chunk *older = arena->newest->older;
        free(arena->newest);
        arena->newest = older;
    }
    if (arena->newest != NULL) {
        arena->newest->used = mark.chunk != NULL ? mark.chunk_used : 0;
        arena->newest->block = NULL;
    }
    arena->used = mark.used;
}
