/* The reduction of reduce.c for positions of at most 64 vertices. What it does and why stands there; here a set of
 * vertices is one word: neighbours, branches, components. A vertex leaves with one bit. */
#include "mine/small.h"

#include "base/bits.h"
#include "mine/key.h"

#include <string.h>

enum { NONE = UINT8_MAX };

/* What peeling finds out. */
struct peeling {
    const struct mine_small *position;
    struct arena *arena;
    struct mine_tally *tally;
    struct mine_sum *sum;
    uint64_t standing;                                                /* less what has cancelled */
    uint64_t core;                                                    /* what is not peeled */
    uint64_t left[MINE_SMALL_VERTICES];                               /* neighbours in the core */
    uint64_t hung[MINE_SMALL_VERTICES];                               /* the vertex and all that hangs on it */
    uint64_t code[MINE_SMALL_VERTICES];                               /* of a peeled vertex */
    uint8_t child[MINE_SMALL_VERTICES], sibling[MINE_SMALL_VERTICES]; /* the branches of a vertex, by falling code */
};

#define FOR_EACH_VERTEX(set, v)                                                                                        \
    for (uint64_t left_##v = (set); left_##v != 0; left_##v &= left_##v - 1)                                           \
        for (unsigned v = (unsigned)__builtin_ctzll(left_##v), once_##v = 1; once_##v != 0; once_##v = 0)

static inline uint64_t bit(unsigned v) { return (uint64_t)1 << v; }

static inline bool is_single(uint64_t set) { return set != 0 && (set & (set - 1)) == 0; }

void mine_small_read(struct mine_small *small, const struct mine_cluster *cluster) {
    *small = (struct mine_small){.vertices = cluster->vertices};
    for (uint32_t v = 0; v < cluster->vertices; v++) {
        small->standing |= bit(v);
        small->loops |= (uint64_t)cluster->loop[v] << v;
    }
    for (uint32_t e = 0; e < cluster->edges; e++)
        if (cluster->present[e])
            mine_small_change(small, cluster, MINE_TOGGLE_EDGE, e);
}

void mine_small_copy(struct mine_small *small, const struct mine_small *from) {
    small->vertices = from->vertices;
    small->standing = from->standing;
    small->loops = from->loops;
    memcpy(small->beside, from->beside, from->vertices * sizeof *small->beside);
}

void mine_small_change(struct mine_small *small, const struct mine_cluster *cluster, enum mine_change change,
                       uint32_t which) {
    switch (change) {
    case MINE_TAKE_VERTEX:
        small->standing &= ~bit(which);
        break;
    case MINE_TOGGLE_LOOP:
        small->loops ^= bit(which);
        break;
    case MINE_TOGGLE_EDGE:
        small->beside[cluster->edge[which].a] ^= bit(cluster->edge[which].b);
        small->beside[cluster->edge[which].b] ^= bit(cluster->edge[which].a);
        break;
    }
}

static inline uint64_t loop_of(const struct peeling *p, unsigned v) { return p->position->loops >> v & 1; }

/* The code of a vertex with what is hung on it; 0 when it is too long. */
static uint64_t encode_branch(const struct peeling *p, unsigned v) {
    uint64_t code = 2 | loop_of(p, v);
    for (uint8_t c = p->child[v]; c != NONE && code != 0; c = p->sibling[c])
        code = add_branch(code, p->code[c]);
    return code << 1;
}

/* Hang the peeled `branch` on `v`; an equal one that hangs there already goes with it. True when they go. */
static bool hang(struct peeling *p, unsigned v, unsigned branch) {
    uint8_t *link = &p->child[v];
    while (*link != NONE && p->code[*link] > p->code[branch])
        link = &p->sibling[*link];
    if (*link != NONE && p->code[*link] == p->code[branch]) {
        uint8_t twin = *link;
        *link = p->sibling[twin];
        p->hung[v] &= ~p->hung[twin];
        p->standing &= ~(p->hung[twin] | p->hung[branch]);
        return true;
    }
    p->sibling[branch] = *link;
    *link = (uint8_t)branch;
    p->hung[v] |= p->hung[branch];
    return false;
}

/* Peel leaves off, round by round, until only the core is left; return how many pairs of branches have cancelled. */
static uint64_t peel(struct peeling *p) {
    uint64_t leaves = 0, standing = p->standing, cancelled = 0;
    p->core = standing;
    FOR_EACH_VERTEX(standing, v) {
        p->left[v] = p->position->beside[v] & standing;
        p->hung[v] = bit(v);
        p->child[v] = NONE;
        leaves |= is_single(p->left[v]) ? bit(v) : 0;
    }
    while (leaves != 0) {
        uint64_t round = leaves;
        leaves = 0;
        FOR_EACH_VERTEX(round, v) {
            if (p->left[v] == 0)
                continue; /* the root that all else hangs on */
            unsigned hub = (unsigned)__builtin_ctzll(p->left[v]);
            /* Two leaves of one round that hang on each other are the centre of a tree. */
            if (p->left[hub] == bit(v) && round >> hub & 1)
                continue;
            p->code[v] = encode_branch(p, v);
            if (p->code[v] == 0)
                continue;
            p->left[v] = 0;
            p->left[hub] &= ~bit(v);
            p->core &= ~bit(v);
            cancelled += hang(p, hub, v);
            leaves |= is_single(p->left[hub]) ? bit(hub) : 0;
        }
    }
    return cancelled;
}

/* Do two vertices carry equal loops and equal branches? */
static bool same_load(const struct peeling *p, unsigned a, unsigned b) {
    uint8_t x = p->child[a], y = p->child[b];
    while (x != NONE && y != NONE && p->code[x] == p->code[y]) {
        x = p->sibling[x];
        y = p->sibling[y];
    }
    return x == NONE && y == NONE && loop_of(p, a) == loop_of(p, b);
}

/* Cancel twins of the core: a twin is a neighbour's neighbour. Returns how many pairs there were. */
static uint64_t cancel_twins(struct peeling *p) {
    uint64_t cancelled = 0;
    FOR_EACH_VERTEX(p->core, v) {
        if (!(p->core >> v & 1) || p->left[v] == 0)
            continue;
        FOR_EACH_VERTEX(p->left[__builtin_ctzll(p->left[v])] & (UINT64_MAX << v) & ~bit(v), w) {
            if (p->left[w] != p->left[v] || !(p->core >> v & 1) || !same_load(p, v, w))
                continue;
            FOR_EACH_VERTEX(p->left[v], hub)
                p->left[hub] &= ~(bit(v) | bit(w));
            p->standing &= ~(p->hung[v] | p->hung[w]);
            p->core &= ~(bit(v) | bit(w));
            cancelled++;
        }
    }
    return cancelled;
}

/* What each vertex of the core looks like: its load, then again and again what its neighbours look like. */
static void sign_core(const struct peeling *p, uint64_t core, unsigned count, uint64_t *ret_sign) {
    uint64_t before[MINE_SMALL_VERTICES];
    FOR_EACH_VERTEX(core, v) {
        uint64_t sign = bits_count(p->left[v]) * 2 + loop_of(p, v);
        for (uint8_t c = p->child[v]; c != NONE; c = p->sibling[c])
            sign = mix(sign + p->code[c]);
        ret_sign[v] = mix(sign);
    }
    for (int round = 0; round < MINE_SIGN_ROUNDS && count > 2; round++) {
        FOR_EACH_VERTEX(core, v)
            before[v] = ret_sign[v];
        FOR_EACH_VERTEX(core, v) {
            uint64_t sum = 0;
            FOR_EACH_VERTEX(p->left[v], u)
                sum += mix(before[u] ^ 0x5555);
            ret_sign[v] = mix(before[v] + sum);
        }
    }
}

/* The order of a connected core's vertices in their key: breadth first from the one with the greatest sign, neighbours
 * by falling sign. */
static void order_core(const struct peeling *p, uint64_t core, unsigned count, uint8_t *ret_order) {
    uint64_t sign[MINE_SMALL_VERTICES], seen;
    unsigned best = (unsigned)__builtin_ctzll(core), tail = 0;
    if (count > 1)
        sign_core(p, core, count, sign);
    FOR_EACH_VERTEX(core &(core - 1), v)
        best = sign[v] > sign[best] ? v : best;
    ret_order[tail++] = (uint8_t)best;
    seen = bit(best);
    for (unsigned head = 0; tail < count; head++) {
        uint64_t more = p->left[ret_order[head]] & ~seen;
        unsigned from = tail;
        seen |= more;
        FOR_EACH_VERTEX(more, v) {
            unsigned at = tail++;
            for (; at > from && sign[ret_order[at - 1]] < sign[v]; at--)
                ret_order[at] = ret_order[at - 1];
            ret_order[at] = (uint8_t)v;
        }
    }
}

/* Write down the part whose core this is. */
static bool add_part(const struct peeling *p, uint64_t core, struct mine_part part) {
    uint8_t order[MINE_SMALL_VERTICES], place[MINE_SMALL_VERTICES];
    unsigned count = bits_count(core), width = width_of(count);
    uint32_t core_edges = part.edges - (part.vertices - count);
    size_t bits = 3 * (size_t)part.vertices + 2 * (size_t)width * core_edges;
    if (!mine_parts_reserve(&p->sum->parts, bits / 64 + 3, p->arena))
        return false;
    order_core(p, core, count, order);
    uint64_t *words = p->sum->parts.words + p->sum->parts.word_count;
    struct writer writer = {words + 1, 0};
    words[0] = (uint64_t)count << 32 | core_edges;
    for (unsigned k = 0; k < count; k++) {
        place[order[k]] = (uint8_t)k;
        put_bits(&writer, 2 | loop_of(p, order[k]), 2);
        for (uint8_t c = p->child[order[k]]; c != NONE; c = p->sibling[c])
            put_bits(&writer, p->code[c], length_of(p->code[c]));
        put_bits(&writer, 0, 1);
    }
    for (unsigned k = 0; k < count; k++) {
        uint64_t earlier = 0; /* by place */
        FOR_EACH_VERTEX(p->left[order[k]], u)
            earlier |= place[u] < k ? bit(place[u]) : 0;
        FOR_EACH_VERTEX(earlier, j)
            put_bits(&writer, (uint64_t)k << width | j, 2 * width);
    }
    mine_parts_close(&p->sum->parts, part, 64 + writer.bit);
    return true;
}

/* Has a connected core no odd cycle? */
static bool is_bipartite(const struct peeling *p, uint64_t core) {
    uint64_t side[2] = {core & -core, 0}, seen = side[0];
    for (uint64_t front = seen; front != 0;) {
        uint64_t next = 0;
        FOR_EACH_VERTEX(front, v) {
            side[side[0] >> v & 1] |= p->left[v];
            next |= p->left[v];
        }
        front = next & ~seen;
        seen |= next;
    }
    return (side[0] & side[1]) == 0;
}

/* Value a connected part by its formula, or write it down. */
static bool settle(const struct peeling *p, uint64_t core) {
    uint64_t all = 0;
    uint32_t ends = 0;
    FOR_EACH_VERTEX(core, v) {
        all |= p->hung[v];
        ends += bits_count(p->left[v]);
    }
    struct mine_part part = {.vertices = bits_count(all), .loops = bits_count(all & p->position->loops)};
    part.edges = ends / 2 + part.vertices - bits_count(core);
    if (part.vertices == 1) {
        p->sum->value ^= part.loops != 0 ? 2 : 1;
        p->tally->vertex++;
        return true;
    }
    if (part.loops == 0 && is_bipartite(p, core)) {
        p->sum->value ^= part.vertices % 2 + 2 * (part.edges % 2);
        p->tally->bipartite++;
        return true;
    }
    return add_part(p, core, part);
}

bool mine_small_reduce(struct mine_small *small, struct arena *arena, struct mine_tally *tally,
                       struct mine_sum *ret_sum) {
    struct peeling p;
    uint64_t cancelled;
    p.position = small;
    p.arena = arena;
    p.tally = tally;
    p.sum = ret_sum;
    ret_sum->value = 0;
    mine_parts_empty(&ret_sum->parts);
    p.standing = small->standing;
    small->loops &= small->standing;
    do {
        cancelled = peel(&p);
        cancelled += cancel_twins(&p);
        p.tally->mirrors += cancelled;
    } while (cancelled != 0);
    for (uint64_t rest = p.core; rest != 0;) {
        uint64_t core = rest & -rest;
        for (uint64_t front = core; front != 0;) {
            uint64_t more = p.left[__builtin_ctzll(front)] & ~core;
            core |= more;
            front = (front & (front - 1)) | more;
        }
        rest &= ~core;
        p.tally->splits += rest != 0;
        if (!settle(&p, core))
            return false;
    }
    return true;
}
