/* A position of the deletion game, reduced by theory:
 *
 *   split      it falls into connected parts, whose values are xored (Sprague, 1935; Grundy, 1939);
 *   vertex     a single vertex is worth 1, with a loop 2 (its moves lead to 0, and with a loop to 1 as well);
 *   bipartite  a connected bipartite part without loops is worth (V mod 2) + 2 (E mod 2). Every move changes this pair.
 *              Degrees sum to 2E, so for odd V some vertex has even degree; those of one colour class sum to E, so for
 *              odd E some vertex has odd degree: with these every smaller value is reached;
 *   mirrors    if an automorphism of order two moves some pieces, and every edge with a moved end is itself moved, the
 *              value is that of what stays fixed: the second player answers in the mirror. (Khandhawit and Ye, 'Chomp
 *              on Graphs and Subsets', arXiv 1101.2718, have the lemma in general form.) Two kinds are looked for:
 *              equal branches, which are trees hung on the same vertex, and twins, which are vertices that are not
 *              joined, with the same neighbours, equal loops and equal branches.
 *
 * Leaves are peeled off until only the core is left: of a tree its centre (one vertex or two), of other parts what lies
 * on and between cycles. On the way each branch gets a code, a bit string that is the branch itself:
 *
 *     code(v) = 1, loop, the codes of its branches in falling order, 0          a leaf is 1?0
 *
 * so that branches are equal exactly when their codes are. A code has at most 64 bits, which is 21 vertices; a branch
 * beyond that stays in the core, where nothing depends on its size.
 *
 * What is irreducible is written down as a key: the codes of the vertices of its core one after the other, then the
 * edges of the core. The order of the core's vertices is one that graphs which are alike will mostly share (by what
 * they look like from afar, from the most striking one outwards); where they do not, a part is searched twice and
 * nothing else happens, since a key is always the whole graph.
 *
 * Nearly all positions of a search have at most 64 vertices: small.c does the same for those with bit masks. Here is
 * what is larger, and what leaves some of the theory out for tests. */
#include "mine/reduce.h"

#include "mine/key.h"
#include "mine/small.h"

#include <string.h>

enum {
    NONE = UINT32_MAX,
    MOST_SORTED = 64, /* vertices of a core that is put in order */
};

/* Visit the edges that stand at `v`; `end` points to each. */
#define FOR_EACH_END(r, v, end)                                                                                        \
    for (const struct mine_end *end = (r)->cluster->ends + (r)->cluster->first_end[v],                                 \
                               *stop_ = (r)->cluster->ends + (r)->cluster->first_end[(v) + 1];                         \
         end < stop_; end++)                                                                                           \
        if ((r)->edge[end->edge])

