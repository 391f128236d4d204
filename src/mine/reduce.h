/* What is left of a position in the deletion game once all that is known by theory is taken out: see reduce.c. Inside
 * the room; users call graph.h. */
#pragma once

#include "base/arena.h"
#include "mine/branch.h"
#include "mine/cluster.h"
#include "mine/deletion.h"
#include "mine/part.h"
#include "mine/small.h"

#include <stdbool.h>
#include <stdint.h>

/* The reduction of one position after another. Between calls only the position and the sum mean something. */
struct mine_reducer {
    unsigned shortcuts;
    struct mine_stats *stats;
    struct arena *arena;
    const struct mine_cluster *cluster;
    struct mine_sum sum; /* what came out */

    /* The position of a small cluster, and the whole cluster to start from. */
    bool is_small;
    struct mine_small small, whole;

    /* The position of any other: what stands of the cluster. A vertex that does not stand has no loop and no edge. */
    bool *vertex, *loop; /* [vertices] */
    bool *edge;          /* [edges] */

    /* Peeling, [vertices] each. */
    uint32_t *degree; /* edges to vertices that are not peeled; 0 for a peeled one */
    bool *peeled;
    uint32_t *leaf_queue;          /* leaves to peel, round by round */
    uint32_t *leaf_place;          /* of a leaf: where it stands in leaf_queue */
    struct mine_branches branches; /* attached to the vertices */
    uint32_t *tree_vertices;       /* of the tree that a vertex and its branches make */
    uint32_t *tree_loops;
    uint32_t *next_to_remove; /* the list of roots whose trees are being removed */
    uint32_t *neighbour_of;   /* the vertex that was last compared with others and has this one as a neighbour */

    /* Components of the core, [vertices] each. */
    uint32_t *core;  /* the vertices of one, or of all where MINE_SPLIT is off, as they were walked over */
    uint8_t *side;   /* 1 or 2, unlike that of a neighbour seen earlier; 0: not seen yet */
    uint32_t *place; /* of a vertex in `core` */
    uint32_t *lower; /* the places of one vertex's neighbours before it */
};

/* Allocate room in `arena` for clusters of at most so many vertices and edges. `shortcuts` is the theory to use. False
 * when memory is exhausted. */
bool mine_reducer_init(struct mine_reducer *r, uint32_t vertices, uint32_t edges, unsigned shortcuts,
                       struct mine_stats *stats, struct arena *arena);

/* Turn to a linked cluster, which outlives its positions. */
void mine_reducer_open(struct mine_reducer *r, const struct mine_cluster *cluster);

/* Take all that is present of the cluster as the position. */
void mine_reducer_take(struct mine_reducer *r);

/* Change the position by a move on the cluster's vertex or edge number `which`. */
void mine_reducer_change(struct mine_reducer *r, enum mine_change change, uint32_t which);

/* Reduce the position, which is used up, to r->sum. Its keys are kept until the next call. False when memory is
 * exhausted. */
bool mine_reduce(struct mine_reducer *r);
