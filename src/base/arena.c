#include "base/arena.h"

#include "base/assert.h"
#include "base/checked.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#ifdef __linux__
#include <sys/mman.h>
#endif

enum {
    HEAD = sizeof(struct arena_chunk),
    KEPT_CHUNK = ARENA_WATERMARK - HEAD, /* the largest that a reset keeps */
    FIRST_CHUNK = 16 << 10,
    LAST_CHUNK = 64 << 20,           /* larger only if requested */
    LAST_CHARGED_CHUNK = KEPT_CHUNK, /* the same for charged chunks, because most of a larger one might stay unused */
    LARGE_PAGE = 2 << 20
};

void arena_init(struct arena *arena, size_t cap) { *arena = (struct arena){.cap = cap}; }

void arena_init_charged(struct arena *arena, size_t uncharged, struct account *account) {
    *arena = (struct arena){.cap = ARENA_NO_CAP, .uncharged = uncharged, .account = account};
}

/* Get the number of bytes that an arena holding `held` bytes takes from its account. */
static size_t price(const struct arena *arena, size_t held) {
    return held > arena->uncharged ? held - arena->uncharged : 0;
}

/* Charge `bytes` more. Returns false if the account cannot provide them. */
static bool pay(struct arena *arena, size_t bytes) {
    size_t held;
    if (!checked_add(arena->held, bytes, &held) ||
        (arena->account != NULL && !account_take(arena->account, price(arena, held) - price(arena, arena->held))))
        return false;
    arena->held = held;
    return true;
}

/* Return `bytes` to the account. */
static void refund(struct arena *arena, size_t bytes) {
    size_t held = arena->held - bytes;
    ASSERT(bytes <= arena->held);
    if (arena->account != NULL)
        account_give(arena->account, price(arena, arena->held) - price(arena, held));
    arena->held = held;
}

/* Return a chunk to the system. Accepts NULL. */
static void free_chunk(struct arena *arena, struct arena_chunk *chunk) {
    if (chunk != NULL)
        refund(arena, HEAD + chunk->size);
    free(chunk);
}

/* Free the first chunk, or keep it as the spare one if it is larger than the current spare and no larger than `max`. */
static void drop_first(struct arena *arena, size_t max) {
    struct arena_chunk *chunk = arena->first;
    arena->first = chunk->next;
    if (chunk->size <= max && (arena->spare == NULL || chunk->size > arena->spare->size)) {
        free_chunk(arena, arena->spare);
        arena->spare = chunk;
    } else {
        free_chunk(arena, chunk);
    }
}

/* Free all chunks except one of at most `max` bytes. */
static void drop_all(struct arena *arena, size_t max) {
    if (arena->spare != NULL && arena->spare->size > max) {
        free_chunk(arena, arena->spare);
        arena->spare = NULL;
    }
    while (arena->first != NULL)
        drop_first(arena, max);
    arena->used = 0;
}

void arena_clear(struct arena *arena) {
    if (arena != NULL)
        drop_all(arena, 0);
}

/* Allocate `size` bytes, in 2 MiB pages where available. Otherwise the system handles a page fault for every 4 KiB,
 * which costs as much as parsing into that memory. On virtual machines it can cost much more: finding the line of a
 * 16 x 16 board takes ten times as long. The block is aligned because malloc writes its own header before we can ask
 * for large pages, and the page that it writes to stays small. So malloc reserves 2 MiB more, but doesn't use them. */
static struct arena_chunk *allocate(size_t size) {
#ifdef MADV_HUGEPAGE
    if (size >= LARGE_PAGE) {
        void *block;
        if (posix_memalign(&block, LARGE_PAGE, size) != 0)
            return NULL;
        madvise(block, size, MADV_HUGEPAGE);
        return block;
    }
#endif
    return malloc(size);
}

ASSERT_ONLY static bool is_consistent(const struct arena *arena) {
    size_t used = 0, held = arena->spare != NULL ? HEAD + arena->spare->size : 0;
    for (const struct arena_chunk *chunk = arena->first; chunk != NULL; chunk = chunk->next) {
        if (chunk->used > chunk->size)
            return false;
        used += chunk->used;
        held += HEAD + chunk->size;
    }
    /* Free space at the end of chunks other than the first is neither used nor counted. */
    return used == arena->used && held == arena->held &&
           (arena->account == NULL || price(arena, held) <= atomic_load(&arena->account->used));
}

