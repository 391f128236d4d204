#include "api/work/arenas.h"

#include "base/assert.h"

#include <pthread.h>
#include <stdlib.h>

/* Each holds ARENA_WATERMARK bytes at most. The thread that reads requests needs one at a time. */
enum { MOST_KEPT = 2 };

struct arenas {
    pthread_mutex_t mutex;
    size_t count;
    struct arena *kept[MOST_KEPT];
};

struct arenas *arenas_new(void) {
    struct arenas *arenas = calloc(1, sizeof *arenas);
    if (arenas != NULL)
        pthread_mutex_init(&arenas->mutex, NULL);
    return arenas;
}

static void destroy(struct arena *arena) {
    arena_clear(arena);
    free(arena);
}

void arenas_free(struct arenas *arenas) {
    if (arenas == NULL)
        return;
    while (arenas->count != 0)
        destroy(arenas->kept[--arenas->count]);
    pthread_mutex_destroy(&arenas->mutex);
    free(arenas);
}

struct arena *arenas_take(struct arenas *arenas) {
    pthread_mutex_lock(&arenas->mutex);
    struct arena *arena = arenas->count != 0 ? arenas->kept[--arenas->count] : NULL;
    pthread_mutex_unlock(&arenas->mutex);
    if (arena == NULL && (arena = malloc(sizeof *arena)) != NULL)
        arena_init(arena, ARENA_NO_CAP);
    return arena;
}

void arenas_put(struct arenas *arenas, struct arena *arena) {
    if (arena == NULL)
        return;
    arena_reset(arena);
    pthread_mutex_lock(&arenas->mutex);
    bool kept = arenas->count < MOST_KEPT;
    ASSERT(arenas->count <= MOST_KEPT && arena->newest == NULL);
    if (kept)
        arenas->kept[arenas->count++] = arena;
    pthread_mutex_unlock(&arenas->mutex);
    if (!kept)
        destroy(arena);
}
