/* The search in the deletion game: see search.c. Internal to src/mine; other code uses graph.h. */
#pragma once

#include "base/arena.h"
#include "base/work.h"
#include "mine/cluster.h"
#include "mine/memo.h"

#include <stdint.h>

/* A search answers questions about positions in one cluster after another, and remembers what it learns about their
 * parts. It lives in an arena that must not be rewound while it is used. */
struct mine_search;

/* Create a search in `arena` for clusters of at most this many vertices and edges. `shortcuts` says which shortcuts to
 * use. Time is charged to `work`, which counts the states, too, and must outlive the search. Returns NULL if memory is
 * exhausted. */
struct mine_search *mine_search_new(uint32_t vertices, uint32_t edges, unsigned shortcuts, struct arena *arena,
                                    struct work *work);

/* Set the cluster for the next questions. Its arrays must outlive them; its first_end and ends are not read. */
void mine_search_open(struct mine_search *search, const struct mine_cluster *cluster);

/* A move on the cluster's vertex or edge number `which`. */
struct mine_move {
    enum mine_change change;
    uint32_t which;
};

/* Find the Grundy value of the cluster after a move or, if `move` is NULL, without one. If `goal` is not MINE_UNKNOWN,
 * the question is only whether the cluster has that value; if it does not, *ret_value may be MINE_UNKNOWN. Takes at
 * most *states_left states and subtracts those used. Returns OUTCOME_TOO_LARGE if that is not enough. */
enum outcome mine_search_solve(struct mine_search *search, const struct mine_move *move, uint32_t goal,
                               uint64_t *states_left, uint32_t *ret_value);