/* Get the size of the next chunk. Sizes double, so that a large parse has few chunks. */
static size_t next_size(const struct arena *arena) {
    size_t last = arena->account != NULL ? LAST_CHARGED_CHUNK : LAST_CHUNK, largest = FIRST_CHUNK / 2;
    const struct arena_chunk *first = arena->first;
    if (first != NULL && first->size > largest)
        largest = first->size;
    if (arena->spare != NULL && arena->spare->size > largest)
        largest = arena->spare->size;
    size_t want = largest < last / 2 ? 2 * largest : last;
    /* Do not skip the size that a reset keeps. */
    return largest < KEPT_CHUNK && want > KEPT_CHUNK ? KEPT_CHUNK : want;
}

/* Allocate a chunk of at least `size` bytes. NULL when memory or the account is exhausted. */
static struct arena_chunk *new_chunk(struct arena *arena, size_t size) {
    size_t want = next_size(arena);
    if (size > SIZE_MAX - HEAD)
        return NULL;
    /* If the account cannot provide the larger chunk, try exactly the requested size. */
    if (want < size || !pay(arena, HEAD + want)) {
        want = size;
        if (!pay(arena, HEAD + want))
            return NULL;
    }
    struct arena_chunk *chunk = allocate(HEAD + want);
    if (chunk == NULL) {
        refund(arena, HEAD + want);
        return NULL;
    }
    chunk->size = want;
    return chunk;
}

/* Put a chunk with space for `size` bytes first: the spare chunk if it is large enough, otherwise a new one. */
static bool add_chunk(struct arena *arena, size_t size) {
    struct arena_chunk *chunk = arena->spare;
    if (chunk != NULL && chunk->size >= size)
        arena->spare = NULL;
    else if ((chunk = new_chunk(arena, size)) == NULL)
        return false;
    chunk->used = 0;
    chunk->block = NULL;
    chunk->next = arena->first;
    arena->first = chunk;
    return true;
}

void *arena_alloc_elsewhere(struct arena *arena, size_t size) {
    size_t rounded;
    ASSERT(arena->used <= arena->cap && is_consistent(arena));
    if (!checked_add(size, ARENA_ALIGNMENT - 1, &rounded))
        return NULL;
    rounded &= ~(size_t)(ARENA_ALIGNMENT - 1);
    if (rounded > arena->cap - arena->used)
        return NULL;
    struct arena_chunk *chunk = arena->first;
    if (chunk == NULL || rounded > chunk->size - chunk->used) {
        if (!add_chunk(arena, rounded))
            return NULL;
        chunk = arena->first;
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
    struct arena_chunk *chunk = arena->first;
    if (block == NULL || chunk == NULL || chunk->block != block)
        return;
    size_t start = (size_t)(chunk->block - chunk->data);
    arena->used -= chunk->used - start;
    chunk->used = start;
    chunk->block = NULL;
}

void arena_reset(struct arena *arena) {
    struct arena_chunk *only = arena->first;
    if (only == NULL || only->next != NULL || arena->spare != NULL || only->size > KEPT_CHUNK) {
        drop_all(arena, KEPT_CHUNK);
        return;
    }
    /* The common case: the chunk stays. */
    only->used = 0;
    only->block = NULL;
    arena->used = 0;
}

struct arena_mark arena_mark(const struct arena *arena) {
    struct arena_chunk *chunk = arena->first;
    return (struct arena_mark){chunk, chunk != NULL ? chunk->used : 0, arena->used};
}

void arena_rewind(struct arena *arena, struct arena_mark mark) {
    while (arena->first != mark.chunk)
        drop_first(arena, SIZE_MAX);
    if (mark.chunk != NULL) {
        mark.chunk->used = mark.chunk_used;
        mark.chunk->block = NULL;
    }
    arena->used = mark.used;
    ASSERT(is_consistent(arena));
}
