/* The nimber of the deletion game, compared with plain mex on every small graph with every set of shortcuts, and on
 * larger random graphs. Also tests results with a limit on states. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "mine/graph.h"
#include "reference/graph.h"
#include "reference/random.h"
#include "reference/scale.h"

#include <stdio.h>
#include <string.h>

enum { MAX_VERTICES = 40, MAX_EDGES = 400 };

#define NO_LIMIT UINT64_MAX

/* A graph in two forms: the model counts the loops on each vertex, the program stores only their parity. */
struct graph {
    unsigned vertices, edge_count;
    unsigned loops[MAX_VERTICES];
    bool odd_loops[MAX_VERTICES];
    struct mine_edge edges[MAX_EDGES];
    struct reference_edge model_edges[MAX_EDGES];
};

static void add_edge(struct graph *graph, unsigned a, unsigned b) {
    graph->edges[graph->edge_count] = (struct mine_edge){a, b};
    graph->model_edges[graph->edge_count] = (struct reference_edge){a, b};
    graph->edge_count++;
}

static void add_loop(struct graph *graph, unsigned vertex) {
    graph->loops[vertex]++;
    graph->odd_loops[vertex] = graph->loops[vertex] % 2 != 0;
}

/* Make a graph from text: "01 12 20 33" has the edges 0-1, 1-2, 2-0 and a loop on 3. */
static struct graph draw(unsigned vertices, const char *pairs) {
    struct graph graph = {.vertices = vertices};
    while (*pairs != '\0') {
        unsigned a = (unsigned)(pairs[0] - '0'), b = (unsigned)(pairs[1] - '0');
        if (a == b)
            add_loop(&graph, a);
        else
            add_edge(&graph, a, b);
        pairs += pairs[2] == ' ' ? 3 : 2;
    }
    return graph;
}

static void print_graph(const struct graph *graph) {
    print_error("a graph of %u vertices:", graph->vertices);
    for (unsigned i = 0; i < graph->edge_count; i++)
        print_error(" %u-%u", graph->edges[i].a, graph->edges[i].b);
    for (unsigned v = 0; v < graph->vertices; v++) {
        if (graph->loops[v] > 0)
            print_error(" %ux(%u)", graph->loops[v], v);
    }
    print_error("\n");
}

static unsigned model_nimber(const struct graph *graph) {
    struct reference_graph model = {graph->vertices, graph->loops, graph->model_edges, graph->edge_count};
    return reference_graph_nimber(&model);
}

static uint64_t model_positions(const struct graph *graph) {
    struct reference_graph model = {graph->vertices, graph->loops, graph->model_edges, graph->edge_count};
    return reference_graph_positions(&model);
}

static enum outcome try_to_solve(const struct graph *graph, unsigned shortcuts, uint64_t max_states,
                                 struct arena *arena, struct work *work, struct mine_nimber *ret_nimber) {
    struct mine_graph program = {graph->vertices, graph->odd_loops, graph->edges, graph->edge_count, .any_loop = NULL};
    return mine_graph_value(&program, MINE_NIMBER, shortcuts, max_states, arena, work, ret_nimber);
}

/* Solve the graph. Adds the number of states to *states, which can be NULL. */
static struct mine_nimber solve(const struct graph *graph, unsigned shortcuts, uint64_t max_states, struct arena *arena,
                                uint64_t *states) {
    struct work work = {.left = WORK_UNBOUNDED};
    struct mine_nimber nimber = {0};
    arena_reset(arena);
    if (try_to_solve(graph, shortcuts, max_states, arena, &work, &nimber) != OUTCOME_DONE) {
        print_graph(graph);
        fail_msg("not solved, with work and memory without bounds");
    }
    if (states != NULL)
        *states += work.statistics.states;
    return nimber;
}

static void expect(const struct graph *graph, unsigned shortcuts, unsigned right, struct arena *arena,
                   uint64_t *states) {
    struct mine_nimber nimber = solve(graph, shortcuts, NO_LIMIT, arena, states);
    if (nimber.known && nimber.nimber == right)
        return;
    print_graph(graph);
    if (!nimber.known)
        fail_msg("with shortcuts %u it is unknown, without a limit", shortcuts);
    fail_msg("with shortcuts %u the nimber is %u, right is %u", shortcuts, nimber.nimber, right);
}

static void expect_drawn(unsigned vertices, const char *pairs, unsigned right) {
    struct arena arena;
    arena_init(&arena, ARENA_NO_CAP);
    struct graph graph = draw(vertices, pairs);
    assert_int_equal(model_nimber(&graph), right);
    for (unsigned shortcuts = 0; shortcuts <= MINE_ALL_SHORTCUTS; shortcuts++)
        expect(&graph, shortcuts, right, &arena, NULL);
    arena_clear(&arena);
}

