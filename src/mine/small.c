/* The reduction from reduce.c, where the theory is explained, for positions of at most 64 vertices and with all
 * shortcuts. Here a set of vertices is one word, removing a vertex clears one bit, and neighbours are compared as
 * words.
 *
 * Branches, keys and formulas are shared with reduce.c, and have their own files. The code for peeling and components,
 * which visits edges, exists in both. Without this file, searches take 1.5 to 1.9 times as long, even if reduce.c
 * orders cores in the same way, so that the states are the same (1.9 times for 100 x 100 fields with 11 % mines; 1.7,
 * 1.9 and 1.5 times for 300 x 300 with 8 %, 9 % and 13 %; fields that need no search take 1.00 to 1.01 times as many
 * instructions). Without reduce.c, clusters of more than 64 vertices could not be solved, and parts of a thousand
 * pieces occur.
 *
 * In its key, a core is ordered breadth first, by colours after one round of colour refinement, the one-dimensional
 * method of Weisfeiler and Leman ('The reduction of a graph to canonical form and the algebra which appears therein',
 * 1968). Each vertex starts with a colour derived from its own properties, and gets a new one derived from its own and
 * its neighbours' colours. An isomorphism maps each vertex to one of equal colour, so isomorphic cores usually have the
 * same order. Colours are hashes. Two that are equal by chance do no harm, because colours only choose an order.
 * Without the round, random fields take 1.1 times as many states in total, and 1000 x 1000 fields with 7 % mines five
 * times as many; with two or three rounds they take as many states as with one, and 5 to 9 % more instructions.
 *
 * Based on these colours, the code proposes mirrors (twins are the smallest ones) and checks each exactly (reduce.c has
 * the proof). Only cheap proposals are made: a moved vertex and its image have a common neighbour that is fixed, so
 * mirrors without fixed vertices are missed. Without these mirrors, four 1000 x 1000 fields with 7 % mines take 19,272
 * states in total instead of 555; 300 x 300 fields take 1.1 times as many (geometric mean) with 8 and 9 %, and the same
 * number with 11 and 12 %. With them, a state takes 2 % longer. Positions of more than 64 vertices would need the same
 * in reduce.c, but such large ones are rarely solved. */
#include "mine/small.h"

#include "base/assert.h"
#include "base/bits.h"

/* The maximum number of mirrors proposed for a part, which bounds the time of a reduction. With 64, random fields take
 * 0.5 % fewer states than with 8. */
enum { MAX_PROPOSALS = 8 };

/* The state of a reduction. Arrays are valid for present vertices. */
struct reduction {
    const struct mine_small *position;
    struct arena *arena;
    struct mine_sum *sum;
    uint64_t present; /* the position's vertices, without those that have cancelled */
    uint64_t loops;
    uint64_t core;                                 /* the vertices that are not peeled */
    uint64_t core_neighbours[MINE_SMALL_VERTICES]; /* of a core vertex; 0 for a peeled vertex */
    uint64_t attached[MINE_SMALL_VERTICES];        /* the vertex, and all vertices attached to it */
    uint64_t code[MINE_SMALL_VERTICES];            /* branches_of exposes these three */
    uint32_t child[MINE_SMALL_VERTICES], sibling[MINE_SMALL_VERTICES];
};

