/* A library for LD_PRELOAD that replaces malloc and similar functions. It counts allocations, and makes some of them
 * fail, as directed by a file that the test writes while the program runs. It sees all allocations made by the program
 * and its libraries, including those in the C library. It does not see mapped memory: libmicrohttpd maps memory only
 * for connections with more memory than we configure, and the program maps only files.
 *
 * Counting starts in the program's main function, after the constructors of its libraries.
 *
 * FAILING_MEMORY names the file, of sizeof (struct control) bytes, in the machine's byte order. */
#include "base/hash.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

struct control {
    /* Written by the test. */
    _Atomic uint64_t one_in;      /* one allocation in this many fails, at random; 0: none */
    _Atomic uint64_t seed;        /* for one_in */
    _Atomic uint64_t first, last; /* allocations first to last fail, counting from 1; 0: none */
    /* Written by this library. */
    _Atomic uint64_t asked, failed;
    _Atomic int64_t live, live_bytes; /* allocated blocks, and their sizes */
};

static struct control nobody, *control = &nobody;
static atomic_bool counting;

/* glibc's own functions. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void __libc_free(void *block);

/* Is the allocation with this number one of those chosen at random to fail? */
static bool is_drawn(uint64_t seed, uint64_t number, uint64_t one_in) {
    return splitmix_number(seed, number) % one_in == 0;
}

static bool fails(void) {
    if (!atomic_load_explicit(&counting, memory_order_acquire))
        return false;
    uint64_t number = atomic_fetch_add(&control->asked, 1) + 1, one_in = atomic_load(&control->one_in);
    bool now = number >= atomic_load(&control->first) && number <= atomic_load(&control->last);
    if (!now && (one_in == 0 || !is_drawn(atomic_load(&control->seed), number, one_in)))
        return false;
    atomic_fetch_add(&control->failed, 1);
    errno = ENOMEM;
    return true;
}

/* Update the totals for a block that is allocated (change 1) or freed (change -1). */
static void count(void *block, int64_t change) {
    if (block == NULL || !atomic_load_explicit(&counting, memory_order_acquire))
        return;
    atomic_fetch_add(&control->live, change);
    atomic_fetch_add(&control->live_bytes, change * (int64_t)malloc_usable_size(block));
}

/* Count a new block, which may be NULL, and return it. */
static void *counted(void *block) {
    count(block, 1);
    return block;
}

void *malloc(size_t size) { return fails() ? NULL : counted(__libc_malloc(size)); }

void *calloc(size_t count, size_t size) { return fails() ? NULL : counted(__libc_calloc(count, size)); }

void *realloc(void *block, size_t size) {
    if (fails())
        return NULL;
    count(block, -1);
    void *moved = __libc_realloc(block, size);
    if (moved == NULL && size != 0)
        count(block, 1); /* the old block is still allocated */
    return counted(moved);
}

void *memalign(size_t alignment, size_t size) { return fails() ? NULL : counted(__libc_memalign(alignment, size)); }

void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

int posix_memalign(void **ret_block, size_t alignment, size_t size) {
    void *block = memalign(alignment, size);
    if (block == NULL)
        return ENOMEM;
    *ret_block = block;
    return 0;
}

void free(void *block) {
    count(block, -1);
    __libc_free(block);
}

static void begin(void) {
    const char *path = getenv("FAILING_MEMORY");
    int file = path != NULL ? open(path, O_RDWR | O_CLOEXEC) : -1;
    void *map = file >= 0 ? mmap(NULL, sizeof *control, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0) : MAP_FAILED;
    if (map == MAP_FAILED)
        abort();
    close(file);
    control = map;
    atomic_store_explicit(&counting, true, memory_order_release);
}

typedef int main_function(int, char **, char **);
typedef int start_function(main_function *, int, char **, void (*)(void), void (*)(void), void (*)(void), void *);
start_function __libc_start_main;

/* Called by the start-up code of the program; calls main. */
int __libc_start_main(main_function *program, int count, char **arguments, void (*init)(void), void (*fini)(void),
                      void (*loader)(void), void *stack) {
    start_function *next = (start_function *)(uintptr_t)dlsym(RTLD_NEXT, "__libc_start_main");
    begin();
    return next(program, count, arguments, init, fini, loader, stack);
}