/*
 * The number of states that the solver visits with all shortcuts. These numbers come from the solver, not from the
 * model. Update them after an intended change to the search; any other change can mean that a rule is no longer
 * applied.
 */
static const uint64_t pinned_states_of_small_graphs = 598850, pinned_quick_states_of_small_graphs = 4778,
                      pinned_states_of_random_graphs = 3773, pinned_quick_states_of_random_graphs = 71;

/* Get graph number `code` with this many vertices: its bits say which pairs are joined, then which vertices have a
 * loop. */
static struct graph small_graph(unsigned vertices, unsigned code) {
    struct graph graph = {.vertices = vertices};
    for (unsigned a = 0; a < vertices; a++) {
        for (unsigned b = a + 1; b < vertices; b++, code >>= 1) {
            if (code & 1)
                add_edge(&graph, a, b);
        }
    }
    for (unsigned v = 0; v < vertices; v++, code >>= 1) {
        if (code & 1)
            add_loop(&graph, v);
    }
    return graph;
}

/* Get the number of the same graph with its vertices renumbered: vertex v becomes to[v]. */
static unsigned renumbered(unsigned vertices, unsigned code, const unsigned *to) {
    unsigned pair_bit[5][5], bit = 0;
    for (unsigned a = 0; a < vertices; a++) {
        for (unsigned b = a + 1; b < vertices; b++, bit++)
            pair_bit[a][b] = pair_bit[b][a] = bit;
    }
    for (unsigned v = 0; v < vertices; v++, bit++)
        pair_bit[v][v] = bit;
    unsigned result = 0;
    for (unsigned a = 0; a < vertices; a++) {
        for (unsigned b = a; b < vertices; b++)
            result |= (code >> pair_bit[a][b] & 1) << pair_bit[to[a]][to[b]];
    }
    return result;
}

enum { UNSET = 255, MAX_SMALL_GRAPHS = 1 << 15 };

/* Store the nimber of a graph for all numberings of its vertices. */
static void set_nimber_of_kind(unsigned vertices, unsigned code, unsigned nimber, unsigned char *nimbers) {
    unsigned to[5];
    for (unsigned order = 0; order < 5 * 5 * 5 * 5 * 5; order++) {
        unsigned digits = order, used = 0;
        for (unsigned v = 0; v < vertices; v++, digits /= 5) {
            to[v] = digits % 5;
            used |= 1u << to[v];
        }
        if (used == (1u << vertices) - 1 && digits == 0)
            nimbers[renumbered(vertices, code, to)] = (unsigned char)nimber;
    }
}

/* All shortcuts together are tested on every graph with every numbering of its vertices. The other 15 sets of shortcuts
 * search much more, so graphs with five vertices are tested in only one numbering. The model values one graph of each
 * isomorphism class, the one with the smallest code. */
static void every_graph_on_at_most_five_vertices_agrees_with_plain_mex(void **state) {
    (void)state;
    static unsigned char nimbers[MAX_SMALL_GRAPHS];
    unsigned max_vertices = reference_scale_is_quick() ? 4 : 5;
    unsigned graphs = 0, kinds = 0;
    uint64_t states = 0;
    struct arena arena;
    arena_init(&arena, ARENA_NO_CAP);
    for (unsigned vertices = 0; vertices <= max_vertices; vertices++) {
        memset(nimbers, UNSET, sizeof(nimbers));
        for (unsigned code = 0; code < 1u << (vertices * (vertices + 1) / 2); code++) {
            struct graph graph = small_graph(vertices, code);
            bool is_first = nimbers[code] == UNSET;
            if (is_first)
                set_nimber_of_kind(vertices, code, model_nimber(&graph), nimbers);
            unsigned right = nimbers[code];
            expect(&graph, MINE_ALL_SHORTCUTS, right, &arena, &states);
            graphs++;
            kinds += is_first;
            for (unsigned shortcuts = 0; shortcuts < MINE_ALL_SHORTCUTS && (vertices < 5 || is_first); shortcuts++)
                expect(&graph, shortcuts, right, &arena, NULL);
        }
    }
    arena_clear(&arena);
    print_message("%u graphs of %u kinds\n", graphs, kinds);
    /* The numbers of graphs with loops up to isomorphism: 1, 2, 6, 20, 90, 544 (OEIS A000666). */
    assert_int_equal(graphs, reference_scale_is_quick() ? 1 + 2 + 8 + 64 + 1024 : 1 + 2 + 8 + 64 + 1024 + 32768);
    assert_int_equal(kinds, reference_scale_is_quick() ? 1 + 2 + 6 + 20 + 90 : 1 + 2 + 6 + 20 + 90 + 544);
    assert_int_equal(states,
                     reference_scale_is_quick() ? pinned_quick_states_of_small_graphs : pinned_states_of_small_graphs);
}