bool mine_reducer_init(struct mine_reducer *r, uint32_t vertices, uint32_t edges, unsigned shortcuts,
                       struct mine_tally *tally, struct arena *arena) {
    *r = (struct mine_reducer){
        .shortcuts = shortcuts,
        .tally = tally,
        .arena = arena,
        .vertex = arena_array(arena, vertices, sizeof *r->vertex),
        .loop = arena_array(arena, vertices, sizeof *r->loop),
        .edge = arena_array(arena, edges, sizeof *r->edge),
        .degree = arena_array(arena, vertices, sizeof *r->degree),
        .queue = arena_array(arena, vertices, sizeof *r->queue),
        .child = arena_array(arena, vertices, sizeof *r->child),
        .sibling = arena_array(arena, vertices, sizeof *r->sibling),
        .mark = arena_array(arena, vertices, sizeof *r->mark),
        .weight = arena_array(arena, vertices, sizeof *r->weight),
        .branch_loops = arena_array(arena, vertices, sizeof *r->branch_loops),
        .code = arena_array(arena, vertices, sizeof *r->code),
        .sign = arena_array(arena, vertices, sizeof *r->sign),
        .new_sign = arena_array(arena, vertices, sizeof *r->new_sign),
        .order = arena_array(arena, vertices, sizeof *r->order),
        .color = arena_array(arena, vertices, sizeof *r->color),
        .peeled = arena_array(arena, vertices, sizeof *r->peeled),
    };
    return r->vertex && r->loop && r->edge && r->degree && r->queue && r->child && r->sibling && r->mark && r->weight &&
           r->branch_loops && r->code && r->sign && r->new_sign && r->order && r->color && r->peeled;
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
        mine_small_copy(&r->small, &r->whole);
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

/* Remove a peeled vertex with all branches hung on it; they are threaded through `mark`. */
static void remove_branch(struct mine_reducer *r, uint32_t vertex) {
    uint32_t pending = vertex;
    r->mark[vertex] = NONE;
    while (pending != NONE) {
        uint32_t v = pending;
        pending = r->mark[v];
        for (uint32_t c = r->child[v]; c != NONE; c = r->sibling[c]) {
            r->mark[c] = pending;
            pending = c;
        }
        remove_vertex(r, v);
    }
}

/* The code of a vertex with what is hung on it; 0 when it is too long. */
static uint64_t encode_branch(const struct mine_reducer *r, uint32_t v) {
    uint64_t code = r->loop[v] ? 3 : 2;
    for (uint32_t c = r->child[v]; c != NONE && code != 0; c = r->sibling[c])
        code = add_branch(code, r->code[c]);
    return code << 1;
}

/* Do two vertices carry equal loops and equal branches? */
static bool same_load(const struct mine_reducer *r, uint32_t a, uint32_t b) {
    uint32_t x = r->child[a], y = r->child[b];
    while (x != NONE && y != NONE && r->code[x] == r->code[y]) {
        x = r->sibling[x];
        y = r->sibling[y];
    }
    return x == NONE && y == NONE && r->loop[a] == r->loop[b];
}

/* Hang the peeled `branch` on `vertex`; an equal one that hangs there already goes with it. True when they go. */
static bool hang(struct mine_reducer *r, uint32_t vertex, uint32_t branch) {
    uint32_t *link = &r->child[vertex];
    while (*link != NONE && r->code[*link] > r->code[branch])
        link = &r->sibling[*link];
    if (*link != NONE && r->code[*link] == r->code[branch] && r->shortcuts & MINE_MIRRORS) {
        uint32_t twin = *link;
        *link = r->sibling[twin];
        r->weight[vertex] -= r->weight[twin];
        r->branch_loops[vertex] -= r->branch_loops[twin];
        remove_branch(r, twin);
        remove_branch(r, branch);
        return true;
    }
    r->sibling[branch] = *link;
    *link = branch;
    r->weight[vertex] += r->weight[branch];
    r->branch_loops[vertex] += r->branch_loops[branch];
    return false;
}

/* Peel leaves off until only the core is left; cancel equal branches and return how many pairs there were. */
static uint64_t peel(struct mine_reducer *r, uint32_t *ret_core) {
    uint64_t cancelled = 0;
    uint32_t tail = 0, core = 0;
    for (uint32_t v = 0; v < r->cluster->vertices; v++) {
        if (!r->vertex[v])
            continue;
        uint32_t degree = 0;
        core++;
        FOR_EACH_END(r, v, end)
            degree++;
        r->degree[v] = degree;
        r->child[v] = NONE;
        r->peeled[v] = false;
        r->weight[v] = 1;
        r->branch_loops[v] = r->loop[v];
        if (degree == 1) {
            r->mark[v] = tail;
            r->queue[tail++] = v;
        }
    }
    for (uint32_t head = 0, round_end = tail; head < tail; head++) {
        if (head == round_end)
            round_end = tail;
        uint32_t leaf = r->queue[head], vertex = NONE;
        if (r->degree[leaf] == 0)
            continue;
        FOR_EACH_END(r, leaf, end)
            if (!r->peeled[end->neighbour])
                vertex = end->neighbour;
        /* Two leaves of one round that hang on each other are the centre of a tree. */
        if (r->degree[vertex] == 1 && r->mark[vertex] < round_end)
            continue;
        uint64_t code = encode_branch(r, leaf);
        if (code == 0)
            continue;
        r->code[leaf] = code;
        r->peeled[leaf] = true;
        r->degree[leaf] = 0;
        core--;
        cancelled += hang(r, vertex, leaf);
        if (--r->degree[vertex] == 1) {
            r->mark[vertex] = tail;
            r->queue[tail++] = vertex;
        }
    }
    *ret_core = core;
    return cancelled;
}

/* Are two vertices of the core not joined, and have they the same neighbours in it? */
static bool same_neighbours(struct mine_reducer *r, uint32_t a, uint32_t b) {
    if (r->degree[a] != r->degree[b])
        return false;
    FOR_EACH_END(r, a, end)
        r->mark[end->neighbour] = a;
    FOR_EACH_END(r, b, end)
        if (!r->peeled[end->neighbour] && r->mark[end->neighbour] != a)
            return false;
    return true;
}

/* Cancel twins of the core that peel left, and return how many pairs there were. */
static uint64_t cancel_twins(struct mine_reducer *r) {
    uint64_t cancelled = 0;
    uint32_t vertices = r->cluster->vertices;
    memset(r->mark, 0xff, vertices * sizeof *r->mark);
    for (uint32_t v = 0; v < vertices; v++) {
        if (!r->vertex[v] || r->peeled[v] || r->degree[v] == 0)
            continue;
        /* A twin is a neighbour's neighbour: look there, not everywhere. */
        uint32_t hub = NONE, twin = NONE;
        FOR_EACH_END(r, v, end)
            if (!r->peeled[end->neighbour] && (hub == NONE || r->degree[end->neighbour] < r->degree[hub]))
                hub = end->neighbour;
        FOR_EACH_END(r, hub, end) {
            uint32_t other = end->neighbour;
            if (other > v && !r->peeled[other] && same_load(r, v, other) && same_neighbours(r, v, other)) {
                twin = other;
                break;
            }
        }
        if (twin == NONE)
            continue;
        FOR_EACH_END(r, v, end)
            if (!r->peeled[end->neighbour])
                r->degree[end->neighbour] -= 2;
        remove_branch(r, v);
        remove_branch(r, twin);
        cancelled++;
    }
    return cancelled;
}

/* What each vertex of the core looks like: its load, then again and again what its neighbours look like. */
static void sign_core(struct mine_reducer *r, const uint32_t *core, uint32_t count) {
    for (uint32_t k = 0; k < count; k++) {
        uint32_t v = core[k];
        uint64_t sign = r->degree[v] * 2 + r->loop[v];
        for (uint32_t c = r->child[v]; c != NONE; c = r->sibling[c])
            sign = mix(sign + r->code[c]);
        r->sign[v] = mix(sign);
    }
    for (int round = 0; round < MINE_SIGN_ROUNDS && count > 2; round++) {
        for (uint32_t k = 0; k < count; k++) {
            uint64_t sum = 0;
            FOR_EACH_END(r, core[k], end)
                if (!r->peeled[end->neighbour])
                    sum += mix(r->sign[end->neighbour] ^ 0x5555);
            r->new_sign[core[k]] = mix(r->sign[core[k]] + sum);
        }
        for (uint32_t k = 0; k < count; k++)
            r->sign[core[k]] = r->new_sign[core[k]];
    }
}

/* The order of the core's vertices in their key goes to r->order, the place of v to mark[v]: breadth first from the one
 * with the greatest sign, neighbours by falling sign. A core too large for anything alike to come again keeps the order
 * that it has. */
static void order_core(struct mine_reducer *r, const uint32_t *core, uint32_t count) {
    uint32_t tail = 0;
    if (count == 1 || count > MOST_SORTED) {
        for (; tail < count; tail++) {
            r->order[tail] = core[tail];
            r->mark[core[tail]] = tail;
        }
        return;
    }
    sign_core(r, core, count);
    for (uint32_t k = 0; k < count; k++)
        r->mark[core[k]] = NONE;
    for (uint32_t head = 0; head < count; head++) {
        /* Where SPLIT is off there may be several components. */
        if (head == tail) {
            uint32_t best = NONE;
            for (uint32_t k = 0; k < count; k++)
                if (r->mark[core[k]] == NONE && (best == NONE || r->sign[core[k]] > r->sign[best]))
                    best = core[k];
            r->mark[best] = tail;
            r->order[tail++] = best;
        }
        uint32_t from = tail;
        FOR_EACH_END(r, r->order[head], end) {
            uint32_t v = end->neighbour, at = tail;
            if (r->peeled[v] || r->mark[v] != NONE)
                continue;
            r->mark[v] = tail++;
            for (; at > from && r->sign[r->order[at - 1]] < r->sign[v]; at--)
                r->order[at] = r->order[at - 1];
            r->order[at] = v;
        }
        for (uint32_t k = from; k < tail; k++)
            r->mark[r->order[k]] = k;
    }
}

/* Write down the edges from the core's vertex at place k to earlier ones, by rising places. */
static void put_edges(struct mine_reducer *r, struct writer *writer, uint32_t k, unsigned width) {
    uint64_t *earlier = r->new_sign;
    uint32_t count = 0;
    FOR_EACH_END(r, r->order[k], end) {
        if (r->peeled[end->neighbour] || r->mark[end->neighbour] > k)
            continue;
        uint32_t at = count++;
        for (; at > 0 && earlier[at - 1] > r->mark[end->neighbour]; at--)
            earlier[at] = earlier[at - 1];
        earlier[at] = r->mark[end->neighbour];
    }
    for (uint32_t e = 0; e < count; e++) {
        put_bits(writer, k, width);
        put_bits(writer, earlier[e], width);
    }
}

/* Write down the part whose core this is. The first word of a key is the size of its core, in vertices and edges. */
static bool add_part(struct mine_reducer *r, const uint32_t *core, uint32_t count, struct mine_part part) {
    uint32_t core_edges = 0;
    for (uint32_t k = 0; k < count; k++)
        core_edges += r->degree[core[k]];
    core_edges /= 2;
    unsigned width = width_of(count);
    size_t bits = 3 * (size_t)part.vertices + 2 * (size_t)width * core_edges;
    /* One word for the size, one that is begun, one that put_bits may touch. */
    if (!mine_parts_reserve(&r->sum.parts, bits / 64 + 3, r->arena))
        return false;
    order_core(r, core, count);
    uint64_t *words = r->sum.parts.words + r->sum.parts.word_count;
    struct writer writer = {words + 1, 0};
    words[0] = (uint64_t)count << 32 | core_edges;
    for (uint32_t k = 0; k < count; k++) {
        uint32_t v = r->order[k];
        put_bits(&writer, r->loop[v] ? 3 : 2, 2);
        for (uint32_t c = r->child[v]; c != NONE; c = r->sibling[c])
            put_bits(&writer, r->code[c], length_of(r->code[c]));
        put_bits(&writer, 0, 1);
    }
    for (uint32_t k = 0; k < count; k++)
        put_edges(r, &writer, k, width);
    mine_parts_close(&r->sum.parts, part, 64 + writer.bit);
    return true;
}

/* A connected part, or several where SPLIT is off. */
struct component {
    struct mine_part part;
    uint32_t count;  /* vertices of its core, in the queue */
    uint32_t pieces; /* how many connected ones */
    bool odd_cycle;
};

/* Walk over the core that `start` is in; its vertices are added to the queue. */
static void walk_core(struct mine_reducer *r, uint32_t start, struct component *component) {
    uint32_t head = component->count, ends = 0;
    r->color[start] = 1;
    r->queue[component->count++] = start;
    component->pieces++;
    for (; head < component->count; head++) {
        uint32_t v = r->queue[head];
        component->part.vertices += r->weight[v];
        component->part.edges += r->weight[v] - 1;
        component->part.loops += r->branch_loops[v];
        FOR_EACH_END(r, v, end) {
            uint32_t other = end->neighbour;
            if (r->peeled[other])
                continue;
            ends++;
            if (r->color[other] == 0) {
                r->color[other] = (uint8_t)(3 - r->color[v]);
                r->queue[component->count++] = other;
            } else if (r->color[other] == r->color[v]) {
                component->odd_cycle = true;
            }
        }
    }
    component->part.edges += ends / 2;
}

/* Value a part by its formula, or write it down. */
static bool settle(struct mine_reducer *r, const struct component *component) {
    const struct mine_part *part = &component->part;
    if (component->pieces == 1 && part->vertices == 1 && r->shortcuts & MINE_FORMULA_VERTEX) {
        r->sum.value ^= part->loops != 0 ? 2 : 1;
        r->tally->vertex++;
        return true;
    }
    if (component->pieces == 1 && part->vertices > 1 && part->loops == 0 && !component->odd_cycle &&
        r->shortcuts & MINE_FORMULA_BIPARTITE) {
        r->sum.value ^= part->vertices % 2 + 2 * (part->edges % 2);
        r->tally->bipartite++;
        return true;
    }
    return add_part(r, r->queue, component->count, *part);
}

bool mine_reduce(struct mine_reducer *r) {
    uint32_t vertices = r->cluster->vertices;
    uint64_t cancelled;
    uint32_t core;
    if (r->is_small)
        return mine_small_reduce(&r->small, r->arena, r->tally, &r->sum);
    r->sum.value = 0;
    mine_parts_empty(&r->sum.parts);
    /* What has lost branches has its centre elsewhere, and twins leave new leaves: look again until nothing cancels. */
    do {
        cancelled = peel(r, &core);
        /* Twins have two neighbours or more in the core, or they would be leaves. */
        if (r->shortcuts & MINE_MIRRORS && core >= 4)
            cancelled += cancel_twins(r);
        r->tally->mirrors += cancelled;
    } while (cancelled != 0);
    memset(r->color, 0, vertices * sizeof *r->color);
    struct component component = {0};
    bool any = false;
    for (uint32_t v = 0; v < vertices; v++) {
        if (!r->vertex[v] || r->peeled[v] || r->color[v] != 0)
            continue;
        r->tally->splits += any && r->shortcuts & MINE_SPLIT;
        any = true;
        walk_core(r, v, &component);
        if (!(r->shortcuts & MINE_SPLIT))
            continue;
        if (!settle(r, &component))
            return false;
        component = (struct component){0};
    }
    return component.pieces == 0 || settle(r, &component);
}

void mine_decode(const uint64_t *words, struct mine_cluster *ret_cluster) {
    struct mine_cluster *c = ret_cluster;
    struct reader reader = {words + 1, 0};
    uint32_t count = (uint32_t)(words[0] >> 32), core_edges = (uint32_t)words[0];
    /* Until it is linked, `first_end` holds the parent of each vertex of a branch, and `ends` which vertex the core's
     * k-th is. */
    c->vertices = c->edges = 0;
    for (uint32_t k = 0; k < count; k++) {
        uint32_t v = NONE;
        c->ends[k].edge = c->vertices;
        do {
            if (get_bits(&reader, 1) == 0) {
                v = c->first_end[v];
                continue;
            }
            uint32_t child = c->vertices++;
            c->loop[child] = get_bits(&reader, 1);
            c->first_end[child] = v;
            if (v != NONE)
                c->edge[c->edges++] = (struct mine_edge){v, child};
            v = child;
        } while (v != NONE);
    }
    unsigned width = width_of(count);
    for (uint32_t e = 0; e < core_edges; e++) {
        uint32_t a = c->ends[get_bits(&reader, width)].edge;
        uint32_t b = c->ends[get_bits(&reader, width)].edge;
        c->edge[c->edges++] = (struct mine_edge){a, b};
    }
    memset(c->present, true, c->edges * sizeof *c->present);
    mine_cluster_link(c);
}
