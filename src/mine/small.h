/* The reduction of positions of at most 64 vertices with bit masks: see small.c. Only reduce.c calls it. Without it,
 * whole requests take up to 28 % more instructions for 100 x 100 fields, and up to 40 % more for 300 x 300; the
 * difference is greatest with 9 to 13 % mines, where openings are connected. */
#pragma once

#include "base/arena.h"
#include "mine/cluster.h"
#include "mine/part.h"

#include <stdbool.h>
#include <stdint.h>

enum { MINE_SMALL_VERTICES = 64 };

/* A position. Bit v of a set is vertex v. */
struct mine_small {
    uint64_t present;                         /* the vertices that are left */
    uint64_t loops;                           /* vertices with a loop, present or not */
    uint64_t neighbours[MINE_SMALL_VERTICES]; /* of all vertices, present or not */
};

/* Read a cluster of at most MINE_SMALL_VERTICES vertices. All its present pieces are in the position. */
void mine_small_read(struct mine_small *small, const struct mine_cluster *cluster);

/* Change a position of `cluster` by a move on its vertex or edge number `which`. */
void mine_small_change(struct mine_small *small, const struct mine_cluster *cluster, enum mine_change change,
                       uint32_t which);

/* Reduce a position, which is undefined afterwards, to *ret_sum, using all shortcuts. The old contents of the sum are
 * discarded. Keys are in `arena`. Returns false if memory is exhausted. */
bool mine_small_reduce(struct mine_small *small, struct arena *arena, struct mine_sum *ret_sum);