/* Make a graph of random edges and loops, some of them repeated, that plain mex can still handle. */
static struct graph random_graph(struct reference_random *random, unsigned max_vertices, uint64_t max_positions) {
    struct graph graph = {.vertices = 2 + reference_random_below(random, max_vertices - 1)};
    unsigned numbers = reference_random_below(random, graph.vertices * 3 + 1);
    for (unsigned i = 0; i < numbers; i++) {
        struct graph larger = graph;
        unsigned a = reference_random_below(random, graph.vertices);
        unsigned b = reference_random_below(random, graph.vertices);
        if (reference_random_chance(random, 30))
            b = a;
        /* Sometimes repeat an edge or a loop up to three times; edges alternate between both directions. */
        unsigned times = reference_random_chance(random, 15) ? 1 + reference_random_below(random, 3) : 1;
        for (unsigned k = 0; k < times; k++) {
            if (a == b)
                add_loop(&larger, a);
            else if (k % 2 == 0)
                add_edge(&larger, a, b);
            else
                add_edge(&larger, b, a);
        }
        if (model_positions(&larger) <= max_positions)
            graph = larger;
    }
    return graph;
}

static void random_graphs_with_repeated_edges_agree_with_plain_mex(void **state) {
    (void)state;
    unsigned graphs = reference_scale_is_quick() ? 100 : 1000;
    uint64_t max_positions = (uint64_t)1 << (reference_scale_is_quick() ? 12 : 19);
    struct reference_random random = {1709};
    uint64_t states = 0;
    struct arena arena;
    arena_init(&arena, ARENA_NO_CAP);
    for (unsigned i = 0; i < graphs; i++) {
        /* With fewer vertices, more edges and loops fit the limit. */
        unsigned max_vertices = 5 + i % 6;
        struct graph graph = random_graph(&random, max_vertices, max_positions);
        unsigned right = model_nimber(&graph);
        for (unsigned without = 0; without < 4; without++)
            expect(&graph, MINE_ALL_SHORTCUTS & ~(1u << without), right, &arena, NULL);
        expect(&graph, MINE_ALL_SHORTCUTS, right, &arena, &states);
    }
    arena_clear(&arena);
    assert_int_equal(states, reference_scale_is_quick() ? pinned_quick_states_of_random_graphs
                                                        : pinned_states_of_random_graphs);
}

/* Graphs with more vertices than a word has bits, made of small parts that plain mex can value. */
static void a_graph_of_many_small_parts_is_their_xor(void **state) {
    (void)state;
    enum { PARTS = 400, PART_VERTICES = 6, VERTICES = PARTS * PART_VERTICES };
    static unsigned place[VERTICES];
    static bool loop[VERTICES];
    static struct mine_edge edges[VERTICES * 4];
    struct reference_random random = {64};
    struct arena arena;
    arena_init(&arena, ARENA_NO_CAP);
    for (unsigned round = 0; round < (reference_scale_is_quick() ? 2u : 20u); round++) {
        for (unsigned v = 0; v < VERTICES; v++) {
            place[v] = v;
            loop[v] = false;
        }
        for (unsigned v = VERTICES - 1; v > 0; v--) {
            unsigned other = reference_random_below(&random, v + 1), kept = place[v];
            place[v] = place[other];
            place[other] = kept;
        }
        unsigned edge_count = 0, right = 0;
        for (unsigned part = 0; part < PARTS; part++) {
            struct graph graph = random_graph(&random, PART_VERTICES, (uint64_t)1 << 12);
            right ^= model_nimber(&graph);
            for (unsigned v = 0; v < graph.vertices; v++)
                loop[place[part * PART_VERTICES + v]] = graph.odd_loops[v];
            for (unsigned i = 0; i < graph.edge_count; i++) {
                edges[edge_count++] = (struct mine_edge){place[part * PART_VERTICES + graph.edges[i].a],
                                                         place[part * PART_VERTICES + graph.edges[i].b]};
            }
            /* Each of the remaining vertices is a part of its own. */
            right ^= (PART_VERTICES - graph.vertices) % 2;
        }
        struct mine_graph whole = {VERTICES, loop, edges, edge_count, .any_loop = NULL};
        struct work work = {.left = WORK_UNBOUNDED};
        struct mine_nimber nimber = {0};
        arena_reset(&arena);
        assert_int_equal(mine_graph_value(&whole, MINE_NIMBER, MINE_ALL_SHORTCUTS, NO_LIMIT, &arena, &work, &nimber),
                         OUTCOME_DONE);
        assert_true(nimber.known);
        assert_int_equal(nimber.nimber, right);
    }
    arena_clear(&arena);
}

