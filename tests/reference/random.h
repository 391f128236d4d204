/* Random numbers that are the same on every machine and in every run, so that tests can pin results for a fixed seed.
 *
 * This is splitmix64, which is good enough for choosing boards and moves, and short enough to be verified by
 * reading. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct reference_random {
    uint64_t state; /* the seed, which can be any value */
};

static inline uint64_t reference_random_next(struct reference_random *random) {
    uint64_t mixed = random->state += 0x9e3779b97f4a7c15u;
    mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9u;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebu;
    return mixed ^ (mixed >> 31);
}

/* Get a number from 0 to `bound` - 1. `bound` must be at least 1. The tiny modulo bias is harmless here. */
static inline unsigned reference_random_below(struct reference_random *random, unsigned bound) {
    return (unsigned)(reference_random_next(random) % bound);
}

/* Returns true with a probability of `percent` in a hundred. */
static inline bool reference_random_chance(struct reference_random *random, unsigned percent) {
    return reference_random_below(random, 100) < percent;
}
