/* Sets of cells, as words and as vectors of two words, for layers_template.h, which describes how they are used.
 *
 * Compiled once for each size of set: SET_BITS is its size, 64 or a multiple of 128. */
#include "base/bits.h"

#include <stdbool.h>
#include <stdint.h>

enum { SET_WORDS = SET_BITS / 64 };

#if SET_BITS == 64
enum { SET_LANES = 1 };
typedef uint64_t lane;
#define WORD(set, word) ((set).lane[word])
#else
/* A lane is 128 bits, the size of a vector register on baseline x86-64 and arm64. */
enum { SET_LANES = SET_BITS / 128 };
typedef uint64_t lane __attribute__((vector_size(16)));
#define WORD(set, word) ((set).lane[(word) / 2][(word) % 2])
#endif

/* A set of cells: bit c for cell c. */
struct cells {
    lane lane[SET_LANES];
};

/* The next three functions return the cells in both sets, in either set, and in `a` but not in `b`. */

static inline struct cells both(struct cells a, struct cells b) {
    for (int i = 0; i < SET_LANES; i++)
        a.lane[i] &= b.lane[i];
    return a;
}

static inline struct cells either(struct cells a, struct cells b) {
    for (int i = 0; i < SET_LANES; i++)
        a.lane[i] |= b.lane[i];
    return a;
}

static inline struct cells without(struct cells a, struct cells b) {
    for (int i = 0; i < SET_LANES; i++)
        a.lane[i] &= ~b.lane[i];
    return a;
}

static inline bool is_empty(struct cells a) {
    uint64_t any = 0;
    for (unsigned w = 0; w < SET_WORDS; w++)
        any |= WORD(a, w);
    return any == 0;
}

static inline void add_cell(struct cells *a, unsigned cell) { WORD(*a, cell / 64) |= (uint64_t)1 << cell % 64; }

static inline bool has_cell(const struct cells *a, unsigned cell) { return WORD(*a, cell / 64) >> cell % 64 & 1; }

#ifndef __clang__
/* GCC 12's -fanalyzer misjudges the width of a shifted vector. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wanalyzer-shift-count-overflow"
#endif

/* Return a lane shifted by `by` bits, 1 to 63. The bits shifted in come from the neighbouring lane. */

static inline lane lane_up(lane a, lane before, unsigned by) {
#if SET_BITS == 64
    (void)before;
    return a << by;
#else
    return a << by | __builtin_shufflevector(before, a, 1, 2) >> (64 - by);
#endif
}

static inline lane lane_down(lane a, lane after, unsigned by) {
#if SET_BITS == 64
    (void)after;
    return a >> by;
#else
    return a >> by | __builtin_shufflevector(a, after, 1, 2) << (64 - by);
#endif
}

#ifndef __clang__
#pragma GCC diagnostic pop
#endif

/* Return the set with `by`, 1 to 63, added to each member's number. Members shifted beyond the end are dropped. */
static inline struct cells shift_up(struct cells a, unsigned by) {
    struct cells out;
    lane before = {0};
    for (int i = 0; i < SET_LANES; i++) {
        out.lane[i] = lane_up(a.lane[i], before, by);
        before = a.lane[i];
    }
    return out;
}

/* The same with `by` subtracted. */
static inline struct cells shift_down(struct cells a, unsigned by) {
    struct cells out;
    lane after = {0};
    for (int i = SET_LANES - 1; i >= 0; i--) {
        out.lane[i] = lane_down(a.lane[i], after, by);
        after = a.lane[i];
    }
    return out;
}

/* The same for any `by` of at least 1. Rows of 64 cells or more, whose sets have several lanes, are shifted in several
 * steps. */
static inline struct cells shift_rows_down(struct cells a, unsigned by) {
    for (; SET_LANES > 1 && __builtin_expect(by > 63, false); by -= 63)
        a = shift_down(a, 63);
    return shift_down(a, by);
}

static inline struct cells shift_rows_up(struct cells a, unsigned by) {
    for (; SET_LANES > 1 && __builtin_expect(by > 63, false); by -= 63)
        a = shift_up(a, 63);
    return shift_up(a, by);
}

/* Visit the members of a set in ascending order. */
#define FOR_EACH_CELL(set, cell)                                                                                       \
    for (unsigned w_ = 0; w_ < SET_WORDS; w_++)                                                                        \
        for (uint64_t left_ = WORD(set, w_); left_ != 0; left_ &= left_ - 1)                                           \
            for (unsigned cell = w_ * 64 + (unsigned)__builtin_ctzll(left_), once_ = 1; once_ != 0; once_ = 0)

/* Return how many cells a set has. */
static unsigned count_cells(const struct cells *a) {
    unsigned count = 0;
    for (unsigned w = 0; w < SET_WORDS; w++)
        count += bits_count(WORD(*a, w));
    return count;
}