static unsigned mex(const bool *reached) {
    unsigned value = 0;
    while (reached[value])
        value++;
    return value;
}

enum { LONGEST_ARM = 90, MAX_NIMBER = 1024 };

/* The values of paths by their number of vertices, and of paths with one loop by the number of vertices on each side of
 * it. */
static unsigned bare_path[2 * LONGEST_ARM + 2];
static unsigned looped_path[LONGEST_ARM + 1][LONGEST_ARM + 1];

static void value_bare_paths(void) {
    for (unsigned length = 0; length < 2 * LONGEST_ARM + 2; length++) {
        bool reached[MAX_NIMBER] = {false};
        for (unsigned left = 0; left < length; left++) {
            reached[bare_path[left] ^ bare_path[length - left - 1]] = true; /* deletes vertex `left` */
            if (left > 0)
                reached[bare_path[left] ^ bare_path[length - left]] = true; /* deletes the edge before that vertex */
        }
        bare_path[length] = mex(reached);
    }
}

static void value_looped_paths(void) {
    for (unsigned left = 0; left <= LONGEST_ARM; left++) {
        for (unsigned right = 0; right <= LONGEST_ARM; right++) {
            bool reached[MAX_NIMBER] = {false};
            reached[bare_path[left + 1 + right]] = true;        /* deletes the loop */
            reached[bare_path[left] ^ bare_path[right]] = true; /* deletes its vertex */
            for (unsigned kept = 0; kept < left; kept++) {
                reached[looped_path[kept][right] ^ bare_path[left - kept]] = true;     /* deletes an edge on the left */
                reached[looped_path[kept][right] ^ bare_path[left - kept - 1]] = true; /* deletes a vertex */
            }
            for (unsigned kept = 0; kept < right; kept++) {
                reached[looped_path[left][kept] ^ bare_path[right - kept]] = true;
                reached[looped_path[left][kept] ^ bare_path[right - kept - 1]] = true;
            }
            looped_path[left][right] = mex(reached);
        }
    }
}

/* These paths are too long for plain mex and for the bits of a word. But after any move, only paths remain, so a table
 * can hold all values. */
static void long_paths_with_one_loop_agree_with_a_table(void **state) {
    (void)state;
    value_bare_paths();
    value_looped_paths();
    /* The last few are no problem for the table, but a search would visit at least left * right positions. */
    static const unsigned arms[][2] = {{0, 0},  {1, 0},  {0, 5},  {3, 4},  {7, 7},  {10, 3}, {2, 61},  {0, 63},
                                       {64, 0}, {62, 1}, {1, 64}, {65, 3}, {0, 90}, {20, 9}, {12, 25}, {31, 33}};
    unsigned count = sizeof(arms) / sizeof(arms[0]) - (reference_scale_is_quick() ? 3 : 0);
    struct arena arena;
    arena_init(&arena, ARENA_NO_CAP);
    for (unsigned i = 0; i < count; i++) {
        unsigned left = arms[i][0], right = arms[i][1];
        bool loop[2 * LONGEST_ARM + 1] = {false};
        struct mine_edge edges[2 * LONGEST_ARM];
        loop[left] = true;
        for (unsigned v = 0; v < left + right; v++)
            edges[v] = (struct mine_edge){v, v + 1};
        struct mine_graph path = {left + 1 + right, loop, edges, left + right, .any_loop = NULL};
        struct work work = {.left = WORK_UNBOUNDED};
        struct mine_nimber nimber = {0};
        arena_reset(&arena);
        assert_int_equal(mine_graph_value(&path, MINE_NIMBER, MINE_ALL_SHORTCUTS, NO_LIMIT, &arena, &work, &nimber),
                         OUTCOME_DONE);
        if (!nimber.known || nimber.nimber != looped_path[left][right])
            fail_msg("a loop between %u and %u vertices: %u, right is %u", left, right, nimber.nimber,
                     looped_path[left][right]);
    }
    arena_clear(&arena);
}

/* A cluster that grows. Its vertices are shuffled at the end. */
struct cluster {
    unsigned vertices, edge_count;
    bool loop[4096];
    struct mine_edge edges[4096];
};

