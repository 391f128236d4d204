/* The winner when the nimber is out of reach. Whether a cluster has a given value is compared with plain mex, and
 * results with few states are compared with those without a limit. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "mine/graph.h"
#include "mine/search.h"
#include "reference/graph.h"
#include "reference/random.h"
#include "reference/scale.h"

#include <string.h>

#define NO_LIMIT UINT64_MAX

enum { MAX_VERTICES = 9, MAX_EDGES = 36 };

/* A graph in three forms: for the model, the solver, and the search. */
struct drawn {
    unsigned loops[MAX_VERTICES];
    bool loop[MAX_VERTICES], present[MAX_EDGES];
    struct reference_edge model_edges[MAX_EDGES];
    struct mine_edge edges[MAX_EDGES];
    struct reference_graph model;
    struct mine_graph graph;
    struct mine_cluster cluster; /* not linked */
};

/* Draw random distinct edges and loops, few enough for plain mex. */
static void draw(struct drawn *drawn, struct reference_random *random) {
    unsigned vertices = 3 + reference_random_below(random, MAX_VERTICES - 2), edges = 0, pieces = vertices;
    memset(drawn, 0, sizeof *drawn);
    for (unsigned v = 0; v < vertices; v++) {
        drawn->loop[v] = reference_random_chance(random, 40);
        drawn->loops[v] = drawn->loop[v];
        pieces += drawn->loop[v];
    }
    for (unsigned a = 0; a < vertices; a++)
        for (unsigned b = a + 1; b < vertices; b++)
            if (pieces < 20 && reference_random_chance(random, 35)) {
                drawn->model_edges[edges] = (struct reference_edge){a, b};
                drawn->edges[edges] = (struct mine_edge){a, b};
                drawn->present[edges++] = true;
                pieces++;
            }
    drawn->model = (struct reference_graph){vertices, drawn->loops, drawn->model_edges, edges};
    drawn->graph = (struct mine_graph){vertices, drawn->loop, drawn->edges, edges, NULL, 0};
    drawn->cluster = (struct mine_cluster){
        .vertices = vertices, .edges = edges, .loop = drawn->loop, .edge = drawn->edges, .present = drawn->present};
}

/* With any limit, the answer is either right or missing; without a limit, it is never missing. */
static void whether_a_graph_is_worth_a_number_agrees_with_plain_mex(void **state) {
    (void)state;
    struct reference_random random = {8};
    unsigned equals = 0, unlike = 0, unknown = 0;
    struct arena arena;
    arena_init(&arena, ARENA_NO_CAP);
    for (unsigned i = 0; i < (reference_scale_is_quick() ? 30u : 300u); i++) {
        struct drawn drawn;
        draw(&drawn, &random);
        unsigned right = reference_graph_nimber(&drawn.model);
        for (uint32_t value = 0; value <= right + 2; value++)
            for (unsigned limited = 0; limited < 2; limited++) {
                struct work work = {.left = WORK_UNBOUNDED};
                uint64_t limit = limited ? reference_random_below(&random, 20) : NO_LIMIT, left = limit;
                uint32_t found = 0;
                arena_reset(&arena);
                struct mine_search *search =
                    mine_search_new(drawn.cluster.vertices, drawn.cluster.edges, MINE_ALL_SHORTCUTS, &arena, &work);
                mine_search_open(search, &drawn.cluster);
                enum outcome outcome = mine_search_solve(search, NULL, value, &left, &found);
                bool known = outcome == OUTCOME_DONE, equal = found == value;
                assert_true(known || (limited && outcome == OUTCOME_TOO_LARGE));
                assert_true(!known || equal == (value == right));
                assert_int_equal(limit - left, work.statistics.states);
                equals += known && equal;
                unlike += known && !equal;
                unknown += !known;
            }
    }
    arena_clear(&arena);
    assert_true(equals > 0 && unlike > equals && unknown > 0);
}

/* A graph is played next to another position, which affects the total value and the winner. `won` matters only while
 * the value is unknown. */
static void a_position_next_to_a_graph_counts_for_its_value_and_winner(void **state) {
    (void)state;
    struct reference_random random = {13};
    unsigned won = 0, nothing = 0;
    struct arena arena;
    arena_init(&arena, ARENA_NO_CAP);
    for (unsigned i = 0; i < (reference_scale_is_quick() ? 5u : 40u); i++) {
        struct drawn drawn;
        draw(&drawn, &random);
        unsigned right = reference_graph_nimber(&drawn.model);
        for (uint32_t other_value = 0; other_value < 8; other_value++) {
            struct mine_nimber nimber = {.known = false};
            for (uint64_t limit = 0; !nimber.known; limit++) {
                struct work work = {.left = WORK_UNBOUNDED};
                bool was_won = nimber.won;
                drawn.graph.other_value = other_value;
                arena_reset(&arena);
                assert_int_equal(
                    mine_graph_value(&drawn.graph, MINE_NIMBER, MINE_ALL_SHORTCUTS, limit, &arena, &work, &nimber),
                    OUTCOME_DONE);
                assert_true(!nimber.won || right != other_value);
                assert_true(!was_won || nimber.won || (nimber.known && nimber.nimber != 0));
                won += !nimber.known && nimber.won;
                nothing += !nimber.known && !nimber.won;
            }
            assert_int_equal(nimber.nimber, right ^ other_value);
        }
    }
    arena_clear(&arena);
    assert_true(won > 0 && nothing > 0);
}

