/* FNV-1a, a hash of 64 bits. It detects accidental changes, not deliberate ones.
 *
 * Source: G. Fowler, L. C. Noll, K.-P. Vo, D. Eastlake, "The FNV Non-Cryptographic Hash Algorithm", IETF draft
 * draft-eastlake-fnv. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* The hash of no bytes, to begin with. */
#define HASH_OF_NOTHING 0xcbf29ce484222325u

/* Add a byte to a hash. A larger number may be added in one step, too; FNV-1a itself has only bytes. */
static inline uint64_t hash_step(uint64_t hash, uint64_t value) { return (hash ^ value) * 0x100000001b3u; }

/* Add bytes to a hash. */
static inline uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t length) {
    const unsigned char *byte = bytes;
    for (size_t i = 0; i < length; i++)
        hash = hash_step(hash, byte[i]);
    return hash;
}
