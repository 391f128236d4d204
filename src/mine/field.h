/* What a Minesweeper field looks like once it is turned over: its openings, and the numbers next to them. */
#pragma once

#include "base/arena.h"
#include "base/work.h"
#include "mine/graph.h"
#include "mine/solve.h"

/* Openings are numbered in the row-major order of their first blanks. */
struct mine_openings {
    struct mine_graph graph; /* vertices: openings; edges: numbers next to two; loops: parity of those next to one */
    const uint32_t *first_blank; /* [graph.vertices] row * cols + col */
    uint32_t lone_numbers;       /* numbers next to no opening */
    uint32_t shared_numbers;     /* numbers next to two: graph.edge_count before equal ones cancel */
};

/* Find the openings of a field. Everything is allocated in `arena`. */
enum outcome mine_find_openings(const struct mine_field *field, struct arena *arena, struct work *work,
                                struct mine_openings *ret_openings);