/* A graph that is nearly a tree, with loops on half of its vertices. It is too large for plain mex. */
struct large {
    bool loop[40];
    struct mine_edge edges[40];
    struct mine_graph graph;
};

static void draw_large(struct large *large, struct reference_random *random) {
    uint32_t vertices = 18 + reference_random_below(random, 8), edges = 0;
    for (uint32_t v = 0; v < vertices; v++) {
        large->loop[v] = reference_random_chance(random, 50);
        if (v > 0)
            large->edges[edges++] = (struct mine_edge){reference_random_below(random, v), v};
    }
    large->edges[edges++] = (struct mine_edge){0, vertices - 1};
    large->graph = (struct mine_graph){vertices, large->loop, large->edges, edges, NULL, 0};
}

static struct mine_nimber solve_large(struct large *large, uint32_t other_value, uint64_t max_states,
                                      struct arena *arena, uint64_t *ret_states) {
    struct work work = {.left = WORK_UNBOUNDED};
    struct mine_nimber nimber = {.known = false};
    large->graph.other_value = other_value;
    arena_reset(arena);
    assert_int_equal(
        mine_graph_value(&large->graph, MINE_NIMBER, MINE_ALL_SHORTCUTS, max_states, arena, &work, &nimber),
        OUTCOME_DONE);
    *ret_states = work.statistics.states;
    return nimber;
}

/* Check that a call that asks only for the winner finds the same winner, with at most as many states. */
static void expect_same_winner(struct large *large, uint64_t max_states, const struct mine_nimber *nimber,
                               uint64_t states, struct arena *arena) {
    struct work work = {.left = WORK_UNBOUNDED};
    struct mine_nimber winner = {.known = false};
    arena_reset(arena);
    assert_int_equal(
        mine_graph_value(&large->graph, MINE_WINNER, MINE_ALL_SHORTCUTS, max_states, arena, &work, &winner),
        OUTCOME_DONE);
    assert_true(work.statistics.states <= states);
    assert_true((winner.known || winner.won) == (nimber->known || nimber->won));
    assert_true((winner.known ? winner.nimber != 0 : winner.won) ==
                (nimber->known ? nimber->nimber != 0 : nimber->won));
    assert_true(!winner.known || winner.nimber == nimber->nimber);
}

/* These graphs need more states than each question gets in its first round, so the questions for the nimber and for the
 * winner are asked in turn. A winner found with few states is the same as without a limit. With more states, it stays
 * known, and eventually the nimber becomes known, too. */
static void a_winner_that_is_known_stays_known_with_more_states(void **state) {
    (void)state;
    unsigned wanted = reference_scale_is_quick() ? 1 : 6, graphs = 0, won = 0, nothing = 0;
    struct reference_random random = {2026};
    struct arena arena;
    arena_init(&arena, ARENA_NO_CAP);
    while (graphs < wanted) {
        struct large large;
        uint64_t all_states, states;
        draw_large(&large, &random);
        uint32_t right = solve_large(&large, 0, 3000, &arena, &all_states).nimber;
        if (all_states < 1100 || all_states == 3000)
            continue;
        graphs++;
        for (uint32_t other_value = right; other_value <= right + 1; other_value++) {
            struct mine_nimber whole = solve_large(&large, other_value, NO_LIMIT, &arena, &all_states);
            assert_true(whole.known && whole.nimber == (right ^ other_value));
            bool was_won = false;
            for (uint64_t limit = 0; limit < all_states; limit += 1 + all_states / 6) {
                struct mine_nimber nimber = solve_large(&large, other_value, limit, &arena, &states);
                assert_false(nimber.known);
                assert_true(states <= limit);
                assert_true(other_value != right ? nimber.won || !was_won : !nimber.won);
                expect_same_winner(&large, limit, &nimber, states, &arena);
                was_won = nimber.won;
                won += nimber.won;
                nothing += !nimber.won;
            }
            assert_true(solve_large(&large, other_value, all_states, &arena, &states).known);
            expect_same_winner(&large, NO_LIMIT, &whole, all_states, &arena);
        }
    }
    arena_clear(&arena);
    print_message("%u graphs, unknown %u times, won %u times where the nimber is unknown\n", graphs, nothing, won);
    assert_true(won > 0 && nothing > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whether_a_graph_is_worth_a_number_agrees_with_plain_mex),
        cmocka_unit_test(a_position_next_to_a_graph_counts_for_its_value_and_winner),
        cmocka_unit_test(a_winner_that_is_known_stays_known_with_more_states),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
