/* Turns a list of edges into clusters, and clusters into a nimber or, if that takes too many states, into the winner.
 *
 * Two counting sorts (linear, without recursion) sort the edges, so that equal ones are adjacent and cancel in pairs. A
 * union-find structure finds the connected clusters. Most of them are single vertices, whose values are added up. The
 * others are searched, smallest first. When only one is left, the winner depends on a single question about it: is its
 * value the xor of all the others? That question can have an answer even if the value itself cannot be found. */
#include "mine/graph.h"

#include "base/assert.h"
#include "mine/part.h"
#include "mine/search.h"

#include <string.h>

enum {
    NO_CLUSTER = UINT32_MAX,    /* a vertex without edges */
    NO_NUMBER = UINT32_MAX - 1, /* a cluster without a number yet */
    FIRST_SLICE = 1024,         /* states for each question in the first round */
};

/* A connected cluster of at least two vertices, as found in the whole graph. */
struct found_cluster {
    uint32_t first; /* its smallest vertex */
    uint32_t vertices, edges, loops;
    uint32_t vertex_start, edge_start; /* where its vertices and edges are in the gathered arrays */
    uint32_t edges_gathered;           /* how many of its edges have been gathered so far */
};

/* The state while a list of edges is split into clusters. */
struct builder {
    uint32_t vertices, edge_count;
    const bool *loop;
    struct mine_edge *edges; /* sorted by a, then b, with a < b; all different */
    bool *present;        /* [edge_count] whether the number of equal edges is odd; NULL if only such edges were kept */
    uint32_t *parent;     /* union-find; a root is the smallest vertex of its set */
    uint32_t *cluster_of; /* for a root: its number in `clusters`, NO_CLUSTER or NO_NUMBER */
    uint32_t *number;     /* for a vertex: its number within its cluster */
    struct found_cluster *clusters;
    uint32_t cluster_count;
    bool *gathered_loops;             /* by vertex_start */
    uint32_t *gathered_vertices;      /* by vertex_start: the vertex */
    struct mine_edge *gathered_edges; /* by edge_start: with the cluster's own vertex numbers */
    bool *gathered_present;           /* by edge_start */
    uint32_t *gathered_numbers;       /* by edge_start: the edge's number */
};

/* Find the smallest vertex that is connected to `v`, and compress the path to it. */
static uint32_t find_root(uint32_t *parent, uint32_t v) {
    while (parent[v] != v) {
        ASSERT(parent[v] < v); /* so the loop ends */
        parent[v] = parent[parent[v]];
        v = parent[v];
    }
    return v;
}

/* Sort `from` into `to` by one end of the edges, with a stable counting sort. */
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

static bool are_equal(struct mine_edge x, struct mine_edge y) { return x.a == y.a && x.b == y.b; }

/* Sort the edges, and cancel equal ones in pairs. With `keep`, one edge of each kind stays, and `present` says whether
 * an edge of that kind is left over. */
static bool normalise(struct builder *b, const struct mine_graph *graph, bool keep, struct arena *arena) {
    struct mine_edge *unsorted = arena_array(arena, graph->edge_count, sizeof *unsorted);
    struct mine_edge *half = arena_array(arena, graph->edge_count, sizeof *half);
    uint32_t *starts = arena_array(arena, (size_t)b->vertices + 1, sizeof *starts);
    b->present = keep ? arena_array(arena, graph->edge_count, sizeof *b->present) : NULL;
    if (unsorted == NULL || half == NULL || starts == NULL || (keep && b->present == NULL))
        return false;
    for (uint32_t e = 0; e < graph->edge_count; e++) {
        struct mine_edge edge = graph->edges[e];
        ASSERT(edge.a != edge.b && edge.a < graph->vertices && edge.b < graph->vertices);
        unsorted[e] = edge.a < edge.b ? edge : (struct mine_edge){edge.b, edge.a};
    }
    sort_by(unsorted, half, graph->edge_count, false, starts, b->vertices);
    sort_by(half, unsorted, graph->edge_count, true, starts, b->vertices);
    b->edges = unsorted;
    b->edge_count = 0;
    for (uint32_t e = 0, next; e < graph->edge_count; e = next) {
        for (next = e + 1; next < graph->edge_count && are_equal(unsorted[next], unsorted[e]);)
            next++;
        bool odd = (next - e) % 2 != 0;
        if (keep)
            b->present[b->edge_count] = odd;
        if (keep || odd)
            b->edges[b->edge_count++] = unsorted[e];
    }
    return true;
}

