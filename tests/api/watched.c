#include "api/watched.h"

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static struct {
    char *block;
    size_t size, page, from;
    volatile size_t touched;
    volatile unsigned passes;
    atomic_bool *stop;
} watched;

/* Handle an access to a protected page. For any other fault, restore the default action, which is taken when the access
 * is repeated. */
static void on_fault(int signal_number, siginfo_t *info, void *context) {
    uintptr_t at = (uintptr_t)info->si_addr, block = (uintptr_t)watched.block;
    (void)context;
    if (at < block || at - block >= watched.size) {
        signal(signal_number, SIG_DFL);
        return;
    }
    size_t offset = (at - block) / watched.page * watched.page;
    size_t last = watched.size - watched.page;
    if (watched.passes != 0 && offset == last) {
        watched.passes--;
        mprotect(watched.block, last, PROT_NONE);
    } else if (watched.stop != NULL && watched.passes == 0 && offset + watched.page > watched.from) {
        atomic_store(watched.stop, true);
    } else if (watched.passes != 0) {
        /* The next pass has begun: protect the last page again, to notice the end of the pass. */
        mprotect(watched.block + last, watched.page, PROT_NONE);
    }
    if (watched.stop == NULL || atomic_load(watched.stop))
        watched.touched += watched.page;
    mprotect(watched.block + offset, watched.page, PROT_READ | PROT_WRITE);
}

char *watched_new(size_t length) {
    struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO};
    watched.page = (size_t)sysconf(_SC_PAGESIZE);
    watched.size = (length + watched.page - 1) / watched.page * watched.page;
    watched.block = mmap(NULL, watched.size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (watched.block == MAP_FAILED || sigaction(SIGSEGV, &action, NULL) != 0)
        abort();
    return watched.block + (watched.size - length);
}

void watched_begin(size_t from, unsigned passes, atomic_bool *stop) {
    watched.touched = 0;
    watched.from = from;
    watched.passes = passes;
    watched.stop = stop;
    if (mprotect(watched.block, watched.size, PROT_NONE) != 0)
        abort();
}

size_t watched_end(void) {
    if (mprotect(watched.block, watched.size, PROT_READ | PROT_WRITE) != 0)
        abort();
    return watched.touched;
}

void watched_free(void) {
    signal(SIGSEGV, SIG_DFL);
    munmap(watched.block, watched.size);
}
