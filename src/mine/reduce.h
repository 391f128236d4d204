/* Reduces positions in the deletion game to what is left once theory has removed all it can (see reduce.c). Internal to
 * src/mine; other code uses graph.h. */
#pragma once

#include "base/arena.h"
#include "mine/cluster.h"
#include "mine/part.h"
#include "mine/small.h"

#include <stdbool.h>
#include <stdint.h>

/* Reduces one position after another. Between calls only the position and the sum are valid. */
struct mine_reducer {
    unsigned shortcuts;
    struct arena *arena;
    const struct mine_cluster *cluster;
    struct mine_sum sum; /* the result */

    /* For a small cluster: the position, and the whole cluster, from which positions start. */
    bool is_small;
    struct mine_small small, whole;

    /* For a larger cluster: the pieces present in the position. A vertex that is not present has no loop and no
     * edge. */
    bool *vertex, *loop; /* [vertices] */
    bool *edge;          /* [edges] */

    /* For peeling, [vertices] each. */
    uint32_t *degree; /* number of edges to vertices not peeled off; 0 for a peeled vertex */
    bool *peeled;
    uint32_t *leaf_queue;          /* leaves to peel, round by round */
    uint32_t *leaf_place;          /* for a leaf: its place in leaf_queue */
    struct mine_branches branches; /* attached to the vertices */
    uint32_t *tree_vertices;       /* of the tree formed by a vertex and its branches */
    uint32_t *tree_loops;
    uint32_t *next_to_remove; /* the list of roots whose trees are being removed */
    uint32_t *neighbour_of;   /* the last vertex to be compared with others that has this one as a neighbour */

    /* Components of the core, [vertices] each. */
    uint32_t *core;  /* the vertices of one component, or of all if MINE_SPLIT is off, in the order visited */
    uint8_t *side;   /* 1 or 2, different from that of any neighbour visited before; 0 if not visited yet */
    uint32_t *place; /* for a vertex: its place in `core` */
    uint32_t *lower; /* the lower places of one vertex's neighbours */
};

/* Allocate memory in `arena` for clusters of at most this many vertices and edges. `shortcuts` says which shortcuts to
 * use. Returns false if memory is exhausted. */
bool mine_reducer_init(struct mine_reducer *r, uint32_t vertices, uint32_t edges, unsigned shortcuts,
                       struct arena *arena);

/* Set the cluster for the next positions. It must be linked, and outlive them. */
void mine_reducer_open(struct mine_reducer *r, const struct mine_cluster *cluster);

/* Set the position to all pieces of the cluster that are present. */
void mine_reducer_take(struct mine_reducer *r);

/* Change the position by a move on the cluster's vertex or edge number `which`. */
void mine_reducer_change(struct mine_reducer *r, enum mine_change change, uint32_t which);

/* Reduce the position, which is undefined afterwards, to r->sum. Its keys are valid until the next call. Returns false
 * if memory is exhausted. */
bool mine_reduce(struct mine_reducer *r);
