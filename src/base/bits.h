/* Words as sets of bits. */
#pragma once

#include <stdint.h>

/* How many bits are set. Plain x86-64 has no instruction for it, and the compiler's own way is a call and a table. */
static inline unsigned bits_count(uint64_t bits) {
    bits -= bits >> 1 & 0x5555555555555555u;
    bits = (bits & 0x3333333333333333u) + (bits >> 2 & 0x3333333333333333u);
    return (unsigned)(((bits + (bits >> 4)) & 0x0f0f0f0f0f0f0f0fu) * 0x0101010101010101u >> 56);
}
