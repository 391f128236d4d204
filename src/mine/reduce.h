/* What is left of a position in the deletion game once all that is known by theory is taken out: see reduce.c. Inside
 * the room; users call graph.h. */
#pragma once

#include "base/arena.h"
#include "mine/cluster.h"
#include "mine/deletion.h"
#include "mine/part.h"
#include "mine/small.h"

#include <stdbool.h>
#include <stddef.h>

/* The reduction of one position after another. Contents of the arrays mean nothing between calls, but for those that
 * hold the position. */
struct mine_reducer {
    unsigned shortcuts;
    struct mine_tally *tally;
    struct arena *arena;
    const struct mine_cluster *cluster;
    /* The position, and where it starts, of small clusters. */
    bool is_small;
    struct mine_small small, whole;
    /* The position of others: what stands of the cluster. A vertex that does not stand has no loop and no edge. */
    bool *vertex, *loop, *edge;
    /* By vertex. */
    uint32_t *degree;  /* edges that do not lead to peeled vertices */
    uint32_t *queue;   /* vertices to visit */
    uint32_t *child;   /* first of the branches hung on a vertex, by falling code; NONE */
    uint32_t *sibling; /* next of them */
    uint32_t *mark;
    uint32_t *weight;          /* vertices of the tree that is hung here, this one included */
    uint32_t *branch_loops;    /* loops of it */
    uint64_t *code;            /* of a peeled vertex with its branches: equal codes, equal trees */
    uint64_t *sign, *new_sign; /* what a vertex of the core looks like from afar */
    uint32_t *order;           /* the core's vertices in the order of their key */
    uint8_t *color;
    bool *peeled;
    struct mine_sum sum; /* what came out */
};

/* Room for clusters of so many vertices and edges. False when memory is exhausted. */
bool mine_reducer_init(struct mine_reducer *r, uint32_t vertices, uint32_t edges, unsigned shortcuts,
                       struct mine_tally *tally, struct arena *arena);

/* Turn to a cluster, which outlives its positions. */
void mine_reducer_open(struct mine_reducer *r, const struct mine_cluster *cluster);

/* Take the whole cluster as the position. */
void mine_reducer_take(struct mine_reducer *r);

/* Change the position by a move on piece number `which`. */
void mine_reducer_change(struct mine_reducer *r, enum mine_change change, uint32_t which);

/* Reduce the position, which is used up, to r->sum. False when memory is exhausted. */
bool mine_reduce(struct mine_reducer *r);

/* The graph that a key stands for, linked, into arrays with room for it. */
void mine_decode(const uint64_t *words, struct mine_cluster *ret_cluster);