#define FOR_EACH_VERTEX(set, v)                                                                                        \
    for (uint64_t left_##v = (set); left_##v != 0; left_##v &= left_##v - 1)                                           \
        for (unsigned v = first_of(left_##v), once_##v = 1; once_##v != 0; once_##v = 0)

/* Get the set of one vertex. */
static inline uint64_t bit(unsigned v) { return (uint64_t)1 << v; }

/* Get the lowest vertex of a set that is not empty. */
static inline unsigned first_of(uint64_t set) { return (unsigned)__builtin_ctzll(set); }

/* Get a set without its lowest vertex. */
static inline uint64_t rest_of(uint64_t set) { return set & (set - 1); }

static inline bool has_one(uint64_t set) { return set != 0 && rest_of(set) == 0; }

void mine_small_read(struct mine_small *small, const struct mine_cluster *cluster) {
    ASSERT(cluster->vertices <= MINE_SMALL_VERTICES);
    *small = (struct mine_small){0};
    for (uint32_t v = 0; v < cluster->vertices; v++) {
        small->present |= bit(v);
        small->loops |= (uint64_t)cluster->loop[v] << v;
    }
    for (uint32_t e = 0; e < cluster->edges; e++)
        if (cluster->present[e])
            mine_small_change(small, cluster, MINE_TOGGLE_EDGE, e);
}

void mine_small_change(struct mine_small *small, const struct mine_cluster *cluster, enum mine_change change,
                       uint32_t which) {
    switch (change) {
    case MINE_TAKE_VERTEX:
        small->present &= ~bit(which);
        break;
    case MINE_TOGGLE_LOOP:
        small->loops ^= bit(which);
        break;
    case MINE_TOGGLE_EDGE:
        small->neighbours[cluster->edge[which].a] ^= bit(cluster->edge[which].b);
        small->neighbours[cluster->edge[which].b] ^= bit(cluster->edge[which].a);
        break;
    }
}

static inline bool has_loop(const struct reduction *r, unsigned v) { return r->loops >> v & 1; }

/* Get the position's branches. The struct is built wherever it is used, because the compiler would reload stored
 * pointers. */
static inline struct mine_branches branches_of(struct reduction *r) {
    return (struct mine_branches){r->code, r->child, r->sibling};
}

/* Attach the peeled `branch` to `v`, and let it cancel with an equal branch there. Returns how many pairs have
 * cancelled. */
static unsigned attach(struct reduction *r, unsigned v, unsigned branch) {
    struct mine_branches branches = branches_of(r);
    uint32_t equal = mine_branch_attach(&branches, v, branch, true);
    if (equal == MINE_NO_BRANCH) {
        r->attached[v] |= r->attached[branch];
        return 0;
    }
    r->attached[v] &= ~r->attached[equal];
    r->present &= ~(r->attached[equal] | r->attached[branch]);
    return 1;
}

/* Peel off leaves, round by round, until only the core is left. Returns how many pairs of branches have cancelled. */
static uint64_t peel(struct reduction *r) {
    struct mine_branches branches = branches_of(r);
    uint64_t leaves = 0, present = r->present, cancelled = 0;
    r->core = present;
    FOR_EACH_VERTEX(present, v) {
        r->core_neighbours[v] = r->position->neighbours[v] & present;
        r->attached[v] = bit(v);
        r->child[v] = MINE_NO_BRANCH;
        leaves |= has_one(r->core_neighbours[v]) ? bit(v) : 0;
    }
    while (leaves != 0) {
        uint64_t round = leaves;
        leaves = 0;
        FOR_EACH_VERTEX(round, v) {
            if (r->core_neighbours[v] == 0)
                continue; /* the root that all other vertices are attached to */
            unsigned hub = first_of(r->core_neighbours[v]);
            /* Two leaves in the same round that are attached to each other are the centre of a tree. */
            if (r->core_neighbours[hub] == bit(v) && round >> hub & 1)
                continue;
            r->code[v] = mine_branch_code(&branches, v, has_loop(r, v));
            if (r->code[v] == 0)
                continue;
            r->core_neighbours[v] = 0;
            r->core_neighbours[hub] &= ~bit(v);
            r->core &= ~bit(v);
            cancelled += attach(r, hub, v);
            leaves |= has_one(r->core_neighbours[hub]) ? bit(hub) : 0;
        }
    }
    return cancelled;
}

static inline uint64_t mix(uint64_t color) {
    color *= 0x9e3779b97f4a7c15u;
    return color ^ color >> 29;
}

/* Colour the vertices of a connected core by their properties: the number of neighbours, the loop, the branches. */
static void color_vertices(struct reduction *r, uint64_t core, uint64_t *ret_color) {
    FOR_EACH_VERTEX(core, v) {
        uint64_t color = bits_count(r->core_neighbours[v]) * 2 | has_loop(r, v);
        for (uint32_t c = r->child[v]; c != MINE_NO_BRANCH; c = r->sibling[c])
            color = mix(color + r->code[c]);
        ret_color[v] = mix(color);
    }
}

/* Refine the colours of a connected core's vertices by one round: ret_color[v]. The multiset of the neighbours' colours
 * is hashed as a sum, because that does not depend on their order. */
static void refine_colors(struct reduction *r, uint64_t core, const uint64_t *color, uint64_t *ret_color) {
    FOR_EACH_VERTEX(core, v) {
        uint64_t sum = 0;
        FOR_EACH_VERTEX(r->core_neighbours[v], u)
            sum += mix(color[u] ^ 0x5555);
        ret_color[v] = mix(color[v] + sum);
    }
}

/* Colour the vertices of a connected core of `count` vertices for its mirrors and its key: ret_color[v]. */
static void color_core(struct reduction *r, uint64_t core, unsigned count, uint64_t *ret_color) {
    uint64_t colors[MINE_SMALL_VERTICES];
    if (count > 2) {
        color_vertices(r, core, colors);
        refine_colors(r, core, colors, ret_color);
    } else if (count == 2) { /* refining two vertices would add nothing */
        color_vertices(r, core, ret_color);
    }
}

/* Order the vertices of a connected core for its key: breadth first from one with the greatest colour, each vertex's
 * neighbours by descending colour. ret_order[count]. */
static void order_core(struct reduction *r, uint64_t core, unsigned count, const uint64_t *color, uint32_t *ret_order) {
    unsigned best = first_of(core), tail = 0;
    FOR_EACH_VERTEX(rest_of(core), v)
        best = color[v] > color[best] ? v : best;
    ret_order[tail++] = best;
    uint64_t seen = bit(best);
    for (unsigned head = 0; tail < count; head++) {
        ASSERT(head < tail); /* the core is connected */
        uint64_t more = r->core_neighbours[ret_order[head]] & ~seen;
        unsigned from = tail;
        seen |= more;
        FOR_EACH_VERTEX(more, v) {
            unsigned at = tail++;
            for (; at > from && color[ret_order[at - 1]] < color[v]; at--)
                ret_order[at] = ret_order[at - 1];
            ret_order[at] = v;
        }
    }
}

/* Write the part with this core. Returns false if memory is exhausted. */
static bool write_part(struct reduction *r, uint64_t core, const uint64_t *color, const struct mine_part *part) {
    struct mine_branches branches = branches_of(r);
    uint32_t order[MINE_SMALL_VERTICES];
    uint8_t place[MINE_SMALL_VERTICES];
    unsigned count = bits_count(core);
    struct mine_key_writer writer;
    if (!mine_parts_begin(&r->sum->parts, part, count, r->arena, &writer))
        return false;
    order_core(r, core, count, color, order);
    for (unsigned k = 0; k < count; k++) {
        place[order[k]] = (uint8_t)k;
        mine_key_put_vertex(&writer, &branches, order[k], has_loop(r, order[k]));
    }
    for (unsigned k = 0; k < count; k++) {
        uint64_t lower = 0; /* places of neighbours below k */
        FOR_EACH_VERTEX(r->core_neighbours[order[k]], u)
            lower |= place[u] < k ? bit(place[u]) : 0;
        FOR_EACH_VERTEX(lower, j)
            mine_key_put_edge(&writer, k, j);
    }
    mine_parts_end(&r->sum->parts, *part, mine_key_words(&writer));
    return true;
}

/* Is a connected core bipartite? Visits it breadth first, and puts neighbours on opposite sides. */
static bool is_bipartite(struct reduction *r, uint64_t core) {
    uint64_t side[2] = {core & -core, 0}, seen = side[0];
    for (uint64_t frontier = seen; frontier != 0;) {
        uint64_t next = 0;
        FOR_EACH_VERTEX(frontier, v) {
            side[side[0] >> v & 1] |= r->core_neighbours[v];
            next |= r->core_neighbours[v];
        }
        frontier = next & ~seen;
        seen |= next;
    }
    return (side[0] & side[1]) == 0;
}

/* A mirror under construction: an involution of the core that moves some vertices and fixes the others. */
struct mirror {
    uint64_t moved, kept;
    uint8_t image[MINE_SMALL_VERTICES]; /* of the moved vertices */
};

static void swap(struct mirror *mirror, unsigned v, unsigned w) {
    mirror->moved |= bit(v) | bit(w);
    mirror->image[v] = (uint8_t)w;
    mirror->image[w] = (uint8_t)v;
}

/* Propose a mirror that swaps `v` and `w`. A neighbour of both is fixed; a neighbour of one is swapped with a neighbour
 * of the other of equal colour, and so on. Returns false if a vertex has no partner. */
static bool propose_mirror(const struct reduction *r, const uint64_t *color, unsigned v, unsigned w,
                           struct mirror *ret_mirror) {
    struct mirror *mirror = ret_mirror;
    mirror->moved = mirror->kept = 0;
    swap(mirror, v, w);
    for (uint64_t next = bit(v); next != 0;) {
        unsigned x = first_of(next), y = mirror->image[x];
        uint64_t of_x = r->core_neighbours[x] & ~mirror->moved, of_y = r->core_neighbours[y] & ~mirror->moved;
        next = rest_of(next);
        mirror->kept |= of_x & of_y;
        uint64_t here = of_x & ~of_y, there = of_y & ~of_x;
        if (((here | there) & mirror->kept) != 0 || bits_count(here) != bits_count(there))
            return false;
        FOR_EACH_VERTEX(here, u) {
            uint64_t alike = 0;
            FOR_EACH_VERTEX(there & ~r->core_neighbours[u], t)
                alike |= color[t] == color[u] ? bit(t) : 0;
            if (alike == 0)
                return false;
            swap(mirror, u, first_of(alike));
            there &= ~bit(first_of(alike));
            next |= bit(u);
        }
    }
    return true;
}

/* Is this a mirror whose moved pieces cancel? No moved vertex may be joined to its image, and both must have equal
 * loops, equal branches, and neighbours that are images of each other. */
static bool is_mirror(struct reduction *r, const struct mirror *mirror) {
    struct mine_branches branches = branches_of(r);
    FOR_EACH_VERTEX(mirror->moved, v) {
        unsigned w = mirror->image[v];
        uint64_t images = r->core_neighbours[v] & ~mirror->moved;
        FOR_EACH_VERTEX(r->core_neighbours[v] & mirror->moved, u)
            images |= bit(mirror->image[u]);
        if (images != r->core_neighbours[w] || images >> w & 1 || mirror->image[w] != v ||
            has_loop(r, v) != has_loop(r, w) || !mine_branches_equal(&branches, v, w))
            return false;
    }
    return true;
}

/* Find a mirror of a connected core, and cancel its moved vertices. If a mirror fixes a vertex, some moved vertex is
 * joined to a fixed one, and so is its image. So pairs of vertices with a common neighbour are tried. */
static bool cancel_mirror(struct reduction *r, uint64_t core, const uint64_t *color) {
    struct mirror mirror;
    unsigned proposals = 0;
    FOR_EACH_VERTEX(core, hub)
        FOR_EACH_VERTEX(r->core_neighbours[hub], v)
            FOR_EACH_VERTEX(r->core_neighbours[hub] & (UINT64_MAX << v) & ~bit(v) & ~r->core_neighbours[v], w) {
                if (color[v] != color[w] || proposals++ >= MAX_PROPOSALS || !propose_mirror(r, color, v, w, &mirror) ||
                    !is_mirror(r, &mirror))
                    continue;
                FOR_EACH_VERTEX(mirror.moved, u)
                    r->present &= ~r->attached[u];
                return true;
            }
    return false;
}

/* Value the connected part with this core by a formula, or cancel a mirror of it, or encode it. *ret_mirrored says
 * whether a mirror was cancelled. Removes the vertices that are done. Returns false if memory is exhausted. */
static bool reduce_part(struct reduction *r, uint64_t core, bool *ret_mirrored) {
    uint64_t all = 0, color[MINE_SMALL_VERTICES];
    uint32_t ends = 0;
    FOR_EACH_VERTEX(core, v) {
        all |= r->attached[v];
        ends += bits_count(r->core_neighbours[v]);
    }
    struct mine_part part = {.vertices = bits_count(all), .loops = bits_count(all & r->loops)};
    part.edges = ends / 2 + part.vertices - bits_count(core);
    ASSERT((all & ~r->present) == 0 && (core & ~all) == 0);
    *ret_mirrored = false;
    if (!mine_sum_add_by_formula(r->sum, &part, part.vertices > 1 && part.loops == 0 && is_bipartite(r, core),
                                 MINE_ALL_SHORTCUTS)) {
        color_core(r, core, bits_count(core), color);
        *ret_mirrored = cancel_mirror(r, core, color);
        if (*ret_mirrored)
            return true;
        if (!write_part(r, core, color, &part))
            return false;
    }
    r->present &= ~all;
    return true;
}

/* Get the vertices of the core that are connected to its lowest one. */
static uint64_t first_component(struct reduction *r, uint64_t core) {
    uint64_t component = core & -core;
    for (uint64_t frontier = component; frontier != 0;) {
        uint64_t more = r->core_neighbours[first_of(frontier)] & ~component;
        component |= more;
        frontier = rest_of(frontier) | more;
    }
    return component;
}

/* Cancel equal branches until none are left. */
static void cancel_branches(struct reduction *r) {
    while (peel(r) != 0)
        continue;
    ASSERT((r->core & ~r->present) == 0 && (r->core != 0) == (r->present != 0));
}

bool mine_small_reduce(struct mine_small *small, struct arena *arena, struct mine_sum *ret_sum) {
    struct reduction r;
    small->loops &= small->present;
    ret_sum->value = 0;
    mine_parts_empty(&ret_sum->parts);
    r.position = small;
    r.arena = arena;
    r.sum = ret_sum;
    r.present = small->present;
    r.loops = small->loops;
    while (r.present != 0) {
        bool mirrored = false;
        cancel_branches(&r);
        /* After a mirror has cancelled, the rest may have new leaves and several parts. */
        for (uint64_t rest = r.core; rest != 0 && !mirrored;) {
            uint64_t core = first_component(&r, rest);
            rest &= ~core;
            if (!reduce_part(&r, core, &mirrored))
                return false;
        }
    }
    return true;
}
