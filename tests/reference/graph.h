/* A slow and obvious model of the deletion game: the mex over all moves, memoised by position.
 *
 * It shares no code with src/mine and uses no theory: nothing cancels, nothing splits. A move deletes an edge, a loop,
 * or a vertex with all edges and loops on it; a player who cannot move loses. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct reference_edge {
    unsigned a, b; /* vertices, a != b */
};

struct reference_graph {
    unsigned vertices;
    const unsigned *loops;              /* [vertices] the number of loops on each */
    const struct reference_edge *edges; /* [edge_count] edges may repeat */
    unsigned edge_count;
};

/* The maximum number of positions for reference_graph_nimber, which keeps a byte for each. */
#define REFERENCE_GRAPH_MAX_POSITIONS ((uint64_t)1 << 26)

/* Get the number of positions that the graph could have: each vertex present or not, times the possible counts of each
 * kind of edge and loop. UINT64_MAX if that exceeds the maximum above. */
uint64_t reference_graph_positions(const struct reference_graph *graph);

/* The Grundy value of a graph with at most REFERENCE_GRAPH_MAX_POSITIONS positions; aborts if it has more. */
unsigned reference_graph_nimber(const struct reference_graph *graph);

/* The same, computed for each connected part, with the values xored (which is valid for any sum of games). Returns
 * false, and writes nothing, if a part has more than `max_positions`. */
bool reference_graph_nimber_by_parts(const struct reference_graph *graph, uint64_t max_positions, unsigned *ret_nimber);
