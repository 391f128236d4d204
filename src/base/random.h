/* Pseudo-random numbers that are the same on every machine, for whatever has a seed. Not for secrets.
 *
 * The generator is splitmix64 (hash.h). Numbers below a bound are drawn by multiplication and rejection (Lemire, 'Fast
 * random integer generation in an interval', ACM TOMACS 29, 2019), so each is equally likely. Only integers are used.
 * `arbiter make` promises the same bytes for the same seed, so what is here must not change. */
#pragma once

#include "base/assert.h"
#include "base/hash.h"

#include <stdbool.h>
#include <stdint.h>

struct random {
    uint64_t seed;  /* any value */
    uint64_t drawn; /* how many numbers have been drawn */
};

/* Get 64 random bits. */
static inline uint64_t random_next(struct random *random) { return splitmix_number(random->seed, ++random->drawn); }

/* Get a number from 0 to `bound` - 1. bound >= 1. A number x of 32 bits is scaled to x * bound / 2^32. Some results
 * would have one x more than the others; it is left out if the lower half of the product is below 2^32 mod bound. */
static inline uint32_t random_below(struct random *random, uint32_t bound) {
    ASSERT(bound >= 1);
    uint64_t product = (random_next(random) >> 32) * bound;
    if ((uint32_t)product < bound)
        for (uint32_t surplus = (0 - bound) % bound; (uint32_t)product < surplus;)
            product = (random_next(random) >> 32) * bound;
    return (uint32_t)(product >> 32);
}

/* Decide whether the next of `left` things is among the *wanted that are still to be chosen, and count it. Asked about
 * each of them, this chooses every subset with the same probability (selection sampling: Fan, Muller and Rezucha, 1962;
 * Knuth, volume 2, algorithm S). *wanted <= left, left >= 1. */
static inline bool random_choose(struct random *random, uint32_t left, uint32_t *wanted) {
    ASSERT(left >= 1 && *wanted <= left);
    bool chosen = random_below(random, left) < *wanted;
    *wanted -= chosen;
    return chosen;
}