static bool allocate(struct builder *b, struct arena *arena) {
    b->parent = arena_array(arena, b->vertices, sizeof *b->parent);
    b->cluster_of = arena_array(arena, b->vertices, sizeof *b->cluster_of);
    b->number = arena_array(arena, b->vertices, sizeof *b->number);
    /* Every cluster has at least one edge, so there are at most edge_count clusters. */
    b->clusters = arena_calloc(arena, b->edge_count, sizeof *b->clusters);
    b->gathered_loops = arena_array(arena, b->vertices, sizeof *b->gathered_loops);
    b->gathered_vertices = arena_array(arena, b->vertices, sizeof *b->gathered_vertices);
    b->gathered_edges = arena_array(arena, b->edge_count, sizeof *b->gathered_edges);
    b->gathered_present = arena_array(arena, b->edge_count, sizeof *b->gathered_present);
    b->gathered_numbers = arena_array(arena, b->edge_count, sizeof *b->gathered_numbers);
    return b->parent && b->cluster_of && b->number && b->clusters && b->gathered_loops && b->gathered_vertices &&
           b->gathered_edges && b->gathered_present && b->gathered_numbers;
}

/* Get the value of a vertex without edges. */
static uint32_t single_value(const struct builder *b, uint32_t vertex) { return mine_vertex_value(b->loop[vertex]); }

static bool is_single(const struct builder *b, uint32_t vertex) {
    return b->cluster_of[find_root(b->parent, vertex)] == NO_CLUSTER;
}

/* Connect the vertices by the edges, number the clusters in the order of their first vertices, and number the vertices
 * within each cluster. */
static void find_clusters(struct builder *b) {
    for (uint32_t v = 0; v < b->vertices; v++)
        b->parent[v] = v;
    for (uint32_t e = 0; e < b->edge_count; e++) {
        uint32_t x = find_root(b->parent, b->edges[e].a), y = find_root(b->parent, b->edges[e].b);
        b->parent[x > y ? x : y] = x < y ? x : y;
    }
    for (uint32_t v = 0; v < b->vertices; v++)
        b->cluster_of[v] = NO_CLUSTER;
    for (uint32_t e = 0; e < b->edge_count; e++)
        b->cluster_of[find_root(b->parent, b->edges[e].a)] = NO_NUMBER;
    for (uint32_t v = 0; v < b->vertices; v++) {
        uint32_t root = find_root(b->parent, v);
        if (b->cluster_of[root] == NO_CLUSTER)
            continue;
        if (root == v) {
            b->cluster_of[v] = b->cluster_count;
            b->clusters[b->cluster_count++].first = v;
        }
        struct found_cluster *cluster = &b->clusters[b->cluster_of[root]];
        b->number[v] = cluster->vertices++;
        cluster->loops += b->loop[v];
    }
}

/* Copy the vertices and edges of each cluster to consecutive places. */
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
        if (c == NO_CLUSTER)
            continue;
        b->gathered_loops[b->clusters[c].vertex_start + b->number[v]] = b->loop[v];
        b->gathered_vertices[b->clusters[c].vertex_start + b->number[v]] = v;
    }
    for (uint32_t e = 0; e < b->edge_count; e++) {
        struct found_cluster *cluster = &b->clusters[b->cluster_of[find_root(b->parent, b->edges[e].a)]];
        uint32_t at = cluster->edge_start + cluster->edges_gathered++;
        b->gathered_edges[at] = (struct mine_edge){b->number[b->edges[e].a], b->number[b->edges[e].b]};
        b->gathered_present[at] = b->present == NULL || b->present[e];
        b->gathered_numbers[at] = e;
    }
}

/* Count the pieces of a cluster. */
static uint32_t count_pieces(const struct found_cluster *cluster) {
    return cluster->vertices + cluster->edges + cluster->loops;
}

/* Sort the clusters' numbers by size, smallest first, then by first vertex, with a counting sort. Returns NULL if
 * memory is exhausted. */
