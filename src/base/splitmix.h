/* splitmix64, a generator of random numbers, each of which can be computed separately.
 *
 * Source: G. L. Steele, D. Lea, C. H. Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014. */
#pragma once

#include <stdint.h>

/* Return the number at place `n`, from 1, of the generator with this seed. Different n give different numbers. They are
 * not secret: the seed can be computed from one of them and its n. */
static inline uint64_t splitmix_number(uint64_t seed, uint64_t n) {
    uint64_t z = seed + n * 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}
