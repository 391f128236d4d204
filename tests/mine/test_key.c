/* The results of a reduction: both implementations write keys that can be decoded into the parts they came from. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "mine/cluster.h"
#include "mine/part.h"
#include "mine/reduce.h"
#include "reference/graph.h"
#include "reference/random.h"
#include "reference/scale.h"

#include <string.h>

enum { MAX_VERTICES = 100, MAX_EDGES = 150, MAX_SEARCHED_VERTICES = 6 };

/* Make a linked cluster with random edges and loops. */
static void draw_cluster(struct mine_cluster *cluster, uint32_t vertices, struct reference_random *random) {
    cluster->vertices = vertices;
    cluster->edges = 0;
    for (uint32_t v = 0; v < vertices; v++)
        cluster->loop[v] = reference_random_chance(random, 30);
    unsigned percent = vertices > 12 ? 120 / vertices : 45;
    for (uint32_t a = 0; a < vertices; a++)
        for (uint32_t b = a + 1; b < vertices && cluster->edges < MAX_EDGES; b++)
            if (reference_random_chance(random, percent))
                cluster->edge[cluster->edges++] = (struct mine_edge){a, b};
    memset(cluster->present, true, cluster->edges * sizeof *cluster->present);
    mine_cluster_link(cluster);
}

static unsigned model_nimber(const struct mine_cluster *cluster) {
    unsigned loops[MAX_VERTICES];
    struct reference_edge edges[MAX_EDGES];
    for (uint32_t v = 0; v < cluster->vertices; v++)
        loops[v] = cluster->loop[v];
    for (uint32_t e = 0; e < cluster->edges; e++)
        edges[e] = (struct reference_edge){cluster->edge[e].a, cluster->edge[e].b};
    struct reference_graph model = {cluster->vertices, loops, edges, cluster->edges};
    return reference_graph_nimber(&model);
}

static uint32_t count_loops(const struct mine_cluster *cluster) {
    uint32_t loops = 0;
    for (uint32_t v = 0; v < cluster->vertices; v++)
        loops += cluster->loop[v];
    return loops;
}

/* Check the edge ends that are listed for a vertex. */
static bool are_ends_of(const struct mine_cluster *cluster, uint32_t v) {
    enum { FEW = 64 };
    const struct mine_end *ends = cluster->ends + cluster->first_end[v];
    uint32_t count = cluster->first_end[v + 1] - cluster->first_end[v];
    for (uint32_t k = 0; k < count; k++) {
        if (ends[k].edge >= cluster->edges || (k > 0 && ends[k].edge <= ends[k - 1].edge))
            return false;
        struct mine_edge edge = cluster->edge[ends[k].edge];
        if (edge.a == edge.b || (edge.a == v ? edge.b : edge.a) != ends[k].neighbour || (edge.a != v && edge.b != v))
            return false;
        for (uint32_t j = 0; j < k && count <= FEW; j++)
            if (ends[j].neighbour == ends[k].neighbour)
                return false;
    }
    return true;
}

/* Check a linked cluster: each edge joins two different vertices, each vertex lists the ends of its edges in ascending
 * order of the edges, and no two edges are equal. (Only vertices with few edges are searched for equal ones.) */
static bool is_consistent(const struct mine_cluster *cluster) {
    /* Each edge has two ends, and no vertex lists an edge twice. So if the number of ends is right, all are listed. */
    if (cluster->first_end[0] != 0 || cluster->first_end[cluster->vertices] != 2 * cluster->edges)
        return false;
    for (uint32_t v = 0; v < cluster->vertices; v++)
        if (cluster->first_end[v] > cluster->first_end[v + 1] || !are_ends_of(cluster, v))
            return false;
    return true;
}

/* Two clusters, and a reducer for them. */
struct bench {
    struct arena arena;
    struct mine_cluster drawn, decoded;
    struct mine_key_scratch scratch;
    struct mine_reducer reducer;
};

static void set_up(struct bench *bench, unsigned shortcuts) {
    arena_init(&bench->arena, ARENA_NO_CAP);
    assert_true(mine_cluster_init(&bench->drawn, MAX_VERTICES, MAX_EDGES, &bench->arena));
    assert_true(mine_cluster_init(&bench->decoded, MAX_VERTICES, MAX_EDGES, &bench->arena));
    assert_true(mine_key_scratch_init(&bench->scratch, MAX_VERTICES, &bench->arena));
    assert_true(mine_reducer_init(&bench->reducer, MAX_VERTICES, MAX_EDGES, shortcuts, &bench->arena));
}

