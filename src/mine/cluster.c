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

/* This is a counting sort. While it runs, first_end[v + 1] is where the next end at v goes; once all ends are placed,
 * it is where the ends at v + 1 begin. */
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
