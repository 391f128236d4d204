/*
 * Slow but obvious models of Minesweeper on fields of characters: '*' is a mine, anything else is not.
 *
 * They share no code with src/mine. The first plays cell by cell, and knows nothing about openings beyond what a click
 * reveals. The second counts by flood fill. The third writes down the graph of openings exactly as defined, with every
 * number as a separate edge: a solver that cancels equal numbers must arrive at the same value. Each can start in the
 * middle of a game.
 */
#pragma once

#include "reference/graph.h"

#include <stdbool.h>

/* The maximum number of cells without mines for reference_mine_nimber. */
enum { REFERENCE_MINE_MAX_CELLS = 20 };

/* Get the Grundy value of a field by mex over all sets of face-down cells. Aborts if the field has more than 32 cells,
 * or more than REFERENCE_MINE_MAX_CELLS cells without mines. */
unsigned reference_mine_nimber(unsigned rows, unsigned cols, const char *cells);

/* The same, and find the winning first clicks: those that leave a value of 0. They are marked in ret_wins[rows * cols],
 * openings only at their first blank. */
unsigned reference_mine_clicks(unsigned rows, unsigned cols, const char *cells, bool *ret_wins);

/* The result of cell-by-cell play. Cells without mines get bits in row-major order. */
struct reference_mine_play {
    unsigned safe;                             /* cells without mines */
    unsigned bit_of_cell[32];                  /* for the safe cells */
    uint32_t turned[REFERENCE_MINE_MAX_CELLS]; /* by bit: the cells that a click reveals if all cells are face down */
    unsigned char *values;                     /* [2 to the power of safe] the Grundy value of each set of face-down
                                                * cells; valid until the next field is played */
};

/* Play all games on a field small enough for reference_mine_nimber. */
void reference_mine_play(unsigned rows, unsigned cols, const char *cells, struct reference_mine_play *ret_play);

/* Find the winning clicks when these cells are face down, in ret_wins[rows * cols] as in reference_mine_clicks. */
void reference_mine_wins_among(unsigned rows, unsigned cols, const char *cells, const struct reference_mine_play *play,
                               uint32_t face_down, bool *ret_wins);

/* Click a cell on a field of any size, and mark the revealed cells in face_up[rows * cols]. Returns false, and does
 * nothing, if the cell is face up or a mine. */
bool reference_mine_click(unsigned rows, unsigned cols, const char *cells, unsigned cell, bool *face_up);

/* Write the content of every cell to ret_cells[rows * cols]: '1' to '8', '.' for a blank, '*' for a mine. */
void reference_mine_show(unsigned rows, unsigned cols, const char *cells, char *ret_cells);

struct reference_mine_counts {
    unsigned openings;
    unsigned three_bv;        /* openings, plus numbers next to no opening */
    unsigned shared_numbers;  /* numbers next to exactly two openings */
    unsigned crowded_numbers; /* numbers next to three or more openings; must be 0 */
};

struct reference_mine_counts reference_mine_count(unsigned rows, unsigned cols, const char *cells);

/* The same for the face-down cells. Here and below, face_up[rows * cols] can be NULL if all cells are face down. */
struct reference_mine_counts reference_mine_count_left(unsigned rows, unsigned cols, const char *cells,
                                                       const bool *face_up);

/* The graph whose vertices are the openings, in row-major order of their first blanks. Every number next to two
 * openings is an edge, and every number next to one is a loop. Numbers next to none are only counted. */
struct reference_mine_graph {
    struct reference_graph graph;
    unsigned isolated_numbers;
    unsigned *first_blank; /* [graph.vertices] row * cols + col */
};

/* Make the graph of a field. Aborts if there is a crowded number. Free the graph with reference_mine_graph_clear. */
struct reference_mine_graph reference_mine_graph(unsigned rows, unsigned cols, const char *cells);
struct reference_mine_graph reference_mine_graph_left(unsigned rows, unsigned cols, const char *cells,
                                                      const bool *face_up);
void reference_mine_graph_clear(struct reference_mine_graph *graph);

/* A set of openings that are connected by shared numbers, of which equal ones cancel in pairs. */
struct reference_mine_cluster {
    unsigned first_blank;       /* of its first opening: row * cols + col */
    unsigned openings, numbers; /* numbers that are left */
    bool small_enough;          /* it has at most max_positions */
    unsigned nimber;            /* if it is small enough */
};

/* Find the clusters of the face-down cells, by their first blanks: cancel numbers pair by pair, flood what is left, and
 * play each cluster on its own. ret_clusters[openings]. Returns their number. */
unsigned reference_mine_clusters(unsigned rows, unsigned cols, const char *cells, const bool *face_up,
                                 uint64_t max_positions, struct reference_mine_cluster *ret_clusters);

/* Find the winning first clicks by playing each click on that graph. Returns false if a part has more than
 * `max_positions`. */
bool reference_mine_clicks_by_graph(unsigned rows, unsigned cols, const char *cells, uint64_t max_positions,
                                    bool *ret_wins);

/* The same in the middle of a game. */
bool reference_mine_clicks_left(unsigned rows, unsigned cols, const char *cells, const bool *face_up,
                                uint64_t max_positions, bool *ret_wins);

/* Count the numbers next to the same openings as the number `cell`, including itself. Returns 0 if `cell` is not a
 * number next to an opening. */
unsigned reference_mine_equals(unsigned rows, unsigned cols, const char *cells, unsigned cell);
