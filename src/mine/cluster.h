/* The deletion game, and a graph with a list of edges for each vertex, for its reduction and search.
 *
 * A vertex is an opening in a Minesweeper field, an edge is a number next to two openings, and a loop a number next to
 * one. A move deletes an edge, a loop, or a vertex with all edges and loops on it. A player who cannot move loses.
 * Vertices, edges and loops are called pieces. */
#pragma once

#include "base/arena.h"

#include <stdbool.h>
#include <stdint.h>

/* An edge between the vertices a and b; a != b. */
struct mine_edge {
    uint32_t a, b;
};

/* The shortcuts that the solver may use (reduce.c has the proofs), as a set of bits. Every subset gives the same
 * nimbers. Outside tests, all of them are always used. */
enum {
    MINE_FORMULA_VERTEX = 1 << 0,    /* one vertex: 1, or 2 with a loop */
    MINE_FORMULA_BIPARTITE = 1 << 1, /* connected, bipartite, no loop: (V mod 2) + 2 (E mod 2) */
    MINE_SPLIT = 1 << 2,             /* connected parts are solved separately */
    MINE_MIRRORS = 1 << 3,           /* twin vertices and equal branches cancel in pairs */
    MINE_ALL_SHORTCUTS = (1 << 4) - 1,
};

/* One of the two ends of an edge, listed at its vertex. */
struct mine_end {
    uint32_t neighbour; /* the vertex at the other end */
    uint32_t edge;
};

/* A graph whose edges are all different. Its arrays belong to its creator. */
struct mine_cluster {
    uint32_t vertices, edges;
    bool *loop;             /* [vertices] whether the vertex has a loop */
    struct mine_edge *edge; /* [edges] */
    bool *present;          /* [edges] whether the edge is present; a move may bring back one that is not */
    /* Written by mine_cluster_link: the ends at v are ends[first_end[v]] to ends[first_end[v + 1] - 1], in ascending
     * edge order. */
    uint32_t *first_end;   /* [vertices + 1]; allocated for vertices + 2 */
    struct mine_end *ends; /* [2 * edges] */
};

/* The effect of a move: a vertex is removed with its edges and its loop. A loop or an edge is removed if it is present;
 * otherwise it comes back, because the move takes one of two equal numbers that had cancelled. */
enum mine_change { MINE_TAKE_VERTEX, MINE_TOGGLE_LOOP, MINE_TOGGLE_EDGE };

/* Allocate the arrays of a cluster of at most this many vertices and edges in `arena`. The contents are undefined.
 * Returns false if memory is exhausted. */
bool mine_cluster_init(struct mine_cluster *cluster, uint32_t vertices, uint32_t edges, struct arena *arena);

/* Fill in first_end and ends from vertices, edges and edge. */
void mine_cluster_link(struct mine_cluster *cluster);