/* Attach `copies` copies of one random tree with loops to a vertex. */
static void attach_equal_branches(struct cluster *cluster, unsigned on, unsigned copies,
                                  struct reference_random *random) {
    unsigned size = 1 + reference_random_below(random, 12);
    unsigned parent[12];
    bool loop[12];
    for (unsigned v = 0; v < size; v++) {
        parent[v] = v > 0 ? reference_random_below(random, v) : 0;
        loop[v] = reference_random_chance(random, 40);
    }
    for (unsigned copy = 0; copy < copies; copy++) {
        unsigned root = cluster->vertices;
        for (unsigned v = 0; v < size; v++) {
            cluster->edges[cluster->edge_count++] = (struct mine_edge){v > 0 ? root + parent[v] : on, root + v};
            cluster->loop[cluster->vertices++] = loop[v];
        }
    }
}

static void shuffle_vertices(struct cluster *cluster, struct reference_random *random) {
    for (unsigned v = cluster->vertices - 1; v > 0; v--) {
        unsigned other = reference_random_below(random, v + 1);
        bool kept = cluster->loop[v];
        cluster->loop[v] = cluster->loop[other];
        cluster->loop[other] = kept;
        for (unsigned i = 0; i < cluster->edge_count; i++) {
            struct mine_edge *edge = &cluster->edges[i];
            edge->a = edge->a == v ? other : edge->a == other ? v : edge->a;
            edge->b = edge->b == v ? other : edge->b == other ? v : edge->b;
        }
    }
}

/* The second player can mirror every move in an equal branch, so an even number of equal branches does not change the
 * value. */
static void a_large_cluster_of_mirrored_branches_is_worth_its_core(void **state) {
    (void)state;
    unsigned clusters = reference_scale_is_quick() ? 10 : 200;
    struct reference_random random = {1101};
    struct arena arena;
    arena_init(&arena, ARENA_NO_CAP);
    for (unsigned i = 0; i < clusters; i++) {
        struct graph core = random_graph(&random, 5, (uint64_t)1 << 16);
        static struct cluster cluster;
        memset(&cluster, 0, sizeof(cluster));
        cluster.vertices = core.vertices;
        memcpy(cluster.loop, core.odd_loops, core.vertices * sizeof(cluster.loop[0]));
        for (unsigned e = 0; e < core.edge_count; e++)
            cluster.edges[cluster.edge_count++] = core.edges[e];
        for (unsigned branches = reference_random_below(&random, 25); branches > 0; branches--) {
            unsigned on = reference_random_below(&random, core.vertices);
            attach_equal_branches(&cluster, on, reference_random_chance(&random, 80) ? 2 : 4, &random);
        }
        shuffle_vertices(&cluster, &random);
        struct mine_graph graph = {cluster.vertices, cluster.loop, cluster.edges, cluster.edge_count, .any_loop = NULL};
        struct work work = {.left = WORK_UNBOUNDED};
        struct mine_nimber nimber = {0};
        arena_reset(&arena);
        assert_int_equal(mine_graph_value(&graph, MINE_NIMBER, MINE_ALL_SHORTCUTS, 100000, &arena, &work, &nimber),
                         OUTCOME_DONE);
        if (!nimber.known || nimber.nimber != model_nimber(&core)) {
            print_graph(&core);
            fail_msg("with %u vertices of mirrored branches on it: %s, %u; right is %u",
                     cluster.vertices - core.vertices, nimber.known ? "known" : "unknown", nimber.nimber,
                     model_nimber(&core));
        }
    }
    arena_clear(&arena);
}

static void no_vertices_are_worth_nothing(void **state) {
    (void)state;
    struct mine_graph nothing = {0};
    struct arena arena;
    arena_init(&arena, ARENA_NO_CAP);
    struct work work = {.left = WORK_UNBOUNDED};
    struct mine_nimber nimber = {0};
    assert_int_equal(mine_graph_value(&nothing, MINE_NIMBER, MINE_ALL_SHORTCUTS, 0, &arena, &work, &nimber),
                     OUTCOME_DONE);
    assert_true(nimber.known);
    assert_int_equal(nimber.nimber, 0);
    arena_clear(&arena);
}

static void one_vertex_is_worth_one_and_with_a_loop_two(void **state) {
    (void)state;
    expect_drawn(1, "", 1);
    expect_drawn(1, "00", 2);
    expect_drawn(1, "00 00", 1);
    expect_drawn(1, "00 00 00", 2);
}

