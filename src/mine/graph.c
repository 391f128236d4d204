/* From a list of edges to clusters, and from clusters to a nimber.
 *
 * Edges are put in order by two counting sorts (linear, no recursion), so that equal ones stand together and cancel in
 * pairs. A union-find gives the connected clusters. Most are single vertices, whose values are summed up on the way;
 * the others are handed to the search, smallest first. */
#include "mine/graph.h"

#include "mine/search.h"

#include <string.h>

/* A connected cluster of at least two vertices, after equal edges have cancelled. */
struct cluster {
    uint32_t first; /* its smallest vertex */
    uint32_t vertices, edges, loops;
    uint32_t vertex_start, edge_start; /* where its vertices and edges stand in the gathered arrays */
};

struct builder {
    uint32_t vertices, edge_count;
    const bool *loop;
    struct mine_edge *edges; /* sorted by a, then b, with a < b; all different */
    uint32_t *parent;        /* union-find; a root is the smallest vertex of its set */
    uint32_t *cluster_of;    /* by root: number in `clusters` */
    uint32_t *number;        /* of a vertex within its cluster */
    struct cluster *clusters;
    uint32_t cluster_count;
    bool *gathered_loops;             /* by vertex_start */
    struct mine_edge *gathered_edges; /* by edge_start, with the numbers within the cluster */
};

static uint32_t find_root(uint32_t *parent, uint32_t v) {
    while (parent[v] != v) {
        parent[v] = parent[parent[v]];
        v = parent[v];
    }
    return v;
}

/* A stable counting sort of `from` into `to` by one end of the edges. */
static void sort_by(const struct mine_edge *from, struct mine_edge *to, uint32_t count, bool by_a, uint32_t *starts,
                    uint32_t vertices) {
    memset(starts, 0, ((size_t)vertices + 1) * sizeof *starts);
    for (uint32_t e = 0; e < count; e++)
        starts[(by_a ? from[e].a : from[e].b) + 1]++;
    for (uint32_t v = 1; v <= vertices; v++)
        starts[v] += starts[v - 1];
    for (uint32_t e = 0; e < count; e++)
        to[starts[by_a ? from[e].a : from[e].b]++] = from[e];
}

/* Sort the edges, drop equal ones in pairs. */
static bool normalise(struct builder *b, const struct mine_graph *graph, struct arena *arena) {
    struct mine_edge *unsorted = arena_array(arena, graph->edge_count, sizeof *unsorted);
    struct mine_edge *half = arena_array(arena, graph->edge_count, sizeof *half);
    uint32_t *starts = arena_array(arena, (size_t)b->vertices + 1, sizeof *starts);
    if (unsorted == NULL || half == NULL || starts == NULL)
        return false;
    for (uint32_t e = 0; e < graph->edge_count; e++) {
        struct mine_edge edge = graph->edges[e];
        unsorted[e] = edge.a < edge.b ? edge : (struct mine_edge){edge.b, edge.a};
    }
    sort_by(unsorted, half, graph->edge_count, false, starts, b->vertices);
    sort_by(half, unsorted, graph->edge_count, true, starts, b->vertices);
    b->edges = unsorted;
    b->edge_count = 0;
    for (uint32_t e = 0; e < graph->edge_count; e++) {
        const struct mine_edge *last = b->edge_count != 0 ? &b->edges[b->edge_count - 1] : NULL;
        if (last != NULL && last->a == unsorted[e].a && last->b == unsorted[e].b)
            b->edge_count--;
        else
            b->edges[b->edge_count++] = unsorted[e];
    }
    return true;
}

static bool allocate(struct builder *b, struct arena *arena) {
    b->parent = arena_array(arena, b->vertices, sizeof *b->parent);
    b->cluster_of = arena_array(arena, b->vertices, sizeof *b->cluster_of);
    b->number = arena_array(arena, b->vertices, sizeof *b->number);
    /* Every cluster has an edge of its own. */
    b->clusters = arena_calloc(arena, b->edge_count, sizeof *b->clusters);
    b->gathered_loops = arena_array(arena, b->vertices, sizeof *b->gathered_loops);
    b->gathered_edges = arena_array(arena, b->edge_count, sizeof *b->gathered_edges);
    return b->parent && b->cluster_of && b->number && b->clusters && b->gathered_loops && b->gathered_edges;
}

/* Connect, number the clusters in the order of their first vertices, and sum up the single vertices. */
static uint32_t find_clusters(struct builder *b, unsigned shortcuts, struct mine_tally *tally) {
    uint32_t singles = 0;
    for (uint32_t v = 0; v < b->vertices; v++)
        b->parent[v] = v;
    for (uint32_t e = 0; e < b->edge_count; e++) {
        uint32_t x = find_root(b->parent, b->edges[e].a), y = find_root(b->parent, b->edges[e].b);
        b->parent[x > y ? x : y] = x < y ? x : y;
    }
    /* A vertex is connected when its root is another vertex or another vertex has it as root: mark roots first. */
    for (uint32_t v = 0; v < b->vertices; v++)
        b->cluster_of[v] = UINT32_MAX;
    for (uint32_t v = 0; v < b->vertices; v++) {
        uint32_t root = find_root(b->parent, v);
        if (root != v && b->cluster_of[root] == UINT32_MAX)
            b->cluster_of[root] = 0;
    }
    for (uint32_t v = 0; v < b->vertices; v++) {
        uint32_t root = find_root(b->parent, v);
        if (b->cluster_of[root] == UINT32_MAX) {
            singles ^= b->loop[v] ? 2 : 1;
            tally->vertex += (shortcuts & MINE_FORMULA_VERTEX) != 0;
            continue;
        }
        if (root == v) {
            b->cluster_of[v] = b->cluster_count;
            b->clusters[b->cluster_count++].first = v;
        }
        struct cluster *cluster = &b->clusters[b->cluster_of[root]];
        b->number[v] = cluster->vertices++;
        cluster->loops += b->loop[v];
    }
    return singles;
}