static uint32_t *order_by_size(const struct builder *b, struct arena *arena) {
    uint32_t largest = 0;
    for (uint32_t c = 0; c < b->cluster_count; c++)
        if (count_pieces(&b->clusters[c]) > largest)
            largest = count_pieces(&b->clusters[c]);
    uint32_t *order = arena_array(arena, b->cluster_count, sizeof *order);
    uint32_t *starts = arena_calloc(arena, (size_t)largest + 2, sizeof *starts);
    if (order == NULL || starts == NULL)
        return NULL;
    for (uint32_t c = 0; c < b->cluster_count; c++)
        starts[count_pieces(&b->clusters[c]) + 1]++;
    for (uint32_t size = 1; size <= largest; size++)
        starts[size] += starts[size - 1];
    for (uint32_t c = 0; c < b->cluster_count; c++)
        order[starts[count_pieces(&b->clusters[c])]++] = c;
    return order;
}

/* Get a cluster from the gathered arrays, not linked yet. */
static struct mine_cluster cluster_at(const struct builder *b, const struct found_cluster *from) {
    return (struct mine_cluster){
        .vertices = from->vertices,
        .edges = from->edges,
        .loop = b->gathered_loops + from->vertex_start,
        .edge = b->gathered_edges + from->edge_start,
        .present = b->gathered_present + from->edge_start,
    };
}

/* Create a search that has space for the largest of the clusters. Returns NULL if memory is exhausted. */
static struct mine_search *search_for(const struct builder *b, unsigned shortcuts, struct arena *arena,
                                      struct work *work) {
    uint32_t vertices = 0, edges = 0;
    for (uint32_t c = 0; c < b->cluster_count; c++) {
        vertices = b->clusters[c].vertices > vertices ? b->clusters[c].vertices : vertices;
        edges = b->clusters[c].edges > edges ? b->clusters[c].edges : edges;
    }
    return mine_search_new(vertices, edges, shortcuts, arena, work);
}

/* Sort, connect and gather a graph. With `keep`, edges that have cancelled are kept and marked as not present. */
static enum outcome build(struct builder *b, const struct mine_graph *graph, bool keep, struct arena *arena,
                          struct work *work) {
    *b = (struct builder){.vertices = graph->vertices, .loop = graph->loop};
    if (!work_charge(work, 5 + 2 * (uint64_t)graph->vertices + 4 * (uint64_t)graph->edge_count))
        return work_failure(work);
    if (!normalise(b, graph, keep, arena) || !allocate(b, arena))
        return OUTCOME_NO_MEMORY;
    find_clusters(b);
    gather(b);
    return OUTCOME_DONE;
}

/* The state while a graph's clusters are valued. */
struct valuation {
    const struct builder *b;
    struct mine_search *search;
    uint64_t *states_left;
    uint32_t known_value; /* the xor of all known values, and of the value of whatever is played beside the graph */
    uint32_t *unsolved;   /* the numbers of the other clusters, smallest first */
    uint32_t unsolved_count;
    bool won;   /* only one cluster is left, and its value is known to differ from known_value */
    bool spent; /* a question used up all remaining states without an answer */
    enum mine_aim aim;
    uint32_t *values; /* by a cluster's first vertex: its value, if it is known; may be NULL */
};

/* Record the value of cluster `c`. */
static void know(struct valuation *v, uint32_t c, uint32_t value) {
    v->known_value ^= value;
    if (v->values != NULL)
        v->values[v->b->clusters[c].first] = value;
}

/* Search for a cluster's value or, given a `goal`, find out whether it has that value, with at most `slice` of the
 * remaining states; see mine_search_solve. */
static enum outcome search_cluster(struct valuation *v, uint32_t c, uint32_t goal, uint64_t slice,
                                   uint32_t *ret_value) {
    struct mine_cluster cluster = cluster_at(v->b, &v->b->clusters[c]);
    uint64_t given = slice < *v->states_left ? slice : *v->states_left, left = given;
    mine_search_open(v->search, &cluster);
    enum outcome outcome = mine_search_solve(v->search, NULL, goal, &left, ret_value);
    v->spent |= outcome == OUTCOME_TOO_LARGE && given == *v->states_left;
    *v->states_left -= given - left;
    return outcome;
}

