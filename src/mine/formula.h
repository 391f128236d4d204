/* Formulas for the Grundy values of whole graphs. reduce.c has the proofs. Internal to src/mine. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* The value of a single vertex. */
static inline uint32_t mine_vertex_value(bool loop) { return loop ? 2 : 1; }

/* The value of a connected bipartite graph without loops. */
static inline uint32_t mine_bipartite_value(uint32_t vertices, uint32_t edges) {
    return vertices % 2 + 2 * (edges % 2);
}
