/* What a Minesweeper field looks like once it is turned over: its openings, and the numbers next to them. What is face
 * up already does not count. Inside the room. */
#pragma once

#include "base/arena.h"
#include "base/work.h"
#include "mine/field.h"
#include "mine/graph.h"

enum { MINE_NO_OPENING = UINT32_MAX };

/* A run of blanks in a row, columns from `start` to `end` - 1. */
struct mine_run {
    uint16_t start, end;
    union {
        uint32_t parent;  /* while openings are being found: an earlier run of the same opening, or itself */
        uint32_t opening; /* afterwards */
    };
};

/* What there is on a field. Openings are numbered in the row-major order of their first blanks. */
struct mine_openings {
    const struct mine_field *field;
    unsigned words;            /* in a row */
    const uint64_t *gone;      /* [rows][words] cells that nobody can click: mines, and what is face up */
    uint64_t *near;            /* [rows][words] these, and cells with a mine beside them: what is not here is blank */
    struct mine_run *runs;     /* in row-major order */
    uint32_t *row_runs;        /* [rows + 1] the runs of row r are row_runs[r] to row_runs[r + 1] - 1 */
    struct mine_graph graph;   /* vertices: openings; edges: numbers next to two; loops: numbers next to one */
    uint32_t *first_blank;     /* [graph.vertices] row * cols + col */
    uint32_t isolated_numbers; /* numbers next to no opening */
    uint32_t shared_numbers;   /* numbers next to two: graph.edge_count before equal ones cancel */
    uint64_t *blanks, *reach;  /* [words] while a row is read: blanks around it, and what is beside them */
};

/* Find the openings of a field, which outlives them, and the graph that they make with the numbers, both as far as they
 * are face down. Everything is kept in `arena`. */
enum outcome mine_find_openings(const struct mine_field *field, struct arena *arena, struct work *work,
                                struct mine_openings *ret_openings);

/* Which numbers to mark. */
struct mine_clicks_wanted {
    bool isolated;   /* those next to no opening */
    const bool *own; /* [graph.vertices] those next to one opening, by its number */
    bool (*shared)(const void *context, uint32_t a, uint32_t b); /* those next to two, by their numbers, in any order */
    const void *context;                                         /* for `shared` */
};

/* Mark the wanted numbers of row `r` as bits: ret_marked[words]. r < rows. */
void mine_mark_numbers(struct mine_openings *openings, unsigned r, const struct mine_clicks_wanted *wanted,
                       uint64_t *ret_marked);

/* Get the numbers of word `w` of row `r` that can be clicked, as bits: cells without a mine that have one beside them.
 */
static inline uint64_t mine_numbers(const struct mine_openings *openings, unsigned r, unsigned w) {
    size_t at = (size_t)r * openings->words + w;
    return openings->near[at] & ~openings->gone[at];
}
