/* Operations on words as sets of bits, and as eight bytes. */
#pragma once

#include <stdint.h>

/* Count the set bits. Baseline x86-64 has no instruction for this, and the compiler would call a function that uses a
 * table. */
static inline unsigned bits_count(uint64_t bits) {
    bits -= bits >> 1 & 0x5555555555555555u;
    bits = (bits & 0x3333333333333333u) + (bits >> 2 & 0x3333333333333333u);
    return (unsigned)(((bits + (bits >> 4)) & 0x0f0f0f0f0f0f0f0fu) * 0x0101010101010101u >> 56);
}

/* Load eight bytes as a word, with the first byte in the lowest bits. */
static inline uint64_t bits_load(const char *bytes) {
    const unsigned char *b = (const unsigned char *)bytes;
    return (uint64_t)b[0] | (uint64_t)b[1] << 8 | (uint64_t)b[2] << 16 | (uint64_t)b[3] << 24 | (uint64_t)b[4] << 32 |
           (uint64_t)b[5] << 40 | (uint64_t)b[6] << 48 | (uint64_t)b[7] << 56;
}

/* Repeat a byte eight times. */
static inline uint64_t bits_repeat(unsigned char byte) { return 0x0101010101010101u * byte; }

/* Find the zero bytes in a word: the result has the top bit of each. It is exact for every byte. */
static inline uint64_t bits_zero_bytes(uint64_t word) {
    const uint64_t low = bits_repeat(0x7f);
    return ~(((word & low) + low) | word | low);
}
