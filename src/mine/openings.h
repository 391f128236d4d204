/* The openings in a Minesweeper field, and the numbers next to them, excluding what is face up already. Internal to
 * src/mine. */
#pragma once

#include "base/arena.h"
#include "base/work.h"
#include "mine/field.h"
#include "mine/graph.h"

enum { MINE_NO_OPENING = UINT32_MAX };

/* A run of blanks in a row: columns `start` to `end` - 1. */
struct mine_run {
    uint16_t start, end;
    union {
        uint32_t parent;  /* while openings are being found: an earlier run of the same opening, or itself */
        uint32_t opening; /* after that: its opening */
    };
};

/* The openings and numbers in a field. Openings are numbered in the row-major order of their first blanks. */
struct mine_openings {
    const struct mine_field *field;
    unsigned words;          /* per row */
    const uint64_t *gone;    /* [rows][words] cells that cannot be clicked: mines, and cells that are face up */
    uint64_t *near;          /* [rows][words] the same cells, and the neighbours of mines; all other cells are blanks */
    struct mine_run *runs;   /* in row-major order */
    uint32_t *row_runs;      /* [rows + 1] the runs of row r are row_runs[r] to row_runs[r + 1] - 1 */
    struct mine_graph graph; /* vertices: openings; edges: numbers next to two; loops: numbers next to one */
    uint32_t *first_blank;   /* [graph.vertices] row * cols + col */
    uint32_t isolated_numbers; /* numbers next to no opening */
    uint32_t shared_numbers;   /* numbers next to two: graph.edge_count before equal ones cancel */
    uint64_t *blanks, *reach;  /* [words] scratch while a row is read: the blanks of three rows, and the columns that
                                * they reach */
};

/* Find a field's openings, and the graph that they and the numbers form, both excluding what is face up. The field must
 * outlive the result. Everything is in `arena`. */
enum outcome mine_find_openings(const struct mine_field *field, struct arena *arena, struct work *work,
                                struct mine_openings *ret_openings);

/* Mark the winning numbers in row `r` as bits in ret_marked[words]. Those next to no opening win if `isolated`, the
 * others by `wins`, which is known. r < rows. */
void mine_mark_numbers(struct mine_openings *openings, unsigned r, bool isolated, const struct mine_wins *wins,
                       uint64_t *ret_marked);

/* Get the clickable numbers in word `w` of row `r`, as bits: cells without a mine that have a mine next to them. */
static inline uint64_t mine_numbers(const struct mine_openings *openings, unsigned r, unsigned w) {
    size_t at = (size_t)r * openings->words + w;
    return openings->near[at] & ~openings->gone[at];
}
