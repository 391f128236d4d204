/* Colour refinement, which is the one-dimensional method of Weisfeiler and Leman (1968): every vertex of a core starts
 * with a colour made of what can be seen at it, and in each round takes a new one, made of its own and of the multiset
 * of its neighbours'. Vertices that an isomorphism maps to each other have equal colours, always; so an order by
 * colours is one that isomorphic graphs mostly share. Inside the room.
 *
 * A colour is a hash of 64 bits. That different vertices may by chance have equal ones does no harm: colours choose the
 * order of a key (reduce.c), and nothing else. */
#pragma once

#include "mine/branch.h"

#include <stdbool.h>
#include <stdint.h>

enum { MINE_COLOR_ROUNDS = 3 };

static inline uint64_t mine_color_mix(uint64_t color) {
    color *= 0x9e3779b97f4a7c15u;
    return color ^ color >> 29;
}

/* Color a vertex before the first round: by its neighbours in the core, its loop and its branches. */
static inline uint64_t mine_color_first(uint32_t degree, bool loop, const struct mine_branches *branches, uint32_t v) {
    uint64_t color = (uint64_t)degree * 2 + loop;
    for (uint32_t c = branches->child[v]; c != MINE_NO_BRANCH; c = branches->sibling[c])
        color = mine_color_mix(color + branches->code[c]);
    return mine_color_mix(color);
}

/* What a neighbour of this colour adds to the sum that mine_color_next is given. A sum knows no order, as a multiset
 * does not. */
static inline uint64_t mine_color_seen(uint64_t color) { return mine_color_mix(color ^ 0x5555); }

/* Color a vertex anew: from its colour and the sum of what its neighbours add. */
static inline uint64_t mine_color_next(uint64_t color, uint64_t seen) { return mine_color_mix(color + seen); }

/* Place `v` in order[from] to order[end], of which all but the last are written, sorted by falling colour: after those
 * of its own colour. */
static inline void mine_color_insert(uint32_t *order, uint32_t from, uint32_t end, uint32_t v, const uint64_t *color) {
    uint32_t at = end;
    for (; at > from && color[order[at - 1]] < color[v]; at--)
        order[at] = order[at - 1];
    order[at] = v;
}
