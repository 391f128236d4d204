/* Reduces a position in the deletion game by theory:
 *
 *   split      connected parts are valued separately, and their values xored (Sprague, 1935; Grundy, 1939);
 *   vertex     a single vertex is worth 1, or 2 with a loop (its moves lead to 0, and with a loop also to 1);
 *   bipartite  a connected bipartite part without loops is worth (V mod 2) + 2 (E mod 2) (Fraenkel and Scheinerman, 'A
 *              deletion game on hypergraphs', Discrete Applied Mathematics 30, 1991). Every move changes this pair.
 *              Degrees sum to 2E, so for odd V some vertex has even degree; those of one side sum to E, so for odd E
 *              some vertex has odd degree: with moves on these, every smaller value is reached;
 *   mirrors    if an automorphism of order two moves some pieces, and every edge with a moved end is itself moved, the
 *              value is that of the fixed part: the second player answers in the mirror. (Khandhawit and Ye, 'Chomp
 *              on Graphs and Subsets', arXiv 1101.2718, state the lemma in general form.) The condition means that no
 *              moved vertex is joined to its image. Two kinds are found here: equal branches, which are trees attached
 *              to the same vertex, and twins, which are vertices that are not joined, but have the same neighbours,
 *              equal loops and equal branches. small.c also finds others, such as two equal triangles on one vertex.
 *
 * Proof of mirrors: let G be played beside its fixed part F. F consists of what moves on fixed pieces can change: the
 * fixed vertices, their loops, and the edges between them. A move on a moved piece is answered by a move on its image,
 * which is still present: it is a different piece, and taking a vertex takes neither its image nor a moved edge's
 * image. A move on a fixed piece, in G or in F, is answered by the same move in the other; if it takes a vertex of G,
 * the moved edges on it are taken in pairs. Each time, the same kind of position is left: a G with that mirror, beside
 * its F. So the second player moves last, and G is worth the same as F.
 *
 * Leaves are removed (peeled off) round by round until only the core is left: the 2-core (Seidman, 'Network structure
 * and minimum degree', Social Networks 5, 1983) of a part with cycles, or the centre of a tree, which is one vertex or
 * two joined ones. The removed vertices are attached to the core as branches, which are rooted trees.
 *
 *     o   o
 *      \ /
 *       o - A - B          A - B        A has one branch, of three vertices, with the code 1? 1?0 1?0 0
 *           |   |   ===>   |   |
 *           C - D - o      C - D        D has one, a leaf, with the code 1?0            (?: has the vertex a loop)
 *
 * Codes are those of Aho, Hopcroft and Ullman ('The Design and Analysis of Computer Algorithms', 1974, chapter 3:
 * isomorphism of trees), with a bit for the loop of each vertex: see part.h. Their codes number equivalence classes,
 * level by level; here branches are small, so a code is the tree itself, written as nested parentheses. Codes have at
 * most 64 bits, which is 21 vertices; a branch beyond that stays in the core, where nothing depends on its size.
 *
 * A part without a formula is encoded as its key (part.h): the vertices of the core in an order, with the codes of
 * their branches, then the edges of the core.
 *
 * A key is not a canonical form. Graphs with equal keys differ only in the names of their vertices, so they are
 * isomorphic and have equal values. But isomorphic graphs may have different keys, because the order depends on names.
 * Then a part is searched once for each of its keys: that costs states, but no answer is wrong. Choosing one order for
 * all isomorphic graphs would take refinement with individualisation and backtracking (as in McKay's nauty) for every
 * option of every part; small.c approximates it with one round of colour refinement (Weisfeiler and Leman, 1968). Here
 * the core is ordered breadth first from its lowest vertex. Ordering it by colours would save no states for a verdict,
 * and 5 % of those for all winning clicks (100 x 100 to 1000 x 1000 fields with 6 to 13 % mines), because large parts
 * are rarely encountered twice.
 *
 * Nearly all positions of a search have at most 64 vertices: small.c reduces those with bit masks, and says how much
 * that saves. The code here is for larger ones, and for tests that leave out some of the shortcuts. */
#include "mine/reduce.h"

#include "base/assert.h"

#include <string.h>

enum { NONE = UINT32_MAX };

/* Visit the edges at `v`; `end` points to each. */
#define FOR_EACH_END(r, v, end)                                                                                        \
    for (const struct mine_end *end = (r)->cluster->ends + (r)->cluster->first_end[v],                                 \
                               *stop_ = (r)->cluster->ends + (r)->cluster->first_end[(v) + 1];                         \
         end < stop_; end++)                                                                                           \
        if ((r)->edge[end->edge])