static void equal_edges_cancel_in_pairs(void **state) {
    (void)state;
    expect_drawn(2, "01", 2);
    expect_drawn(2, "01 01", 0);
    expect_drawn(2, "01 10", 0);
    expect_drawn(2, "01 10 01", 2);
    expect_drawn(3, "01 12 20", 0);
    expect_drawn(3, "01 12 20 01", 1);
    expect_drawn(3, "01 12 20 02 20", 0);
}

static void bipartite_graphs_follow_the_parities_of_vertices_and_edges(void **state) {
    (void)state;
    expect_drawn(2, "", 0);
    expect_drawn(3, "01 12", 1);
    expect_drawn(4, "01 12 23", 2);
    expect_drawn(4, "01 12 23 30", 0);
    expect_drawn(4, "01 02 03", 2);
    expect_drawn(5, "03 04 13 14 23 24", 1);
    expect_drawn(6, "01 12 23 34 45 50", 0);
}

static void a_loop_breaks_the_rule_of_parities(void **state) {
    (void)state;
    /* By the parity formula, three edges and loops would be worth 2 on two vertices, and 3 on three vertices. */
    expect_drawn(2, "01 00 11", 1);
    expect_drawn(3, "01 12 00", 4);
}

/* This graph needs search: its two vertices without a loop are joined, so they are not twins. */
static const char looped_triangle[] = "01 12 20 00";

/* Check that the answer is unknown, and that it names the right cluster. */
static void expect_unknown(const struct graph *graph, uint64_t max_states, unsigned first, unsigned cluster_vertices,
                           unsigned cluster_numbers) {
    struct arena arena;
    arena_init(&arena, ARENA_NO_CAP);
    struct mine_nimber nimber = solve(graph, MINE_ALL_SHORTCUTS, max_states, &arena, NULL);
    arena_clear(&arena);
    if (nimber.known || nimber.first != first || nimber.cluster_vertices != cluster_vertices ||
        nimber.cluster_numbers != cluster_numbers) {
        print_graph(graph);
        fail_msg("limit %llu: %s, first %u, %u vertices, %u numbers; right is unknown, first %u, %u, %u",
                 (unsigned long long)max_states, nimber.known ? "known" : "unknown", nimber.first,
                 nimber.cluster_vertices, nimber.cluster_numbers, first, cluster_vertices, cluster_numbers);
    }
}

static void expect_known(const struct graph *graph, uint64_t max_states, unsigned right) {
    struct arena arena;
    arena_init(&arena, ARENA_NO_CAP);
    struct mine_nimber nimber = solve(graph, MINE_ALL_SHORTCUTS, max_states, &arena, NULL);
    arena_clear(&arena);
    if (!nimber.known || nimber.nimber != right) {
        print_graph(graph);
        fail_msg("limit %llu: %s, nimber %u; right is %u", (unsigned long long)max_states,
                 nimber.known ? "known" : "unknown", nimber.nimber, right);
    }
}

static uint64_t states_needed(const struct graph *graph) {
    struct arena arena;
    uint64_t states = 0;
    arena_init(&arena, ARENA_NO_CAP);
    assert_true(solve(graph, MINE_ALL_SHORTCUTS, NO_LIMIT, &arena, &states).known);
    arena_clear(&arena);
    return states;
}

static void formulas_need_no_search(void **state) {
    (void)state;
    static const struct {
        unsigned vertices;
        const char *pairs;
    } solved[] = {
        {1, ""},         {1, "00"},          {3, "01 12"},       {4, "01 12 23 30"},
        {4, "01 10 23"}, {5, "01 02 03 04"}, {3, "00 22 01 12"}, {6, "01 02 33 44 34 34 00 00 55"},
    };
    for (unsigned i = 0; i < sizeof(solved) / sizeof(solved[0]); i++) {
        struct graph graph = draw(solved[i].vertices, solved[i].pairs);
        expect_known(&graph, 0, model_nimber(&graph));
    }
}

static void without_states_a_graph_that_needs_search_is_unknown(void **state) {
    (void)state;
    struct graph triangle = draw(3, looped_triangle);
    expect_unknown(&triangle, 0, 0, 3, 4);
    expect_known(&triangle, states_needed(&triangle), model_nimber(&triangle));
    /* The cluster is described after equal numbers have cancelled: 01 and 00 appear three times and count once each; 22
     * appears twice and does not count. */
    struct graph repeated = draw(3, "01 12 20 00 10 01 00 00 22 22");
    expect_unknown(&repeated, 0, 0, 3, 4);
    /* Clusters that can be solved by a formula do not hide it, wherever their vertices are. */
    struct graph among_others = draw(9, "35 57 73 33 01 24 24 88");
    expect_unknown(&among_others, 0, 3, 3, 4);
}

