/* A slow but obvious model of the deletion game: the mex over all moves, memoised by position.
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

/* The maximum number of positions for reference_graph_nimber, which stores a byte for each. */
#define REFERENCE_GRAPH_MAX_POSITIONS ((uint64_t)1 << 26)

/* Get an upper bound on the number of positions of a graph: each vertex is present or not, and of each kind of edge and
 * loop, any number can be left. Returns UINT64_MAX if the bound exceeds the maximum above. */
uint64_t reference_graph_positions(const struct reference_graph *graph);

/* Get the Grundy value of a graph with at most REFERENCE_GRAPH_MAX_POSITIONS positions. Aborts if it has more. */
unsigned reference_graph_nimber(const struct reference_graph *graph);

/* The same, but xors the values of the connected parts, which is valid for any sum of games. Returns false, and writes
 * nothing, if a part has more than `max_positions`. */
bool reference_graph_nimber_by_parts(const struct reference_graph *graph, uint64_t max_positions, unsigned *ret_nimber);
