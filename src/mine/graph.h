/* The deletion game (cluster.h) on a graph: its nimber, and its winning moves. Public. */
#pragma once

#include "base/arena.h"
#include "base/work.h"
#include "mine/cluster.h"

#include <stdbool.h>
#include <stdint.h>

/* A graph whose edges may repeat. Two equal ones cancel, because the second player answers a move on one with a move on
 * the other. For the same reason loops are given by their parity. The arrays belong to the caller. */
struct mine_graph {
    uint32_t vertices;
    const bool *loop; /* [vertices] the number of loops is odd */
    const struct mine_edge *edges;
    uint32_t edge_count;
    const bool *any_loop; /* [vertices] there is a loop; NULL if winning moves are not asked for */
    uint32_t other_value; /* the Grundy value of games that are played beside the graph */
};

/* The Grundy value of a graph and of what is played beside it, if it is known. */
struct mine_nimber {
    bool known;
    bool won;        /* when not known: the first player is known to win, because the value is not 0 */
    uint32_t nimber; /* when known */
    uint32_t first;  /* when not: the smallest vertex of the cluster that was not solved, ... */
    uint32_t cluster_vertices, cluster_numbers; /* ... its number of vertices, and of edges and loops after equal ones
                                                 * have cancelled */
};

/* What is to be found: the value, or only the winner, which is the same. The search stops when it is known. */
enum mine_aim { MINE_NIMBER, MINE_WINNER };

/* Find the Grundy value of a graph and what is played beside it. Each connected cluster is solved, smallest first.
 * About the last one there is a second question, whether its value is that of all else, which decides who wins.
 * `max_states` limits the states that all searches visit (see search.c). When they are exhausted, the result is
 * unknown, and names the unsolved cluster with the smallest vertex. With more states no known result becomes unknown.
 * Scratch memory comes from `arena`. Time is charged to `work`, which counts the states, too. */
enum outcome mine_graph_value(const struct mine_graph *graph, enum mine_aim aim, unsigned shortcuts,
                              uint64_t max_states, struct arena *arena, struct work *work,
                              struct mine_nimber *ret_nimber);

/* The winning moves. A move on one of several equal edges or loops is a move, too, although they cancel: it turns an
 * even number into an odd one, and so brings a piece back. */
struct mine_wins {
    bool known;   /* if not, the rest is undefined */
    bool *vertex; /* [vertices] taking it wins */
    bool *loop;   /* [vertices] taking one of its loops wins, if there are any */
    /* The different edges, sorted by a, then b, with a < b, and whether taking one of those equal to it wins. */
    const struct mine_edge *edge_ends;
    bool *edge;
    uint32_t edge_count;
};

/* Like mine_graph_value for the value, and if the value is known, find the winning moves: those that leave 0 in all.
 * The remaining states are used for them. If the whole is worth 0, no move wins, and nothing is searched. If the value
 * is not known, no states remain. graph->any_loop is required. The result is in `arena`. */
enum outcome mine_graph_wins(const struct mine_graph *graph, uint64_t max_states, struct arena *arena,
                             struct work *work, struct mine_nimber *ret_nimber, struct mine_wins *ret_wins);
