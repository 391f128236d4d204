/* The deletion game on a graph, and its nimber.
 *
 * A vertex is an opening, an edge a number next to two openings, a loop a number next to one. A move deletes an edge, a
 * loop, or a vertex with all edges and loops on it; who cannot move loses. */
#pragma once

#include "base/arena.h"
#include "base/work.h"

#include <stdbool.h>
#include <stdint.h>

struct mine_edge {
    uint32_t a, b; /* vertices, a != b */
};

/* Edges may repeat: equal ones cancel in pairs, since they are twins with the same neighbours. Loops are given by their
 * parity for the same reason. */
struct mine_graph {
    uint32_t vertices;
    const bool *loop; /* [vertices] an odd number of loops hangs here */
    const struct mine_edge *edges;
    uint32_t edge_count;
};

/* Which shortcuts the solver may take; every subset gives the same nimbers. All on outside tests. */
enum {
    MINE_FORMULA_VERTEX = 1 << 0,    /* one vertex: 1, with a loop 2 */
    MINE_FORMULA_BIPARTITE = 1 << 1, /* connected, bipartite, no loop: (V mod 2) + 2 (E mod 2) */
    MINE_SPLIT = 1 << 2,             /* parts that hang together no more are solved apart */
    MINE_MIRRORS = 1 << 3,           /* twin vertices and equal branches vanish in pairs */
    MINE_ALL_SHORTCUTS = (1 << 4) - 1,
};

/* How often each rule fired: tests pin these to show what they cover. */
struct mine_tally {
    uint64_t states, vertex, bipartite, splits, mirrors, memo_hits;
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
enum outcome mine_graph_nimber(const struct mine_graph *graph, unsigned shortcuts, uint64_t max_states,
                               struct arena *arena, struct work *work, struct mine_tally *tally,
                               struct mine_nimber *ret_nimber);