/* Bring the loops and edges of each cluster together. */
static void gather(struct builder *b) {
    for (uint32_t e = 0; e < b->edge_count; e++)
        b->clusters[b->cluster_of[find_root(b->parent, b->edges[e].a)]].edges++;
    uint32_t vertex_start = 0, edge_start = 0;
    for (uint32_t c = 0; c < b->cluster_count; c++) {
        b->clusters[c].vertex_start = vertex_start;
        b->clusters[c].edge_start = edge_start;
        vertex_start += b->clusters[c].vertices;
        edge_start += b->clusters[c].edges;
    }
    for (uint32_t v = 0; v < b->vertices; v++) {
        uint32_t c = b->cluster_of[find_root(b->parent, v)];
        if (c != UINT32_MAX)
            b->gathered_loops[b->clusters[c].vertex_start + b->number[v]] = b->loop[v];
    }
    for (uint32_t e = 0; e < b->edge_count; e++) {
        struct cluster *cluster = &b->clusters[b->cluster_of[find_root(b->parent, b->edges[e].a)]];
        b->gathered_edges[cluster->edge_start++] =
            (struct mine_edge){b->number[b->edges[e].a], b->number[b->edges[e].b]};
    }
    for (uint32_t c = 0; c < b->cluster_count; c++)
        b->clusters[c].edge_start -= b->clusters[c].edges;
}

static uint32_t size_of(const struct cluster *cluster) { return cluster->vertices + cluster->edges + cluster->loops; }

/* The clusters' numbers, smallest cluster first, equal ones by their first vertex: a counting sort. */
static uint32_t *order_by_size(const struct builder *b, struct arena *arena) {
    uint32_t largest = 0;
    for (uint32_t c = 0; c < b->cluster_count; c++)
        if (size_of(&b->clusters[c]) > largest)
            largest = size_of(&b->clusters[c]);
    uint32_t *order = arena_array(arena, b->cluster_count, sizeof *order);
    uint32_t *starts = arena_calloc(arena, (size_t)largest + 2, sizeof *starts);
    if (order == NULL || starts == NULL)
        return NULL;
    for (uint32_t c = 0; c < b->cluster_count; c++)
        starts[size_of(&b->clusters[c]) + 1]++;
    for (uint32_t size = 1; size <= largest; size++)
        starts[size] += starts[size - 1];
    for (uint32_t c = 0; c < b->cluster_count; c++)
        order[starts[size_of(&b->clusters[c])]++] = c;
    return order;
}

static enum outcome value_cluster(const struct builder *b, const struct cluster *from, unsigned shortcuts,
                                  uint64_t *states_left, struct arena *arena, struct work *work,
                                  struct mine_tally *tally, bool *ret_known, uint32_t *ret_nimber) {
    struct mine_cluster cluster = {
        .vertices = from->vertices,
        .edges = from->edges,
        .loop = b->gathered_loops + from->vertex_start,
        .edge = b->gathered_edges + from->edge_start,
    };
    struct arena_mark mark = arena_mark(arena);
    enum outcome outcome =
        mine_cluster_link(&cluster, arena)
            ? mine_cluster_nimber(&cluster, shortcuts, states_left, arena, work, tally, ret_known, ret_nimber)
            : NO_MEMORY;
    arena_rewind(arena, mark);
    return outcome;
}

enum outcome mine_graph_nimber(const struct mine_graph *graph, unsigned shortcuts, uint64_t max_states,
                               struct arena *arena, struct work *work, struct mine_tally *tally,
                               struct mine_nimber *ret_nimber) {
    struct mine_tally unused = {0};
    struct builder b = {.vertices = graph->vertices, .loop = graph->loop};
    if (tally == NULL)
        tally = &unused;
    if (!work_charge(work, 5 + 2 * (uint64_t)graph->vertices + 4 * (uint64_t)graph->edge_count))
        return OUT_OF_WORK;
    if (!normalise(&b, graph, arena) || !allocate(&b, arena))
        return NO_MEMORY;
    struct mine_nimber nimber = {.known = true, .nimber = find_clusters(&b, shortcuts, tally), .first = UINT32_MAX};
    gather(&b);
    uint32_t *order = order_by_size(&b, arena);
    if (order == NULL)
        return NO_MEMORY;
    for (uint32_t k = 0; k < b.cluster_count; k++) {
        const struct cluster *cluster = &b.clusters[order[k]];
        uint32_t value;
        bool known;
        enum outcome outcome = value_cluster(&b, cluster, shortcuts, &max_states, arena, work, tally, &known, &value);
        if (outcome != DONE)
            return outcome;
        if (known) {
            nimber.nimber ^= value;
            continue;
        }
        nimber.known = false;
        if (cluster->first < nimber.first) {
            nimber.first = cluster->first;
            nimber.cluster_vertices = cluster->vertices;
            nimber.cluster_numbers = cluster->edges + cluster->loops;
        }
    }
    *ret_nimber = nimber;
    return DONE;
}
