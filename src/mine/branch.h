/* Branches: the rooted trees that peeling attaches to vertices, and their codes (the method of Aho, Hopcroft and
 * Ullman: see reduce.c). Internal to src/mine.
 *
 *     code(v) = 1, loop, the codes of the branches of v in falling order, 0          a leaf is 1?0
 *
 * A code is a number whose first bit is its highest. The code of a tree determines where it ends, so a sequence of
 * codes can be read. Two branches are isomorphic exactly when their codes are equal. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum {
    MINE_CODE_BITS = 64, /* bits of a code; a vertex takes 3, so that a branch has at most 21 vertices */
    MINE_NO_BRANCH = UINT32_MAX,
};

/* The branches of a graph's vertices. A branch is identified by its root. Those of one vertex are a list, by falling
 * code. */
struct mine_branches {
    uint64_t *code;    /* of a branch that is attached to a vertex */
    uint32_t *child;   /* the first branch of a vertex; MINE_NO_BRANCH: it has none */
    uint32_t *sibling; /* the next branch of the same vertex; MINE_NO_BRANCH: it is the last */
};

/* Count the bits of a code; code != 0. */
static inline unsigned mine_code_length(uint64_t code) { return 64 - (unsigned)__builtin_clzll(code); }

/* Encode `v` as a branch, with all branches that are attached to it; 0 when the code would be too long. */
static inline uint64_t mine_branch_code(const struct mine_branches *branches, uint32_t v, bool loop) {
    uint64_t code = 2 | (uint64_t)loop;
    for (uint32_t c = branches->child[v]; c != MINE_NO_BRANCH && code != 0; c = branches->sibling[c]) {
        unsigned more = mine_code_length(branches->code[c]);
        code = mine_code_length(code) + more < MINE_CODE_BITS ? code << more | branches->code[c] : 0;
    }
    return code << 1;
}

/* Attach `branch`, whose code is written, to `v`. With `cancel`, an equal branch of `v` cancels with it: that one is
 * removed from the list and returned, and `branch` is not attached. MINE_NO_BRANCH when nothing cancels. */
static inline uint32_t mine_branch_attach(struct mine_branches *branches, uint32_t v, uint32_t branch, bool cancel) {
    uint64_t code = branches->code[branch];
    uint32_t *link = &branches->child[v];
    while (*link != MINE_NO_BRANCH && branches->code[*link] > code)
        link = &branches->sibling[*link];
    if (cancel && *link != MINE_NO_BRANCH && branches->code[*link] == code) {
        uint32_t equal = *link;
        *link = branches->sibling[equal];
        return equal;
    }
    branches->sibling[branch] = *link;
    *link = branch;
    return MINE_NO_BRANCH;
}

/* Compare the lists of branches of two vertices: are they isomorphic? */
static inline bool mine_branches_equal(const struct mine_branches *branches, uint32_t v, uint32_t w) {
    uint32_t x = branches->child[v], y = branches->child[w];
    while (x != MINE_NO_BRANCH && y != MINE_NO_BRANCH && branches->code[x] == branches->code[y]) {
        x = branches->sibling[x];
        y = branches->sibling[y];
    }
    return x == MINE_NO_BRANCH && y == MINE_NO_BRANCH;
}
