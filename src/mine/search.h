/* Search in the deletion game: see search.c. Inside the room; users call graph.h. */
#pragma once

#include "base/arena.h"
#include "base/work.h"
#include "mine/reduce.h"

/* A search answers questions about positions, one cluster after another, and keeps what it learns. It lives in `arena`,
 * where nothing may be rewound while it is used. */
struct mine_search;

/* For clusters of so many vertices and edges. NULL when memory is exhausted. */
struct mine_search *mine_search_new(uint32_t vertices, uint32_t edges, unsigned shortcuts, struct arena *arena,
                                    struct work *work, struct mine_tally *tally);

/* Turn to a cluster, which outlives the questions about it. Its first_end and ends are not read. */
void mine_search_open(struct mine_search *search, const struct mine_cluster *cluster);

/* The Grundy value of the cluster. Takes the positions visited from *states_left; false in *ret_known when there were
 * not enough. WORK_DONE, WORK_NO_MEMORY or WORK_EXHAUSTED. */
enum work_outcome mine_search_value(struct mine_search *search, uint64_t *states_left, bool *ret_known,
                                    uint32_t *ret_nimber);

/* Is the cluster worth `value` after a change to its piece number `which`? As above. */
enum work_outcome mine_search_equals(struct mine_search *search, enum mine_change change, uint32_t which,
                                     uint32_t value, uint64_t *states_left, bool *ret_known, bool *ret_equal);