/* Reduce the drawn cluster, and decode every part. Returns the number of parts. *ret_nimber is the value of the sum if
 * the parts are small enough for the model. */
static size_t reduce_and_decode(struct bench *bench, unsigned *ret_nimber) {
    const struct mine_parts *parts = &bench->reducer.sum.parts;
    mine_reducer_open(&bench->reducer, &bench->drawn);
    mine_reducer_take(&bench->reducer);
    assert_true(mine_reduce(&bench->reducer));
    *ret_nimber = bench->reducer.sum.value;
    for (size_t p = 0; p < parts->count; p++) {
        const struct mine_part *part = &parts->items[p];
        const uint64_t *key = mine_part_key(parts, part);
        /* A key has three bits for each vertex, two vertex numbers for each edge of the core, then zeros. */
        size_t bits = 3 * (size_t)part->vertices + 2 * (size_t)mine_key_width(key[0] >> 32) * (uint32_t)key[0];
        assert_int_equal(part->words, 1 + (bits + 63) / 64);
        assert_true(bits % 64 == 0 || key[part->words - 1] << bits % 64 == 0);
        mine_key_decode(key, &bench->scratch, &bench->decoded);
        assert_true(is_consistent(&bench->decoded));
        assert_int_equal(bench->decoded.vertices, part->vertices);
        assert_int_equal(bench->decoded.edges, part->edges);
        assert_int_equal(count_loops(&bench->decoded), part->loops);
        if (part->vertices <= MAX_SEARCHED_VERTICES)
            *ret_nimber ^= model_nimber(&bench->decoded);
    }
    return parts->count;
}

static void keys_read_back_as_parts_of_the_same_value(void **state) {
    (void)state;
    /* Only the set with all shortcuts uses bit masks. */
    static const unsigned shortcuts[] = {MINE_ALL_SHORTCUTS, MINE_ALL_SHORTCUTS & ~MINE_MIRRORS, 0};
    for (size_t s = 0; s < sizeof shortcuts / sizeof *shortcuts; s++) {
        struct bench bench;
        struct reference_random random = {27};
        size_t parts = 0;
        set_up(&bench, shortcuts[s]);
        for (unsigned i = 0; i < (reference_scale_is_quick() ? 50u : 500u); i++) {
            unsigned nimber;
            draw_cluster(&bench.drawn, 2 + reference_random_below(&random, MAX_SEARCHED_VERTICES - 1), &random);
            parts += reduce_and_decode(&bench, &nimber);
            assert_int_equal(nimber, model_nimber(&bench.drawn));
        }
        assert_true(parts > 10);
        arena_clear(&bench.arena);
    }
}

static void keys_of_large_clusters_read_back_as_parts(void **state) {
    (void)state;
    struct bench bench;
    struct reference_random random = {100};
    size_t parts = 0;
    set_up(&bench, MINE_ALL_SHORTCUTS);
    for (unsigned i = 0; i < (reference_scale_is_quick() ? 50u : 2000u); i++) {
        unsigned nimber;
        draw_cluster(&bench.drawn, 20 + reference_random_below(&random, MAX_VERTICES - 19), &random);
        parts += reduce_and_decode(&bench, &nimber);
    }
    assert_true(parts > 40);
    arena_clear(&bench.arena);
}

static void a_cluster_with_a_fault_is_not_consistent(void **state) {
    (void)state;
    struct bench bench;
    set_up(&bench, MINE_ALL_SHORTCUTS);
    struct mine_cluster *cluster = &bench.drawn;
    static const struct mine_edge triangle[] = {{0, 1}, {1, 2}, {0, 2}};
    cluster->vertices = 3;
    cluster->edges = 3;
    memcpy(cluster->edge, triangle, sizeof triangle);
    mine_cluster_link(cluster);
    assert_true(is_consistent(cluster));
    cluster->edge[2] = (struct mine_edge){0, 1}; /* the ends are not linked again */
    assert_false(is_consistent(cluster));
    mine_cluster_link(cluster); /* there are two equal edges */
    assert_false(is_consistent(cluster));
    memcpy(cluster->edge, triangle, sizeof triangle);
    mine_cluster_link(cluster);
    cluster->ends[0].neighbour = 2;
    assert_false(is_consistent(cluster));
    arena_clear(&bench.arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_read_back_as_parts_of_the_same_value),
        cmocka_unit_test(keys_of_large_clusters_read_back_as_parts),
        cmocka_unit_test(a_cluster_with_a_fault_is_not_consistent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
