#include "api/torture/failing.h"

#include <errno.h>

static struct {
    long left; /* allocations until one fails; if negative, none fails */
    enum failing_span span;
    bool failed;
    long live; /* allocated blocks */
} memory = {.left = -1};

void failing_begin(long first, enum failing_span span) {
    memory.left = first;
    memory.span = span;
    memory.failed = false;
}

bool failing_end(void) {
    memory.left = -1;
    return memory.failed;
}

long failing_live(void) { return memory.live; }

static bool fails(void) {
    bool now = memory.left == 0;
    if (memory.left > 0 || (now && memory.span == FAILING_ONCE))
        memory.left--;
    memory.failed |= now;
    return now;
}

/* Count a block, unless it is NULL, and return it. */
static void *counted(void *block) {
    memory.live += block != NULL;
    return block;
}

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *block, size_t size);
int __real_posix_memalign(void **ret_block, size_t alignment, size_t size);
void __real_free(void *block);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *block, size_t size);
int __wrap_posix_memalign(void **ret_block, size_t alignment, size_t size);
void __wrap_free(void *block);

void *__wrap_malloc(size_t size) { return fails() ? NULL : counted(__real_malloc(size)); }

void *__wrap_calloc(size_t count, size_t size) { return fails() ? NULL : counted(__real_calloc(count, size)); }

void *__wrap_realloc(void *block, size_t size) {
    bool old = block != NULL;
    if (fails())
        return NULL;
    void *moved = __real_realloc(block, size);
    return old ? moved : counted(moved);
}

int __wrap_posix_memalign(void **ret_block, size_t alignment, size_t size) {
    int error = fails() ? ENOMEM : __real_posix_memalign(ret_block, alignment, size);
    memory.live += error == 0;
    return error;
}

void __wrap_free(void *block) {
    memory.live -= block != NULL;
    __real_free(block);
}
