/* The deletion game (deletion.h) on a graph: its nimber, and which moves win. Public. */
#pragma once

#include "base/arena.h"
#include "base/work.h"
#include "mine/deletion.h"

#include <stdbool.h>
#include <stdint.h>

/* A graph whose edges may repeat: two equal ones cancel, since the second player answers on one with the other. Loops
 * are given by their parity for the same reason. The arrays belong to the caller. */
struct mine_graph {
    uint32_t vertices;
    const bool *loop; /* [vertices] an odd number of loops is here */
    const struct mine_edge *edges;
    uint32_t edge_count;
    const bool *any_loop; /* [vertices] some loop is here; NULL where nobody asks for wins */
    uint32_t other_value; /* the Grundy value of what is played beside the graph */
};

/* The Grundy value of a graph and what is played beside it, if it is known. */
struct mine_nimber {
    bool known;
    bool won;        /* when not known: who moves first wins all the same, since it is not 0 */
    uint32_t nimber; /* when known */
    uint32_t first;  /* when not: the smallest vertex of the cluster that was not solved, ... */
    uint32_t cluster_vertices, cluster_numbers; /* ... its vertices, its edges and loops after equal ones cancelled */
};

/* Find the Grundy value of a graph and what is beside it. Each connected cluster is solved, smallest first; of the last
 * one it is also asked whether it is worth all else, which decides who wins. `max_states` bounds the states that
 * searches visit in all (see search.c); when it is used up the answer is unknown, and names among the clusters that
 * were not solved the one with the smallest vertex. What is known is known with more states too. What happens is added
 * to *stats, which may be NULL. Scratch memory comes from `arena`, time is charged to `work`. */
enum outcome mine_graph_nimber(const struct mine_graph *graph, unsigned shortcuts, uint64_t max_states,
                               struct arena *arena, struct work *work, struct mine_stats *stats,
                               struct mine_nimber *ret_nimber);

/* As mine_graph_nimber, for who only wants to know who wins: once that is known the value is not sought, and may be
 * unknown. The winner is the same. */
enum outcome mine_graph_winner(const struct mine_graph *graph, uint64_t max_states, struct arena *arena,
                               struct work *work, struct mine_stats *stats, struct mine_nimber *ret_nimber);

/* Which moves win. A move on one of several equal edges or loops is a move too, though they cancel: it turns an even
 * number into an odd one, and so brings a piece back. */
struct mine_wins {
    bool known;         /* when not, nothing below is of use */
    const bool *vertex; /* [vertices] taking it wins */
    const bool *loop;   /* [vertices] taking one of its loops wins, if there are any */
    /* The edges that differ, sorted by a, then b, with a < b; taking one of those equal to it wins. */
    const struct mine_edge *edge_ends;
    const bool *edge;
    uint32_t edge_count;
};

/* Find the Grundy value as mine_graph_nimber does; and when it is known, which moves on the graph win: those that leave
 * 0 in all. For these the states that are left are used; when the whole is worth 0 no move wins, and nothing is
 * searched. Where the value is not known none are left. graph->any_loop is needed. What is returned lives in `arena`.
 */
enum outcome mine_graph_wins(const struct mine_graph *graph, uint64_t max_states, struct arena *arena,
                             struct work *work, struct mine_stats *stats, struct mine_nimber *ret_nimber,
                             struct mine_wins *ret_wins);
