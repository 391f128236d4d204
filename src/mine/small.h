/* Positions of at most 64 vertices in the deletion game, as bit masks: see small.c. Inside the room; reduce.h is what
 * others use. */
#pragma once

#include "mine/deletion.h"

#include <stdbool.h>

/* A graph whose edges differ. */
struct mine_cluster {
    uint32_t vertices, edges;
    bool *loop;             /* [vertices] */
    struct mine_edge *edge; /* [edges] */
    bool *present;          /* [edges] whether the edge stands; those that do not may come back as a move's result */
    uint32_t *first;        /* [vertices + 1] the edges at v: at[first[v]] to at[first[v + 1] - 1] */
    struct mine_end {
        uint32_t neighbour, edge;
    } * at; /* [2 * edges] */
};

/* What a move does: a number that is taken leaves if it stands, and comes if its equals have cancelled. */
enum mine_change { MINE_TAKE_VERTEX, MINE_TOGGLE_LOOP, MINE_TOGGLE_EDGE };

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

/* Reduce a position to the reducer's value and parts, by all the theory. False when memory is exhausted. */
struct mine_reducer;
bool mine_small_reduce(struct mine_small *small, struct mine_reducer *r);