/* Search for the value of each unsolved cluster, smallest first. */
static enum outcome search_values(struct valuation *v, uint64_t slice) {
    uint32_t kept = 0;
    for (uint32_t k = 0; k < v->unsolved_count; k++) {
        uint32_t c = v->unsolved[k], value;
        enum outcome outcome = search_cluster(v, c, MINE_UNKNOWN, slice, &value);
        if (outcome == OUTCOME_TOO_LARGE) {
            v->unsolved[kept++] = c;
            continue;
        }
        if (outcome != OUTCOME_DONE)
            return outcome;
        know(v, c, value);
    }
    v->unsolved_count = kept;
    return OUTCOME_DONE;
}

/* Determine whether the only unsolved cluster has the same value as everything else. If so, everything together is
 * worth 0; otherwise the first player wins. */
static enum outcome search_winner(struct valuation *v, uint64_t slice) {
    uint32_t value;
    enum outcome outcome = search_cluster(v, v->unsolved[0], v->known_value, slice, &value);
    if (outcome != OUTCOME_DONE)
        return outcome == OUTCOME_TOO_LARGE ? OUTCOME_DONE : outcome;
    v->won = value != v->known_value;
    if (!v->won) {
        v->unsolved_count = 0;
        know(v, v->unsolved[0], value);
    }
    return OUTCOME_DONE;
}

/* Solve the clusters in rounds. In each round, every question may use twice as many states as in the round before, and
 * search results are kept. The last cluster left is therefore the hardest one. Both questions are asked about it,
 * because either can be much harder than the other. The order of the work does not depend on the limit on states, so
 * whatever is known with some limit stays known with a larger one. */
static enum outcome solve_clusters(struct valuation *v) {
    enum outcome outcome = OUTCOME_DONE;
    bool ended = false;
    for (uint64_t slice = FIRST_SLICE; outcome == OUTCOME_DONE && !ended; slice *= 2) {
        outcome = search_values(v, slice);
        if (outcome == OUTCOME_DONE && v->unsolved_count == 1 && !v->won)
            outcome = search_winner(v, slice);
        ended = v->unsolved_count == 0 || v->spent || (v->won && v->aim == MINE_WINNER);
    }
    return outcome;
}

/* Value the vertices without edges. */
static void value_singles(struct valuation *v) {
    for (uint32_t n = 0; n < v->b->vertices; n++) {
        if (!is_single(v->b, n))
            continue;
        v->known_value ^= single_value(v->b, n);
        if (v->values != NULL)
            v->values[n] = single_value(v->b, n);
    }
}

/* Describe the result. Of the unsolved clusters, the one with the smallest vertex is named. */
static struct mine_nimber nimber_of(const struct valuation *v) {
    struct mine_nimber nimber = {
        .known = v->unsolved_count == 0, .won = v->won, .nimber = v->known_value, .first = UINT32_MAX};
    for (uint32_t k = 0; k < v->unsolved_count; k++) {
        const struct found_cluster *cluster = &v->b->clusters[v->unsolved[k]];
        if (cluster->first < nimber.first) {
            nimber.first = cluster->first;
            nimber.cluster_vertices = cluster->vertices;
            nimber.cluster_numbers = cluster->edges + cluster->loops;
        }
    }
    return nimber;
}

/* Get the cluster whose first vertex is `first`. */
static struct mine_valued_cluster valued_cluster(const struct valuation *v, uint32_t first) {
    struct mine_valued_cluster item = {
        .first = first, .known = v->values[first] != MINE_UNKNOWN, .nimber = v->values[first]};
    if (is_single(v->b, first)) {
        item.vertices = 1;
        item.numbers = v->b->loop[first];
    } else {
        const struct found_cluster *cluster = &v->b->clusters[v->b->cluster_of[first]];
        item.vertices = cluster->vertices;
        item.numbers = cluster->edges + cluster->loops;
    }
    return item;
}

