/* Arenas for jobs: a bounded free list, so that the memory of one request serves the next. Any thread. */
#pragma once

#include "base/arena.h"

struct arenas;

struct arenas *arenas_new(void);
void arenas_free(struct arenas *arenas);

/* An empty arena; NULL when memory is exhausted. */
struct arena *arenas_take(struct arenas *arenas);

/* Give it back, with whatever is in it. Accepts NULL. */
void arenas_put(struct arenas *arenas, struct arena *arena);
