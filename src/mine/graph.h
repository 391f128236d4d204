/* The deletion game (deletion.h) on a graph: its nimber, and which moves win. Public. */
#pragma once

#include "base/arena.h"
#include "base/work.h"
#include "mine/deletion.h"

#include <stdbool.h>
#include <stdint.h>

/* Edges may repeat: equal ones cancel in pairs, since they are twins with the same neighbours. Loops are given by their
 * parity for the same reason. */
struct mine_graph {
    uint32_t vertices;
    const bool *loop; /* [vertices] an odd number of loops hangs here */
    const struct mine_edge *edges;
    uint32_t edge_count;
    const bool *any_loop; /* [vertices] some loop hangs here; NULL where nobody asks for wins */
};

struct mine_nimber {
    bool known;
    uint32_t nimber; /* when known */
    uint32_t first;  /* when not: the smallest vertex of the cluster that was not solved, ... */
    uint32_t cluster_vertices, cluster_numbers; /* ... its vertices, its edges and loops after equal ones cancelled */
};

/* The Grundy value of the graph. Each connected cluster is solved, smallest first; `max_states` bounds the positions
 * visited by search over all of them, and when it is used up the answer is unknown, naming among the clusters that were
 * not solved the one with the smallest vertex. `tally` may be NULL. Scratch memory comes from `arena`. */
enum work_outcome mine_graph_nimber(const struct mine_graph *graph, unsigned shortcuts, uint64_t max_states,
                                    struct arena *arena, struct work *work, struct mine_tally *tally,
                                    struct mine_nimber *ret_nimber);

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

/* As mine_graph_nimber, for the graph beside a game worth `beside`; and when the nimber is known, which moves on the
 * graph leave 0 in all, within the states that are left. Nothing is searched for that when the whole is worth 0: then
 * no move wins. Everything that is returned lives in `arena`. */
enum work_outcome mine_graph_wins(const struct mine_graph *graph, uint32_t beside, uint64_t max_states,
                                  struct arena *arena, struct work *work, struct mine_tally *tally,
                                  struct mine_nimber *ret_nimber, struct mine_wins *ret_wins);
