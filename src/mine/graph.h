/* The deletion game (cluster.h) on a graph: its nimber, and its winning moves. Public. */
#pragma once

#include "base/arena.h"
#include "base/work.h"
#include "mine/cluster.h"

#include <stdbool.h>
#include <stdint.h>

/* A graph in which edges can repeat. Two equal edges cancel, because the second player answers a move on one with a
 * move on the other. For the same reason, loops are given by their parity. The arrays belong to the caller. */
struct mine_graph {
    uint32_t vertices;
    const bool *loop; /* [vertices] whether the number of loops is odd */
    const struct mine_edge *edges;
    uint32_t edge_count;
    const bool *any_loop; /* [vertices] whether there is a loop; can be NULL if winning moves are not wanted */
    uint32_t other_value; /* the Grundy value of whatever is played beside the graph */
};

/* The Grundy value, if known, of a graph together with whatever is played beside it. */
struct mine_nimber {
    bool known;
    bool won;        /* if not known: the first player is still known to win, because the value is not 0 */
    uint32_t nimber; /* if known */
    uint32_t first;  /* if not known: the smallest vertex of the cluster that was not solved */
    uint32_t cluster_vertices, cluster_numbers; /* its number of vertices, and of edges and loops after equal ones
                                                 * have cancelled */
};

/* The aim of a search: the value, or just the winner if that is enough. The search stops as soon as it is known. */
enum mine_aim { MINE_NIMBER, MINE_WINNER };

/* Find the Grundy value of a graph together with whatever is played beside it. Each connected cluster is solved,
 * smallest first. For the last one there is a second question: does its value equal that of everything else? That
 * decides who wins. `max_states` limits the states that all searches together visit (see search.c). If they run out,
 * the result is unknown, and names the unsolved cluster with the smallest vertex. Raising the limit never makes a known
 * result unknown. Scratch memory comes from `arena`. Time is charged to `work`, which also counts the states. */
enum outcome mine_graph_value(const struct mine_graph *graph, enum mine_aim aim, unsigned shortcuts,
                              uint64_t max_states, struct arena *arena, struct work *work,
                              struct mine_nimber *ret_nimber);

/* The winning moves. Taking one of several equal edges or loops is a move even if they have cancelled: it makes an even
 * number odd, which brings a piece back. */
struct mine_wins {
    bool known;   /* if not, the rest is undefined */
    bool *vertex; /* [vertices] taking it wins */
    bool *loop;   /* [vertices] taking one of its loops wins, if there are any */
    /* The distinct edges, sorted by a, then b, with a < b; and whether taking an edge equal to this one wins. */
    const struct mine_edge *edge_ends;
    bool *edge;
    uint32_t edge_count;
};

/* A connected cluster of a graph. */
struct mine_valued_cluster {
    uint32_t first;             /* its smallest vertex */
    uint32_t vertices, numbers; /* as in struct mine_nimber */
    bool known;                 /* the search found its Grundy value */
    uint32_t nimber;            /* if known */
};

/* All clusters of a graph, including vertices without edges, by their smallest vertices. Its value is the xor of
 * theirs. */
struct mine_clusters {
    uint32_t total;
    struct mine_valued_cluster *items;
    uint32_t count; /* the number of `items`: the first clusters */
};

/* Find the value like mine_graph_value and, unless they are NULL, one of these lists or both, in `arena`: the winning
 * moves, which leave a total value of 0, if the value is known and with the remaining states (if the total is 0
 * already, no move wins, and nothing is searched; requires graph->any_loop); and at most `max` clusters, which take no
 * states of their own, because the value is found cluster by cluster. If it is not known, no states are left. */
enum outcome mine_graph_value_with_lists(const struct mine_graph *graph, uint64_t max_states, uint32_t max,
                                         struct arena *arena, struct work *work, struct mine_nimber *ret_nimber,
                                         struct mine_wins *ret_wins, struct mine_clusters *ret_clusters);
