/* Search in the deletion game on one small graph: see search.c. Inside the room; users call graph.h. */
#pragma once

#include "mine/graph.h"

/* A graph whose edges differ. What a position of the game on it keeps is a set of pieces, as bits: vertex v is piece v,
 * its loop piece vertices + v, edge e piece 2 * vertices + e. */
struct mine_cluster {
    uint32_t vertices, edges;
    const bool *loop;             /* [vertices] */
    const struct mine_edge *edge; /* [edges] */
    /* The edges at v: at[first[v]] to at[first[v + 1] - 1]. */
    const uint32_t *first;
    const struct mine_end { uint32_t neighbour, edge; } * at;
};

/* The Grundy value of the whole cluster. Takes the positions visited from *states_left; false in *ret_known when there
 * were not enough. DONE, NO_MEMORY or OUT_OF_WORK. The arena is left as it was found. */
enum outcome mine_cluster_nimber(const struct mine_cluster *cluster, unsigned shortcuts, uint64_t *states_left,
                                 struct arena *arena, struct work *work, struct mine_tally *tally, bool *ret_known,
                                 uint32_t *ret_nimber);

/* Fill in `first` and `at` of a cluster from its edges. False when memory is exhausted. */
bool mine_cluster_link(struct mine_cluster *cluster, struct arena *arena);
