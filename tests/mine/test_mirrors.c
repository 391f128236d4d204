/* Mirror symmetries that move more than branches and twins, compared with plain mex on graphs with such a symmetry and
 * on graphs that nearly have one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "mine/graph.h"
#include "reference/graph.h"
#include "reference/random.h"
#include "reference/scale.h"

#include <string.h>

enum { MAX_VERTICES = 14, MAX_EDGES = 91 };

/* A graph, as the model and as the program store it. */
struct drawn {
    unsigned vertices, edge_count;
    unsigned loops[MAX_VERTICES];
    bool loop[MAX_VERTICES];
    struct reference_edge model_edges[MAX_EDGES];
    struct mine_edge edges[MAX_EDGES];
};

static void add_loop(struct drawn *drawn, unsigned v) {
    drawn->loops[v] = 1;
    drawn->loop[v] = true;
}

static void add_edge(struct drawn *drawn, unsigned a, unsigned b) {
    drawn->model_edges[drawn->edge_count] = (struct reference_edge){a, b};
    drawn->edges[drawn->edge_count++] = (struct mine_edge){a, b};
}

static unsigned count_pieces(const struct drawn *drawn) {
    unsigned pieces = drawn->vertices + drawn->edge_count;
    for (unsigned v = 0; v < drawn->vertices; v++)
        pieces += drawn->loops[v];
    return pieces;
}

static unsigned model_nimber(const struct drawn *drawn) {
    struct reference_graph model = {drawn->vertices, drawn->loops, drawn->model_edges, drawn->edge_count};
    return reference_graph_nimber(&model);
}

/* Get the value that the program finds, and the number of states it needed. */
static unsigned solve(const struct drawn *drawn, struct arena *arena, uint64_t *ret_states) {
    struct mine_graph graph = {drawn->vertices, drawn->loop, drawn->edges, drawn->edge_count, .any_loop = NULL};
    struct work work = {.left = WORK_UNBOUNDED};
    struct mine_nimber nimber;
    arena_reset(arena);
    assert_int_equal(mine_graph_value(&graph, MINE_NIMBER, MINE_ALL_SHORTCUTS, UINT64_MAX, arena, &work, &nimber),
                     OUTCOME_DONE);
    assert_true(nimber.known);
    *ret_states = work.statistics.states;
    return nimber.nimber;
}

/* Make a graph with a mirror that fixes the first `kept` vertices and exchanges two sets of `moved` vertices. The
 * vertices of one set are joined at random to each other and to fixed ones, and those of the other set in the same
 * way. */
static struct drawn draw_mirror(unsigned kept, unsigned moved, struct reference_random *random) {
    struct drawn drawn = {.vertices = kept + 2 * moved};
    for (unsigned v = 0; v < kept; v++) {
        if (reference_random_chance(random, 50))
            add_loop(&drawn, v);
        for (unsigned w = 0; w < v; w++)
            if (reference_random_chance(random, 60))
                add_edge(&drawn, w, v);
    }
    for (unsigned k = 0; k < moved; k++) {
        unsigned v = kept + k;
        if (reference_random_chance(random, 40)) {
            add_loop(&drawn, v);
            add_loop(&drawn, v + moved);
        }
        for (unsigned w = 0; w < v; w++)
            if (reference_random_chance(random, 50)) {
                add_edge(&drawn, w, v);
                add_edge(&drawn, w < kept ? w : w + moved, v + moved);
            }
    }
    return drawn;
}

/* Get the graph of the first `kept` vertices alone. */
static struct drawn keep_first(const struct drawn *drawn, unsigned kept) {
    struct drawn first = {.vertices = kept};
    for (unsigned v = 0; v < kept; v++)
        if (drawn->loop[v])
            add_loop(&first, v);
    for (unsigned e = 0; e < drawn->edge_count; e++)
        if (drawn->edges[e].a < kept && drawn->edges[e].b < kept)
            add_edge(&first, drawn->edges[e].a, drawn->edges[e].b);
    return first;
}

static void parts_that_a_mirror_moves_have_the_nimber_0(void **state) {
    (void)state;
    unsigned wanted = reference_scale_is_quick() ? 100 : 1000, graphs = 0;
    struct reference_random random = {5};
    struct arena arena;
    arena_init(&arena, ARENA_NO_CAP);
    while (graphs < wanted) {
        unsigned kept = 1 + reference_random_below(&random, 3), moved = 2 + reference_random_below(&random, 2);
        struct drawn drawn = draw_mirror(kept, moved, &random), first = keep_first(&drawn, kept);
        uint64_t states;
        if (count_pieces(&drawn) > (reference_scale_is_quick() ? 18 : 21))
            continue;
        graphs++;
        unsigned right = model_nimber(&drawn);
        assert_int_equal(right, model_nimber(&first));
        assert_int_equal(solve(&drawn, &arena, &states), right);
    }
    arena_clear(&arena);
}

/* If a loop or an edge is added or removed, the graph has no mirror or a different one. Edges added between the two
 * sets may keep the mirror, but can join vertices to their own images. */
