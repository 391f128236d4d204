/* Search in the deletion game: see search.c. Inside the room; users call graph.h. */
#pragma once

#include "base/arena.h"
#include "base/work.h"
#include "mine/cluster.h"
#include "mine/deletion.h"

#include <stdbool.h>
#include <stdint.h>

/* A search answers questions about positions of one cluster after another, and keeps what it learns of their parts. It
 * lives in an arena, where nothing may be rewound while it is used. */
struct mine_search;

/* Make a search in `arena` for clusters of at most so many vertices and edges. `shortcuts` is the theory to use; time
 * is charged to `work`, and what happens is counted in `stats`: both outlive the search. NULL when memory is exhausted.
 */
struct mine_search *mine_search_new(uint32_t vertices, uint32_t edges, unsigned shortcuts, struct arena *arena,
                                    struct work *work, struct mine_stats *stats);

/* Turn to a cluster, whose arrays outlive the questions about it; its first_end and ends are not read. */
void mine_search_open(struct mine_search *search, const struct mine_cluster *cluster);

/* Find the Grundy value of the cluster, for at most *states_left states, from which those spent are taken.
 * OUTCOME_TOO_LARGE: they were not enough. */
enum outcome mine_search_value(struct mine_search *search, uint64_t *states_left, uint32_t *ret_value);

/* A move on the cluster's vertex or edge number `which`. */
struct mine_move {
    enum mine_change change;
    uint32_t which;
};

/* Find out whether the cluster is worth `value` after a move, or as it is when `move` is NULL. States and outcome as
 * above. */
enum outcome mine_search_equals(struct mine_search *search, const struct mine_move *move, uint32_t value,
                                uint64_t *states_left, bool *ret_equal);
