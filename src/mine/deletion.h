/* The deletion game on a graph: the types that all files of src/mine share. Public, by way of graph.h.
 *
 * A vertex is an opening of a Minesweeper field, an edge a number next to two openings, a loop a number next to one. A
 * move deletes an edge, a loop, or a vertex with all edges and loops on it. A player who cannot move loses. Vertices,
 * edges and loops are called pieces. */
#pragma once

#include <stdint.h>

/* An edge between the vertices a and b; a != b. */
struct mine_edge {
    uint32_t a, b;
};

/* The shortcuts that the solver may use (reduce.c has the proofs), as a set of bits. Every subset gives the
 * same nimbers. Outside of tests it is always all. */
enum {
    MINE_FORMULA_VERTEX = 1 << 0,    /* one vertex: 1, with a loop 2 */
    MINE_FORMULA_BIPARTITE = 1 << 1, /* connected, bipartite, no loop: (V mod 2) + 2 (E mod 2) */
    MINE_SPLIT = 1 << 2,             /* connected parts are solved separately */
    MINE_MIRRORS = 1 << 3,           /* twin vertices and equal branches cancel in pairs */
    MINE_ALL_SHORTCUTS = (1 << 4) - 1,
};

/* What a search did. */
struct mine_stats {
    uint64_t states;   /* parts that it visited; large ones count more than once: see search.c */
    uint64_t clusters; /* of at least two vertices */
    uint32_t largest;  /* the most pieces of a part that was searched */
};