static void graphs_that_are_nearly_symmetric_agree_with_plain_mex(void **state) {
    (void)state;
    unsigned wanted = reference_scale_is_quick() ? 100 : 1000, graphs = 0, unlike = 0;
    struct reference_random random = {6};
    struct arena arena;
    arena_init(&arena, ARENA_NO_CAP);
    while (graphs < wanted) {
        unsigned kept = 1 + reference_random_below(&random, 2), moved = 2 + reference_random_below(&random, 2);
        struct drawn drawn = draw_mirror(kept, moved, &random), first = keep_first(&drawn, kept);
        uint64_t states;
        unsigned v = kept + reference_random_below(&random, moved), w = kept + reference_random_below(&random, moved);
        switch (graphs % 4) {
        case 0:
            drawn.loop[v] = !drawn.loop[v];
            drawn.loops[v] = drawn.loop[v];
            break;
        case 1: /* add an edge, which can cancel an existing one */
            add_edge(&drawn, 0, v);
            break;
        case 2: /* add an edge that joins a vertex to its image, or else two edges that are images of each other */
            add_edge(&drawn, v, w + moved);
            if (v != w)
                add_edge(&drawn, w, v + moved);
            break;
        default:
            if (drawn.edge_count != 0)
                drawn.edges[drawn.edge_count - 1] = drawn.edges[0];
            if (drawn.edge_count != 0)
                drawn.model_edges[drawn.edge_count - 1] = drawn.model_edges[0];
        }
        if (count_pieces(&drawn) > (reference_scale_is_quick() ? 18 : 21))
            continue;
        graphs++;
        unsigned right = model_nimber(&drawn);
        unlike += right != model_nimber(&first);
        assert_int_equal(solve(&drawn, &arena, &states), right);
    }
    arena_clear(&arena);
    assert_true(unlike > graphs / 4);
}

/* The two neighbours of vertex 0 look alike, and so do their neighbours. But the edges 3-7, 4-8 and 5-6 do not join
 * images, so exchanging the halves is not an automorphism. */
static void alike_vertices_that_are_joined_otherwise_are_no_mirror(void **state) {
    static const unsigned edges[][2] = {{0, 1}, {0, 2}, {1, 3}, {1, 4}, {1, 5}, {2, 6},
                                        {2, 7}, {2, 8}, {3, 7}, {4, 8}, {5, 6}};
    struct drawn drawn = {.vertices = 9};
    struct arena arena;
    uint64_t states;
    (void)state;
    arena_init(&arena, ARENA_NO_CAP);
    for (size_t e = 0; e < sizeof edges / sizeof *edges; e++)
        add_edge(&drawn, edges[e][0], edges[e][1]);
    assert_int_equal(solve(&drawn, &arena, &states), model_nimber(&drawn));
    arena_clear(&arena);
}

/* The vertices of a ring look alike, with or without a hub, and a few loops decide whether there is a mirror. */
static void wheels_and_rings_with_loops_agree_with_plain_mex(void **state) {
    (void)state;
    struct reference_random random = {7};
    struct arena arena;
    arena_init(&arena, ARENA_NO_CAP);
    for (unsigned i = 0; i < (reference_scale_is_quick() ? 40u : 600u); i++) {
        unsigned ring = 3 + i % 6, hub = i / 6 % 2;
        struct drawn drawn = {.vertices = ring + hub};
        uint64_t states;
        for (unsigned v = 0; v < ring; v++) {
            add_edge(&drawn, v, (v + 1) % ring);
            if (hub != 0 && ring < 7)
                add_edge(&drawn, v, ring);
            if (reference_random_chance(&random, 35) && count_pieces(&drawn) < 19)
                add_loop(&drawn, v);
        }
        assert_int_equal(solve(&drawn, &arena, &states), model_nimber(&drawn));
    }
    arena_clear(&arena);
}

static void equal_triangles_on_one_vertex_need_no_search(void **state) {
    (void)state;
    struct arena arena;
    uint64_t states;
    arena_init(&arena, ARENA_NO_CAP);
    for (unsigned loops = 0; loops < 8; loops++) {
        struct drawn drawn = {.vertices = 5};
        for (unsigned triangle = 0; triangle < 2; triangle++) {
            unsigned a = 1 + 2 * triangle, b = a + 1;
            add_edge(&drawn, 0, a);
            add_edge(&drawn, a, b);
            add_edge(&drawn, b, 0);
            if (loops & 1)
                add_loop(&drawn, a);
            if (loops & 2)
                add_loop(&drawn, b);
        }
        if (loops & 4)
            add_loop(&drawn, 0);
        assert_int_equal(solve(&drawn, &arena, &states), loops & 4 ? 2 : 1);
        assert_int_equal(model_nimber(&drawn), loops & 4 ? 2 : 1);
        assert_int_equal(states, 0);
    }
    arena_clear(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_that_a_mirror_moves_have_the_nimber_0),
        cmocka_unit_test(graphs_that_are_nearly_symmetric_agree_with_plain_mex),
        cmocka_unit_test(alike_vertices_that_are_joined_otherwise_are_no_mirror),
        cmocka_unit_test(wheels_and_rings_with_loops_agree_with_plain_mex),
        cmocka_unit_test(equal_triangles_on_one_vertex_need_no_search),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
