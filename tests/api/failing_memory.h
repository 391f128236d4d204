/* malloc, realloc and posix_memalign that fail on demand. The linker redirects calls to these functions: see
 * `failing_memory` in tests/api/meson.build. A test program must include this file exactly once. */
#ifndef TEST_FAILING_MEMORY_H
#define TEST_FAILING_MEMORY_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>

/* The number of allocations that succeed before one fails; if negative, none fails. */
static long countdown = -1;

static bool fails(void) { return countdown >= 0 && countdown-- == 0; }

void *__real_malloc(size_t size);
void *__real_realloc(void *block, size_t size);
int __real_posix_memalign(void **ret_block, size_t alignment, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_realloc(void *block, size_t size);
int __wrap_posix_memalign(void **ret_block, size_t alignment, size_t size);

void *__wrap_malloc(size_t size) { return fails() ? NULL : __real_malloc(size); }
void *__wrap_realloc(void *block, size_t size) { return fails() ? NULL : __real_realloc(block, size); }
int __wrap_posix_memalign(void **ret_block, size_t alignment, size_t size) {
    return fails() ? ENOMEM : __real_posix_memalign(ret_block, alignment, size);
}

#endif