static void the_limit_is_on_the_positions_visited(void **state) {
    (void)state;
    struct reference_random random = {33};
    unsigned searched = 0;
    for (unsigned i = 0; i < (reference_scale_is_quick() ? 20u : 300u); i++) {
        struct graph graph = random_graph(&random, 9, (uint64_t)1 << 14);
        unsigned right = model_nimber(&graph);
        uint64_t states = states_needed(&graph);
        struct arena arena;
        arena_init(&arena, ARENA_NO_CAP);
        for (uint64_t limit = 0; limit < states; limit++)
            assert_false(solve(&graph, MINE_ALL_SHORTCUTS, limit, &arena, NULL).known);
        arena_clear(&arena);
        expect_known(&graph, states, right);
        expect_known(&graph, states + 1, right);
        searched += states > 0;
    }
    print_message("%u graphs needed search\n", searched);
    assert_true(searched > (reference_scale_is_quick() ? 5 : 100));
}

/* Make a graph of two clusters that need search: one has three vertices; the other has five, and is larger by every
 * measure. */
static struct graph small_and_large(bool small_first) {
    static const char large_after[] = "00 01 12 20 33 34 45 56 67 73 35 36";
    static const char large_before[] = "00 01 12 23 34 40 02 03 55 56 67 75";
    return draw(8, small_first ? large_after : large_before);
}

static void the_smallest_cluster_is_tried_first(void **state) {
    (void)state;
    struct graph small = draw(3, looped_triangle);
    struct graph large = draw(5, "00 01 12 23 34 40 02 03");
    uint64_t small_states = states_needed(&small), large_states = states_needed(&large);
    assert_true(small_states > 0 && large_states > small_states);
    for (unsigned small_first = 0; small_first < 2; small_first++) {
        struct graph both = small_and_large(small_first != 0);
        unsigned large_at = small_first ? 3 : 0;
        expect_unknown(&both, 0, 0, small_first ? 3 : 5, small_first ? 4 : 8);
        /* If the states are not enough for the small cluster, neither is solved, and the first in order is named. */
        expect_unknown(&both, small_states - 1, 0, small_first ? 3 : 5, small_first ? 4 : 8);
        /* The states are enough for the small cluster only. */
        expect_unknown(&both, small_states, large_at, 5, 8);
        /* The search of the large cluster can reuse results from the small one. */
        uint64_t both_states = states_needed(&both);
        assert_true(both_states >= large_states && both_states <= small_states + large_states);
        expect_unknown(&both, both_states - 1, large_at, 5, 8);
        expect_known(&both, both_states, model_nimber(&both));
    }
}

static void results_depend_on_work_only_by_running_out_of_it(void **state) {
    (void)state;
    struct reference_random random = {55};
    struct graph graph = {0};
    while (states_needed(&graph) < 20)
        graph = random_graph(&random, 10, (uint64_t)1 << 16);
    unsigned right = model_nimber(&graph), starved = 0;
    struct arena arena;
    arena_init(&arena, ARENA_NO_CAP);
    for (unsigned limited = 0; limited < 2; limited++) {
        struct mine_nimber whole = solve(&graph, MINE_ALL_SHORTCUTS, limited ? 3 : NO_LIMIT, &arena, NULL);
        assert_true(whole.known == !limited);
        enum outcome outcome = OUTCOME_MORE_WORK;
        for (uint64_t units = 0; outcome != OUTCOME_DONE; units = units * 9 / 8 + 1) {
            struct work work = {.left = units};
            struct mine_nimber nimber = {.nimber = 12345};
            arena_reset(&arena);
            outcome = try_to_solve(&graph, MINE_ALL_SHORTCUTS, limited ? 3 : NO_LIMIT, &arena, &work, &nimber);
            if (outcome == OUTCOME_DONE) {
                assert_int_equal(nimber.known, whole.known);
                assert_true(limited || nimber.nimber == right);
                assert_true(!limited ||
                            (nimber.first == whole.first && nimber.cluster_vertices == whole.cluster_vertices &&
                             nimber.cluster_numbers == whole.cluster_numbers));
                continue;
            }
            assert_int_equal(outcome, OUTCOME_MORE_WORK);
            assert_int_equal(nimber.nimber, 12345);
            starved++;
        }
    }
    arena_clear(&arena);
    assert_true(starved > 5);
}