bool mine_reducer_init(struct mine_reducer *r, uint32_t vertices, uint32_t edges, unsigned shortcuts,
                       struct arena *arena) {
    *r = (struct mine_reducer){
        .shortcuts = shortcuts,
        .arena = arena,
        .vertex = arena_array(arena, vertices, sizeof *r->vertex),
        .loop = arena_array(arena, vertices, sizeof *r->loop),
        .edge = arena_array(arena, edges, sizeof *r->edge),
        .degree = arena_array(arena, vertices, sizeof *r->degree),
        .peeled = arena_array(arena, vertices, sizeof *r->peeled),
        .leaf_queue = arena_array(arena, vertices, sizeof *r->leaf_queue),
        .leaf_place = arena_array(arena, vertices, sizeof *r->leaf_place),
        .branches.code = arena_array(arena, vertices, sizeof *r->branches.code),
        .branches.child = arena_array(arena, vertices, sizeof *r->branches.child),
        .branches.sibling = arena_array(arena, vertices, sizeof *r->branches.sibling),
        .tree_vertices = arena_array(arena, vertices, sizeof *r->tree_vertices),
        .tree_loops = arena_array(arena, vertices, sizeof *r->tree_loops),
        .next_to_remove = arena_array(arena, vertices, sizeof *r->next_to_remove),
        .neighbour_of = arena_array(arena, vertices, sizeof *r->neighbour_of),
        .core = arena_array(arena, vertices, sizeof *r->core),
        .side = arena_array(arena, vertices, sizeof *r->side),
        .place = arena_array(arena, vertices, sizeof *r->place),
        .lower = arena_array(arena, vertices, sizeof *r->lower),
    };
    return r->vertex && r->loop && r->edge && r->degree && r->peeled && r->leaf_queue && r->leaf_place &&
           r->branches.code && r->branches.child && r->branches.sibling && r->tree_vertices && r->tree_loops &&
           r->next_to_remove && r->neighbour_of && r->core && r->side && r->place && r->lower;
}

void mine_reducer_open(struct mine_reducer *r, const struct mine_cluster *cluster) {
    r->cluster = cluster;
    r->is_small = cluster->vertices <= MINE_SMALL_VERTICES && r->shortcuts == MINE_ALL_SHORTCUTS;
    if (r->is_small)
        mine_small_read(&r->whole, cluster);
}

void mine_reducer_take(struct mine_reducer *r) {
    const struct mine_cluster *cluster = r->cluster;
    if (r->is_small) {
        r->small = r->whole;
        return;
    }
    memset(r->vertex, true, cluster->vertices * sizeof *r->vertex);
    memcpy(r->loop, cluster->loop, cluster->vertices * sizeof *r->loop);
    if (cluster->edges != 0)
        memcpy(r->edge, cluster->present, cluster->edges * sizeof *r->edge);
}

static void remove_vertex(struct mine_reducer *r, uint32_t vertex) {
    r->vertex[vertex] = r->loop[vertex] = false;
    FOR_EACH_END(r, vertex, end)
        r->edge[end->edge] = false;
}

void mine_reducer_change(struct mine_reducer *r, enum mine_change change, uint32_t which) {
    if (r->is_small) {
        mine_small_change(&r->small, r->cluster, change, which);
        return;
    }
    switch (change) {
    case MINE_TAKE_VERTEX:
        remove_vertex(r, which);
        break;
    case MINE_TOGGLE_LOOP:
        r->loop[which] = !r->loop[which];
        break;
    case MINE_TOGGLE_EDGE:
        r->edge[which] = !r->edge[which];
        break;
    }
}

/* Remove a vertex from the position, with all branches that are attached to it. */
static void remove_tree(struct mine_reducer *r, uint32_t root) {
    uint32_t to_remove = root;
    r->next_to_remove[root] = NONE;
    while (to_remove != NONE) {
        uint32_t v = to_remove;
        to_remove = r->next_to_remove[v];
        for (uint32_t c = r->branches.child[v]; c != MINE_NO_BRANCH; c = r->branches.sibling[c]) {
            r->next_to_remove[c] = to_remove;
            to_remove = c;
        }
        remove_vertex(r, v);
    }
}

/* Attach the peeled `branch` to `v`, and let it cancel with an equal branch there. Returns how many pairs have
 * cancelled. */
static unsigned attach(struct mine_reducer *r, uint32_t v, uint32_t branch) {
    uint32_t equal = mine_branch_attach(&r->branches, v, branch, (r->shortcuts & MINE_MIRRORS) != 0);
    if (equal == MINE_NO_BRANCH) {
        r->tree_vertices[v] += r->tree_vertices[branch];
        r->tree_loops[v] += r->tree_loops[branch];
        return 0;
    }
    r->tree_vertices[v] -= r->tree_vertices[equal];
    r->tree_loops[v] -= r->tree_loops[equal];
    remove_tree(r, equal);
    remove_tree(r, branch);
    return 1;
}

