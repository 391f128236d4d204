/* A graph with its edges listed at each vertex: what is reduced and searched. Inside the room. */
#pragma once

#include "base/arena.h"
#include "mine/deletion.h"

#include <stdbool.h>

/* One of the two ends of an edge, seen from the vertex where it is. */
struct mine_end {
    uint32_t neighbour; /* the vertex at the other end */
    uint32_t edge;
};

/* A graph whose edges are all different. Its arrays belong to whoever made it. */
struct mine_cluster {
    uint32_t vertices, edges;
    bool *loop;             /* [vertices] whether a loop stands at the vertex */
    struct mine_edge *edge; /* [edges] */
    bool *present;          /* [edges] whether the edge stands; those that do not may come back as a move's result */
    /* Written by mine_cluster_link: the ends at v are ends[first_end[v]] to ends[first_end[v + 1] - 1], by rising edge.
     */
    uint32_t *first_end;   /* [vertices + 1]; room for vertices + 2 */
    struct mine_end *ends; /* [2 * edges] */
};

/* What a move does to a piece: a vertex goes with its edges and loop; a loop or an edge goes if it stands, and comes if
 * it does not, because one of two equal numbers that had cancelled is taken. */
enum mine_change { MINE_TAKE_VERTEX, MINE_TOGGLE_LOOP, MINE_TOGGLE_EDGE };

/* Allocate the arrays of a cluster of at most so many vertices and edges in `arena`; its contents are undefined. False
 * when memory is exhausted. */
bool mine_cluster_init(struct mine_cluster *cluster, uint32_t vertices, uint32_t edges, struct arena *arena);

/* Write first_end and ends from vertices, edges and edge. */
void mine_cluster_link(struct mine_cluster *cluster);

/* Check a linked cluster, for assertions: the ends of each edge are two different vertices, the ends listed at a vertex
 * are those of its edges, by rising edge, and no two edges are equal (looked for at vertices of few edges only, so that
 * the time is in proportion to vertices and edges). */
bool mine_cluster_is_consistent(const struct mine_cluster *cluster);
