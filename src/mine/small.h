/* Positions of at most 64 vertices in the deletion game, as bit masks: see small.c. Inside the room; reduce.h is what
 * others use. */
#pragma once

#include "base/arena.h"
#include "mine/cluster.h"
#include "mine/deletion.h"
#include "mine/part.h"

#include <stdbool.h>

enum {
    MINE_SMALL_VERTICES = 64,
    MINE_SIGN_ROUNDS = 3, /* how far a vertex looks around itself to find its place in a key */
};

/* Bit v stands for vertex v. */
struct mine_small {
    uint32_t vertices;
    uint64_t standing, loops;
    uint64_t beside[MINE_SMALL_VERTICES]; /* neighbours, whether they stand or not */
};

void mine_small_read(struct mine_small *small, const struct mine_cluster *cluster);
void mine_small_copy(struct mine_small *small, const struct mine_small *from);
void mine_small_change(struct mine_small *small, const struct mine_cluster *cluster, enum mine_change change,
                       uint32_t which);

/* Reduce a position, which is used up, to *ret_sum, by all the theory; its parts are emptied first. Their keys are
 * kept in `arena`. False when memory is exhausted. */
bool mine_small_reduce(struct mine_small *small, struct arena *arena, struct mine_tally *tally,
                       struct mine_sum *ret_sum);