static void push_leaf(struct mine_reducer *r, uint32_t leaf, uint32_t *tail) {
    r->leaf_place[leaf] = *tail;
    r->leaf_queue[(*tail)++] = leaf;
}

/* Begin peeling: no vertex is peeled yet, and the leaves of the position are queued. Returns the number of leaves;
 * *ret_standing is the number of vertices in the position. */
static uint32_t find_leaves(struct mine_reducer *r, uint32_t *ret_standing) {
    uint32_t tail = 0, present = 0;
    for (uint32_t v = 0; v < r->cluster->vertices; v++) {
        if (!r->vertex[v])
            continue;
        uint32_t degree = 0;
        present++;
        FOR_EACH_END(r, v, end)
            degree++;
        r->degree[v] = degree;
        r->branches.child[v] = MINE_NO_BRANCH;
        r->peeled[v] = false;
        r->tree_vertices[v] = 1;
        r->tree_loops[v] = r->loop[v];
        if (degree == 1)
            push_leaf(r, v, &tail);
    }
    *ret_standing = present;
    return tail;
}

/* Find the only neighbour of a leaf that has not been peeled off. */
static uint32_t hub_of(const struct mine_reducer *r, uint32_t leaf) {
    uint32_t hub = NONE;
    FOR_EACH_END(r, leaf, end)
        if (!r->peeled[end->neighbour])
            hub = end->neighbour;
    ASSERT(hub != NONE);
    return hub;
}

/* Peel off leaves, round by round, until only the core is left: *ret_core vertices. Returns how many pairs of equal
 * branches have cancelled. */
static uint64_t peel(struct mine_reducer *r, uint32_t *ret_core) {
    uint64_t cancelled = 0;
    uint32_t core, tail = find_leaves(r, &core);
    for (uint32_t head = 0, round_end = tail; head < tail; head++) {
        if (head == round_end)
            round_end = tail;
        uint32_t leaf = r->leaf_queue[head];
        if (r->degree[leaf] == 0)
            continue; /* the root that all other vertices are attached to */
        uint32_t hub = hub_of(r, leaf);
        /* Two leaves in the same round that are attached to each other are the centre of a tree. */
        if (r->degree[hub] == 1 && r->leaf_place[hub] < round_end)
            continue;
        uint64_t code = mine_branch_code(&r->branches, leaf, r->loop[leaf]);
        if (code == 0)
            continue;
        r->branches.code[leaf] = code;
        r->peeled[leaf] = true;
        r->degree[leaf] = 0;
        core--;
        cancelled += attach(r, hub, leaf);
        if (--r->degree[hub] == 1)
            push_leaf(r, hub, &tail);
    }
    *ret_core = core;
    return cancelled;
}

/* Do two vertices of the core have the same neighbours in it? Then they are not joined. */
static bool same_neighbours(struct mine_reducer *r, uint32_t v, uint32_t w) {
    if (r->degree[v] != r->degree[w])
        return false;
    FOR_EACH_END(r, v, end)
        r->neighbour_of[end->neighbour] = v;
    FOR_EACH_END(r, w, end)
        if (!r->peeled[end->neighbour] && r->neighbour_of[end->neighbour] != v)
            return false;
    return true;
}

/* Find a twin of `v` that has a higher number and is in the core. Returns NONE if there is none. */
static uint32_t find_twin(struct mine_reducer *r, uint32_t v) {
    /* A twin is a neighbour's neighbour, so only these are searched. */
    uint32_t hub = NONE;
    FOR_EACH_END(r, v, end)
        if (!r->peeled[end->neighbour] && (hub == NONE || r->degree[end->neighbour] < r->degree[hub]))
            hub = end->neighbour;
    ASSERT(hub != NONE);
    FOR_EACH_END(r, hub, end) {
        uint32_t w = end->neighbour;
        if (w > v && !r->peeled[w] && r->loop[v] == r->loop[w] && mine_branches_equal(&r->branches, v, w) &&
            same_neighbours(r, v, w))
            return w;
    }
    return NONE;
}

/* Cancel twins of the core in pairs. Returns how many pairs there were. */
static uint64_t cancel_twins(struct mine_reducer *r) {
    uint64_t cancelled = 0;
    uint32_t vertices = r->cluster->vertices;
    memset(r->neighbour_of, 0xff, vertices * sizeof *r->neighbour_of);
    for (uint32_t v = 0; v < vertices; v++) {
        if (!r->vertex[v] || r->peeled[v] || r->degree[v] == 0)
            continue;
        uint32_t twin = find_twin(r, v);
        if (twin == NONE)
            continue;
        FOR_EACH_END(r, v, end)
            if (!r->peeled[end->neighbour])
                r->degree[end->neighbour] -= 2;
        remove_tree(r, v);
        remove_tree(r, twin);
        cancelled++;
    }
    return cancelled;
}

