/* Search in the deletion game on one graph: see search.c. Inside the room; users call graph.h. */
#pragma once

#include "mine/graph.h"

#include <stddef.h>

/* A graph whose edges differ. What a position of the game on it keeps is a set of pieces, as bits: vertex v is piece v,
 * its loop piece vertices + v, edge e piece 2 * vertices + e. */
struct mine_cluster {
    uint32_t vertices, edges;
    const bool *loop;             /* [vertices] stands at the start */
    const struct mine_edge *edge; /* [edges] */
    const bool *present;          /* [edges] stands at the start; NULL: all do */
    /* The edges at v: at[first[v]] to at[first[v + 1] - 1]. */
    const uint32_t *first;
    const struct mine_end { uint32_t neighbour, edge; } * at;
};

/* Fill in `first` and `at` of a cluster from its edges. False when memory is exhausted. */
bool mine_cluster_link(struct mine_cluster *cluster, struct arena *arena);

/* The Grundy value of the whole cluster. Takes the positions visited from *states_left; false in *ret_known when there
 * were not enough. DONE, NO_MEMORY or OUT_OF_WORK. The arena is left as it was found. */
enum outcome mine_cluster_nimber(const struct mine_cluster *cluster, unsigned shortcuts, uint64_t *states_left,
                                 struct arena *arena, struct work *work, struct mine_tally *tally, bool *ret_known,
                                 uint32_t *ret_nimber);

/* A search that answers several questions about positions of a cluster, and keeps what it learns. It lives in `arena`,
 * which is its own while it lives. */
struct mine_search;

/* NULL when memory is exhausted. */
struct mine_search *mine_search_new(const struct mine_cluster *cluster, struct arena *arena, struct work *work,
                                    struct mine_tally *tally);

/* Positions are sets of pieces of this many words. */
size_t mine_search_words(const struct mine_search *search);

/* The position at the start, and what may become of it: a toggled piece leaves if it stands and comes if it does not.
 */
void mine_search_whole(const struct mine_search *search, uint64_t *ret_position);
void mine_search_remove_vertex(const struct mine_search *search, uint64_t *position, uint32_t vertex);
void mine_search_toggle_loop(const struct mine_search *search, uint64_t *position, uint32_t vertex);
void mine_search_toggle_edge(const struct mine_search *search, uint64_t *position, uint32_t edge);

/* Is a position worth `value`? States and outcomes as above. */
enum outcome mine_search_equals(struct mine_search *search, const uint64_t *position, uint32_t value,
                                uint64_t *states_left, bool *ret_known, bool *ret_equal);
