#include "api/work/clock.h"

#include <time.h>

uint64_t clock_now_us(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

static uint64_t real_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

static int real_timeout(uint64_t pause) {
    enum { MAX = 3600000 };
    return pause < MAX ? (int)pause + 1 : MAX;
}

#ifndef ARBITER_TEST_CLOCK

uint64_t clock_now_ms(void) { return real_ms(); }

int clock_poll_timeout(uint64_t now, uint64_t pause) {
    (void)now;
    return real_timeout(pause);
}

void clock_enter(void) {}

void clock_leave(void) {}

#else

#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <threads.h>
#include <unistd.h>

/* The contents of the file named by the environment variable TEST_CLOCK. The test writes `time`, the program writes
 * `done`. */
struct test_clock {
    _Atomic uint64_t time; /* if the highest bit is set, the clock stands still at the time in the other bits;
                            * otherwise it is ahead by this much */
    _Atomic uint64_t done; /* all loops have done everything that was due up to this time */
};

static const uint64_t STANDS = (uint64_t)1 << 63;
enum { CHECK_EVERY = 5 /* milliseconds between checks whether the test has moved the clock */ };

static struct test_clock *test_clock;

/* The time up to which the loop in each slot has done everything that was due; UINT64_MAX for a free slot. */
static _Atomic uint64_t done_by[CLOCK_LOOPS];
static atomic_uint slots_used;
static thread_local unsigned slot;

static void open_test_clock(void) {
    const char *path = getenv("TEST_CLOCK");
    int file = path != NULL ? open(path, O_RDWR | O_CLOEXEC) : -1;
    if (file < 0)
        return;
    void *memory = mmap(NULL, sizeof *test_clock, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    if (memory != MAP_FAILED)
        test_clock = memory;
}

static struct test_clock *the_test_clock(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, open_test_clock);
    return test_clock;
}

uint64_t clock_now_ms(void) {
    struct test_clock *clock = the_test_clock();
    uint64_t time = clock != NULL ? atomic_load(&clock->time) : 0;
    return (time & STANDS) != 0 ? time & ~STANDS : real_ms() + time;
}

void clock_enter(void) {
    slot = atomic_fetch_add(&slots_used, 1) % CLOCK_LOOPS;
    atomic_store(&done_by[slot], 0);
}

void clock_leave(void) { atomic_store(&done_by[slot], UINT64_MAX); }

int clock_poll_timeout(uint64_t now, uint64_t pause) {
    struct test_clock *clock = the_test_clock();
    if (clock == NULL)
        return real_timeout(pause);
    atomic_store(&done_by[slot], now);
    unsigned used = atomic_load(&slots_used);
    for (unsigned s = 0; s < used && s < CLOCK_LOOPS; s++)
        now = atomic_load(&done_by[s]) < now ? atomic_load(&done_by[s]) : now;
    atomic_store(&clock->done, now);
    return pause < CHECK_EVERY ? real_timeout(pause) : CHECK_EVERY;
}

#endif