/* Write the edges from the vertex at this place in r->core to vertices at lower places, in ascending order of these. */
static void write_edges(struct mine_reducer *r, uint32_t place, struct mine_key_writer *writer) {
    uint32_t *lower = r->lower;
    uint32_t count = 0;
    FOR_EACH_END(r, r->core[place], end) {
        if (r->peeled[end->neighbour] || r->place[end->neighbour] > place)
            continue;
        uint32_t at = count++;
        for (; at > 0 && lower[at - 1] > r->place[end->neighbour]; at--)
            lower[at] = lower[at - 1];
        lower[at] = r->place[end->neighbour];
    }
    for (uint32_t e = 0; e < count; e++)
        mine_key_put_edge(writer, place, lower[e]);
}

/* Write the part whose core is the first `count` vertices of r->core, in that order. Returns false if memory is
 * exhausted. */
static bool write_part(struct mine_reducer *r, uint32_t count, const struct mine_part *part) {
    struct mine_key_writer writer;
    if (!mine_parts_begin(&r->sum.parts, part, count, r->arena, &writer))
        return false;
    for (uint32_t k = 0; k < count; k++) {
        r->place[r->core[k]] = k;
        mine_key_put_vertex(&writer, &r->branches, r->core[k], r->loop[r->core[k]]);
    }
    for (uint32_t k = 0; k < count; k++)
        write_edges(r, k, &writer);
    mine_parts_end(&r->sum.parts, *part, mine_key_words(&writer));
    return true;
}

/* A connected part, or several if MINE_SPLIT is off. */
struct component {
    struct mine_part part;
    uint32_t core_vertices; /* in r->core */
    uint32_t connected;     /* the number of connected parts */
    bool odd_cycle;         /* a part is not bipartite */
};

/* Visit the core that `start` is in, breadth first, and add it with its branches to the component. */
static void walk_core(struct mine_reducer *r, uint32_t start, struct component *component) {
    uint32_t head = component->core_vertices, ends = 0;
    r->side[start] = 1;
    r->core[component->core_vertices++] = start;
    component->connected++;
    for (; head < component->core_vertices; head++) {
        uint32_t v = r->core[head];
        ASSERT(r->vertex[v] && !r->peeled[v] && r->tree_vertices[v] >= 1);
        component->part.vertices += r->tree_vertices[v];
        component->part.edges += r->tree_vertices[v] - 1;
        component->part.loops += r->tree_loops[v];
        FOR_EACH_END(r, v, end) {
            uint32_t other = end->neighbour;
            if (r->peeled[other])
                continue;
            ends++;
            if (r->side[other] == 0) {
                r->side[other] = (uint8_t)(3 - r->side[v]);
                r->core[component->core_vertices++] = other;
            } else if (r->side[other] == r->side[v]) {
                component->odd_cycle = true;
            }
        }
    }
    component->part.edges += ends / 2;
}

/* Value a component by a formula, or encode it. Returns false if memory is exhausted. */
static bool value_or_write_part(struct mine_reducer *r, const struct component *component) {
    return (component->connected == 1 &&
            mine_sum_add_by_formula(&r->sum, &component->part, !component->odd_cycle, r->shortcuts)) ||
           write_part(r, component->core_vertices, &component->part);
}

/* Cancel equal branches and twins until none are left: a part that has lost branches has a different centre, and
 * cancelled twins leave new leaves. */
static void cancel_mirrors(struct mine_reducer *r) {
    uint64_t cancelled;
    uint32_t core;
    do {
        cancelled = peel(r, &core);
        /* Twins have at least two neighbours in the core; otherwise they would be leaves. */
        if (r->shortcuts & MINE_MIRRORS && core >= 4)
            cancelled += cancel_twins(r);
    } while (cancelled != 0);
}

bool mine_reduce(struct mine_reducer *r) {
    if (r->is_small)
        return mine_small_reduce(&r->small, r->arena, &r->sum);
    r->sum.value = 0;
    mine_parts_empty(&r->sum.parts);
    cancel_mirrors(r);
    memset(r->side, 0, r->cluster->vertices * sizeof *r->side);
    struct component component = {0};
    for (uint32_t v = 0; v < r->cluster->vertices; v++) {
        if (!r->vertex[v] || r->peeled[v] || r->side[v] != 0)
            continue;
        walk_core(r, v, &component);
        if (!(r->shortcuts & MINE_SPLIT))
            continue;
        if (!value_or_write_part(r, &component))
            return false;
        component = (struct component){0};
    }
    return component.connected == 0 || value_or_write_part(r, &component);
}