/* List at most `max` clusters. */
static enum outcome list_clusters(struct valuation *v, uint32_t max, struct arena *arena, struct work *work,
                                  struct mine_clusters *ret_clusters) {
    struct mine_clusters list = {.total = 0};
    if (!work_charge(work, 5 + v->b->vertices))
        return work_failure(work);
    if ((list.items = arena_array(arena, v->b->vertices < max ? v->b->vertices : max, sizeof *list.items)) == NULL)
        return OUTCOME_NO_MEMORY;
    for (uint32_t k = 0; k < v->unsolved_count; k++)
        v->values[v->b->clusters[v->unsolved[k]].first] = MINE_UNKNOWN;
    for (uint32_t n = 0; n < v->b->vertices; n++) {
        if (find_root(v->b->parent, n) != n)
            continue;
        if (list.count < max)
            list.items[list.count++] = valued_cluster(v, n);
        list.total++;
    }
    *ret_clusters = list;
    return OUTCOME_DONE;
}

/* Find the nimber of a graph together with whatever is played beside it. *v contains the states, the question, and
 * space for values (or NULL). If `search` is NULL, a search is created. If *clusters is wanted, at most `max` are
 * listed. */
static enum outcome value_graph(const struct mine_graph *graph, unsigned shortcuts, struct valuation *v, uint32_t max,
                                struct arena *arena, struct work *work, struct mine_nimber *ret_nimber,
                                struct mine_clusters *ret_clusters) {
    struct builder b;
    enum outcome outcome = build(&b, graph, false, arena, work);
    if (outcome != OUTCOME_DONE)
        return outcome;
    v->b = &b; /* cppcheck-suppress autoVariables; it is only used by functions called from here */
    v->known_value = graph->other_value;
    v->unsolved = order_by_size(&b, arena);
    v->unsolved_count = b.cluster_count;
    if (v->search == NULL && b.cluster_count != 0)
        v->search = search_for(&b, shortcuts, arena, work);
    if ((v->search == NULL && b.cluster_count != 0) || v->unsolved == NULL)
        return OUTCOME_NO_MEMORY;
    value_singles(v);
    outcome = solve_clusters(v);
    if (outcome == OUTCOME_DONE)
        *ret_nimber = nimber_of(v);
    if (outcome == OUTCOME_DONE && ret_clusters != NULL)
        outcome = list_clusters(v, max, arena, work, ret_clusters);
    return outcome;
}

enum outcome mine_graph_value(const struct mine_graph *graph, enum mine_aim aim, unsigned shortcuts,
                              uint64_t max_states, struct arena *arena, struct work *work,
                              struct mine_nimber *ret_nimber) {
    struct valuation v = {.states_left = &max_states, .aim = aim};
    return value_graph(graph, shortcuts, &v, 0, arena, work, ret_nimber, NULL);
}

/* Find out whether a move leaves the search's cluster worth `target`. */
static enum outcome move_wins(struct mine_search *search, enum mine_change change, uint32_t which, uint32_t target,
                              uint64_t *states_left, bool *ret_wins) {
    uint32_t value;
    enum outcome outcome = mine_search_solve(search, &(struct mine_move){change, which}, target, states_left, &value);
    if (outcome == OUTCOME_DONE)
        *ret_wins = value == target;
    return outcome;
}

/* Mark the winning moves in one cluster, including those on cancelled edges: the moves that leave it worth `target`.
 * The questions are about the cluster before mirrors are cancelled, because cancelling preserves the value, but not the
 * moves. Returns OUTCOME_TOO_LARGE if there were not enough states for all of them. */
static enum outcome mark_cluster(const struct builder *b, const struct mine_graph *graph,
                                 const struct found_cluster *from, uint32_t target, struct mine_search *search,
                                 uint64_t *states_left, const struct mine_wins *wins) {
    struct mine_cluster cluster = cluster_at(b, from);
    enum outcome outcome = OUTCOME_DONE;
    mine_search_open(search, &cluster);
    for (uint32_t n = 0; outcome == OUTCOME_DONE && n < cluster.vertices; n++) {
        uint32_t vertex = b->gathered_vertices[from->vertex_start + n];
        outcome = move_wins(search, MINE_TAKE_VERTEX, n, target, states_left, &wins->vertex[vertex]);
        if (outcome == OUTCOME_DONE && graph->any_loop[vertex])
            outcome = move_wins(search, MINE_TOGGLE_LOOP, n, target, states_left, &wins->loop[vertex]);
    }
    for (uint32_t n = 0; outcome == OUTCOME_DONE && n < cluster.edges; n++)
        outcome = move_wins(search, MINE_TOGGLE_EDGE, n, target, states_left,
                            &wins->edge[b->gathered_numbers[from->edge_start + n]]);
    return outcome;
}