static void a_stopped_account_ends_the_search(void **state) {
    (void)state;
    struct graph graph = draw(3, looped_triangle);
    atomic_bool stop = true;
    struct work work = {.left = WORK_UNBOUNDED, .stop = &stop};
    struct mine_nimber nimber = {.nimber = 12345};
    struct arena arena;
    arena_init(&arena, ARENA_NO_CAP);
    assert_int_equal(try_to_solve(&graph, MINE_ALL_SHORTCUTS, NO_LIMIT, &arena, &work, &nimber), OUTCOME_CANCELLED);
    assert_int_equal(nimber.nimber, 12345);
    arena_clear(&arena);
}

static void too_little_memory_is_no_answer(void **state) {
    (void)state;
    struct reference_random random = {91};
    struct graph graph = {0};
    while (states_needed(&graph) < 20)
        graph = random_graph(&random, 10, (uint64_t)1 << 16);
    unsigned right = model_nimber(&graph), refused = 0, answered = 0;
    for (size_t cap = 0; answered < 3; cap = cap * 17 / 16 + 16) {
        struct arena arena;
        arena_init(&arena, cap);
        struct work work = {.left = WORK_UNBOUNDED};
        struct mine_nimber nimber = {.nimber = 12345};
        enum outcome outcome = try_to_solve(&graph, MINE_ALL_SHORTCUTS, NO_LIMIT, &arena, &work, &nimber);
        if (outcome == OUTCOME_DONE) {
            assert_true(nimber.known);
            assert_int_equal(nimber.nimber, right);
            answered++;
        } else {
            assert_int_equal(outcome, OUTCOME_NO_MEMORY);
            assert_int_equal(nimber.nimber, 12345);
            assert_int_equal(answered, 0);
            refused++;
        }
        arena_clear(&arena);
    }
    assert_true(refused > 5);
}

/* Seven paths that start at one vertex, each with a loop at a different depth. Together they have 64 vertices and 192
 * bits, which exactly fill three words. */
static void a_key_may_fill_its_last_word(void **state) {
    enum { PATHS = 7, LENGTH = 9, VERTICES = 1 + PATHS * LENGTH };
    (void)state;
    struct mine_edge edges[VERTICES - 1];
    bool loops[VERTICES] = {false};
    uint32_t next = 1;
    for (uint32_t path = 0; path < PATHS; path++)
        for (uint32_t k = 0, end = 0; k < LENGTH; k++, end = next++) {
            edges[next - 1] = (struct mine_edge){end, next};
            loops[next] = k == path;
        }
    assert_int_equal(next, VERTICES);
    const struct mine_graph graph = {.vertices = VERTICES, .loop = loops, .edges = edges, .edge_count = VERTICES - 1};
    struct work work = {.left = WORK_UNBOUNDED};
    struct mine_nimber nimber;
    struct arena arena;
    arena_init(&arena, ARENA_NO_CAP);
    assert_int_equal(mine_graph_value(&graph, MINE_NIMBER, MINE_ALL_SHORTCUTS, 100, &arena, &work, &nimber),
                     OUTCOME_DONE);
    assert_int_equal(
        mine_graph_value(&graph, MINE_NIMBER, MINE_ALL_SHORTCUTS & ~MINE_SPLIT, 100, &arena, &work, &nimber),
        OUTCOME_DONE);
    arena_clear(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_graph_on_at_most_five_vertices_agrees_with_plain_mex),
        cmocka_unit_test(random_graphs_with_repeated_edges_agree_with_plain_mex),
        cmocka_unit_test(a_graph_of_many_small_parts_is_their_xor),
        cmocka_unit_test(long_paths_with_one_loop_agree_with_a_table),
        cmocka_unit_test(a_large_cluster_of_mirrored_branches_is_worth_its_core),
        cmocka_unit_test(no_vertices_are_worth_nothing),
        cmocka_unit_test(one_vertex_is_worth_one_and_with_a_loop_two),
        cmocka_unit_test(equal_edges_cancel_in_pairs),
        cmocka_unit_test(bipartite_graphs_follow_the_parities_of_vertices_and_edges),
        cmocka_unit_test(a_loop_breaks_the_rule_of_parities),
        cmocka_unit_test(formulas_need_no_search),
        cmocka_unit_test(without_states_a_graph_that_needs_search_is_unknown),
        cmocka_unit_test(the_limit_is_on_the_positions_visited),
        cmocka_unit_test(the_smallest_cluster_is_tried_first),
        cmocka_unit_test(results_depend_on_work_only_by_running_out_of_it),
        cmocka_unit_test(a_stopped_account_ends_the_search),
        cmocka_unit_test(too_little_memory_is_no_answer),
        cmocka_unit_test(a_key_may_fill_its_last_word),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
