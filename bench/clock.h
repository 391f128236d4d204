/* CPU time, and the comparison of two ways of doing the same thing. Machines are noisy, so only ratios of the best of
 * several alternating runs are meaningful. */
#pragma once

#include <stddef.h>
#include <time.h>

/* Get the CPU seconds of this process. */
static inline double bench_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Get the seconds of one call of `run`. Short calls are repeated until they take about 20 ms together. */
static inline double bench_once(void (*run)(void *), void *with) {
    double start = bench_seconds(), spent;
    unsigned calls = 0;
    do {
        run(with);
        calls++;
        spent = bench_seconds() - start;
    } while (spent < 0.02);
    return spent / calls;
}

/* Get the best of `rounds` runs. */
static inline double bench_best(unsigned rounds, void (*run)(void *), void *with) {
    double best = 1e9;
    for (unsigned r = 0; r < rounds; r++) {
        double once = bench_once(run, with);
        best = once < best ? once : best;
    }
    return best;
}

struct bench_pair {
    double ours, baseline;
};

/* Get the best of `rounds` alternating runs of each side. */
static inline struct bench_pair bench_race(unsigned rounds, void (*ours)(void *), void (*baseline)(void *),
                                           void *with) {
    struct bench_pair best = {1e9, 1e9};
    for (unsigned r = 0; r < rounds; r++) {
        double a = bench_once(ours, with), b = bench_once(baseline, with);
        best.ours = a < best.ours ? a : best.ours;
        best.baseline = b < best.baseline ? b : best.baseline;
    }
    return best;
}