/* Mark the winning moves on vertices without edges. Everything else together is worth `total` xor the value of such a
 * vertex. */
static void mark_singles(struct builder *b, const struct mine_graph *graph, uint32_t total,
                         const struct mine_wins *wins) {
    for (uint32_t v = 0; v < b->vertices; v++) {
        if (!is_single(b, v))
            continue;
        wins->vertex[v] = total == single_value(b, v);
        /* Taking a loop turns an odd number of loops into an even one and vice versa, so the value 2 becomes 1, and 1
         * becomes 2. */
        wins->loop[v] = graph->any_loop[v] && (total ^ single_value(b, v)) == 3 - single_value(b, v);
    }
}

/* Mark the moves that leave a value of 0. The graph, together with whatever is played beside it, is worth `total`. `b`
 * was built with cancelled edges; values[v] is the value of the cluster, built without them, whose first vertex is
 * v. */
static enum outcome mark_wins(struct builder *b, const struct mine_graph *graph, uint32_t total, const uint32_t *values,
                              struct mine_search *search, uint64_t *states_left, struct arena *arena,
                              struct mine_wins *ret_wins) {
    struct mine_wins wins = {
        .vertex = arena_calloc(arena, b->vertices, sizeof *wins.vertex),
        .loop = arena_calloc(arena, b->vertices, sizeof *wins.loop),
        .edge_ends = b->edges,
        .edge = arena_calloc(arena, b->edge_count, sizeof *wins.edge),
        .edge_count = b->edge_count,
    };
    uint32_t *order = order_by_size(b, arena);
    if (wins.vertex == NULL || wins.loop == NULL || wins.edge == NULL || order == NULL)
        return OUTCOME_NO_MEMORY;
    enum outcome outcome = OUTCOME_DONE;
    if (total != 0)
        mark_singles(b, graph, total, &wins);
    for (uint32_t k = 0; total != 0 && outcome == OUTCOME_DONE && k < b->cluster_count; k++) {
        const struct found_cluster *cluster = &b->clusters[order[k]];
        uint32_t value = 0; /* of this cluster: the xor of the values of its parts without cancelled edges */
        for (uint32_t n = 0; n < cluster->vertices; n++)
            value ^= values[b->gathered_vertices[cluster->vertex_start + n]];
        outcome = mark_cluster(b, graph, cluster, total ^ value, search, states_left, &wins);
    }
    if (outcome != OUTCOME_DONE && outcome != OUTCOME_TOO_LARGE)
        return outcome;
    wins.known = outcome == OUTCOME_DONE;
    *ret_wins = wins;
    return OUTCOME_DONE;
}

enum outcome mine_graph_value_with_lists(const struct mine_graph *graph, uint64_t max_states, uint32_t max,
                                         struct arena *arena, struct work *work, struct mine_nimber *ret_nimber,
                                         struct mine_wins *ret_wins, struct mine_clusters *ret_clusters) {
    struct mine_nimber nimber;
    struct builder b = {0};
    enum outcome outcome = ret_wins != NULL ? build(&b, graph, true, arena, work) : OUTCOME_DONE;
    if (outcome != OUTCOME_DONE)
        return outcome;
    /* Clusters without cancelled edges are no larger, so one search serves both. */
    struct mine_search *search = b.cluster_count != 0 ? search_for(&b, MINE_ALL_SHORTCUTS, arena, work) : NULL;
    uint32_t *values = arena_calloc(arena, graph->vertices, sizeof *values);
    if ((search == NULL && b.cluster_count != 0) || values == NULL)
        return OUTCOME_NO_MEMORY;
    struct valuation v = {.search = search, .states_left = &max_states, .aim = MINE_NIMBER, .values = values};
    outcome = value_graph(graph, MINE_ALL_SHORTCUTS, &v, max, arena, work, &nimber, ret_clusters);
    if (outcome == OUTCOME_DONE && ret_wins != NULL) {
        *ret_wins = (struct mine_wins){.known = false};
        if (nimber.known)
            outcome = mark_wins(&b, graph, nimber.nimber, values, search, &max_states, arena, ret_wins);
    }
    if (outcome == OUTCOME_DONE)
        *ret_nimber = nimber;
    return outcome;
}
