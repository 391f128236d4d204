/* How the key of a part is written and read, bit by bit: see reduce.c. Inside the room. */
#pragma once

#include <stddef.h>
#include <stdint.h>

enum {
    MINE_CODE_BITS = 64, /* of a branch: 3 a vertex */
};

/* The length of a code, which begins with a 1. */
static inline unsigned length_of(uint64_t code) { return 64 - (unsigned)__builtin_clzll(code); }

/* The code of a vertex with one more branch, before it is closed by a 0; 0 when it would be too long. */
static inline uint64_t add_branch(uint64_t code, uint64_t branch) {
    unsigned more = length_of(branch);
    return length_of(code) + more < MINE_CODE_BITS ? code << more | branch : 0;
}

/* Bits written one after the other, most significant first. */
struct writer {
    uint64_t *words;
    size_t bit;
};

static inline void put_bits(struct writer *w, uint64_t bits, unsigned count) {
    unsigned used = w->bit % 64, free = 64 - used;
    uint64_t *word = &w->words[w->bit / 64];
    if (count == 0)
        return;
    if (used == 0)
        *word = 0;
    if (count <= free) {
        *word |= bits << (free - count);
    } else {
        word[0] |= bits >> (count - free);
        word[1] = bits << (64 - (count - free));
    }
    w->bit += count;
}

/* How many bits a number below `count` takes. */
static inline unsigned width_of(uint32_t count) { return count > 1 ? 32 - (unsigned)__builtin_clz(count - 1) : 0; }

/* Stir a number that tells graphs apart; nothing is decided by it. */
static inline uint64_t mix(uint64_t x) {
    x *= 0x9e3779b97f4a7c15u;
    return x ^ x >> 29;
}

/* A hash of a key, which finds its place and decides nothing: two words at a time, for a product takes a while. */
static inline uint64_t hash_of(const uint64_t *words, uint32_t count) {
    uint64_t even = count, odd = 0;
    for (uint32_t w = 0; w < count; w += 2) {
        even = (even ^ words[w]) * 0x9e3779b97f4a7c15u;
        even ^= even >> 32;
        odd = (odd ^ (w + 1 < count ? words[w + 1] : 0)) * 0xbf58476d1ce4e5b9u;
        odd ^= odd >> 32;
    }
    return mix(even + mix(odd));
}

struct reader {
    const uint64_t *words;
    size_t bit;
};

static inline uint64_t get_bits(struct reader *reader, unsigned count) {
    uint64_t bits = 0;
    for (unsigned taken = 0; taken < count;) {
        unsigned used = reader->bit % 64, some = 64 - used < count - taken ? 64 - used : count - taken;
        uint64_t word = reader->words[reader->bit / 64] << used >> (64 - some);
        bits = bits << some | word;
        taken += some;
        reader->bit += some;
    }
    return bits;
}
