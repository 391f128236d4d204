#include "mine/cluster.h"

#include "base/assert.h"

#include <string.h>

bool mine_cluster_init(struct mine_cluster *cluster, uint32_t vertices, uint32_t edges, struct arena *arena) {
    *cluster = (struct mine_cluster){
        .loop = arena_array(arena, vertices, sizeof *cluster->loop),
        .edge = arena_array(arena, edges, sizeof *cluster->edge),
        .present = arena_array(arena, edges, sizeof *cluster->present),
        .first_end = arena_array(arena, (size_t)vertices + 2, sizeof *cluster->first_end),
        .ends = arena_array(arena, 2 * (size_t)edges, sizeof *cluster->ends),
    };
    return cluster->loop && cluster->edge && cluster->present && cluster->first_end && cluster->ends;
}

/* A counting sort. While it runs, first_end[v + 1] is the place of the next end at v; when all are placed, that is
 * where the ends of v + 1 begin. */
void mine_cluster_link(struct mine_cluster *cluster) {
    uint32_t *first = cluster->first_end;
    memset(first, 0, ((size_t)cluster->vertices + 2) * sizeof *first);
    for (uint32_t e = 0; e < cluster->edges; e++) {
        ASSERT(cluster->edge[e].a < cluster->vertices && cluster->edge[e].b < cluster->vertices);
        first[cluster->edge[e].a + 2]++;
        first[cluster->edge[e].b + 2]++;
    }
    for (uint32_t v = 2; v < cluster->vertices + 2; v++)
        first[v] += first[v - 1];
    for (uint32_t e = 0; e < cluster->edges; e++) {
        uint32_t a = cluster->edge[e].a, b = cluster->edge[e].b;
        cluster->ends[first[a + 1]++] = (struct mine_end){b, e};
        cluster->ends[first[b + 1]++] = (struct mine_end){a, e};
    }
}

/* Check the listed ends of a vertex. */
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

bool mine_cluster_is_consistent(const struct mine_cluster *cluster) {
    /* Each edge has two ends, and no vertex lists one twice, so all are listed if their number is right. */
    if (cluster->first_end[0] != 0 || cluster->first_end[cluster->vertices] != 2 * cluster->edges)
        return false;
    for (uint32_t v = 0; v < cluster->vertices; v++)
        if (cluster->first_end[v] > cluster->first_end[v + 1] || !are_ends_of(cluster, v))
            return false;
    return true;
}
