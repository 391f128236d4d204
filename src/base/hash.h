/*
 * FNV-1a, a 64-bit hash, and splitmix64, a random number generator whose numbers can each be computed independently.
 * The hash detects accidental changes, not deliberate ones.
 *
 * Sources: G. Fowler, L. C. Noll, K.-P. Vo, D. Eastlake, "The FNV Non-Cryptographic Hash Algorithm", IETF draft
 * draft-eastlake-fnv; G. L. Steele, D. Lea, C. H. Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* The hash of no bytes: the initial value. */
#define HASH_OF_NOTHING 0xcbf29ce484222325u

/* Add a byte to a hash. A larger number can be added in one step, too, although FNV-1a itself is only defined for
 * bytes. */
static inline uint64_t hash_step(uint64_t hash, uint64_t value) { return (hash ^ value) * 0x100000001b3u; }

/* Add bytes to a hash. */
static inline uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t length) {
    const unsigned char *byte = bytes;
    for (size_t i = 0; i < length; i++)
        hash = hash_step(hash, byte[i]);
    return hash;
}

/* Returns the `n`th number, counting from 1, of the generator with this seed. Different n give different numbers. They
 * do not hide the seed, which can be computed from one of them and its n. */
static inline uint64_t splitmix_number(uint64_t seed, uint64_t n) {
    uint64_t z = seed + n * 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}
