/* Who wins a position of the crossing-pawn game under best play, in how many moves, and by which.
 *
 * Retrograde analysis: see solve.c. Nothing is kept between calls; any thread may call, each with its own arena. */
#pragma once

#include "base/arena.h"
#include "base/work.h"
#include "pawn/position.h"

/* Solve `position`. Scratch memory comes from `arena` and is of no use afterwards. DONE, NO_MEMORY or OUT_OF_WORK. */
enum outcome pawn_solve(const struct pawn_position *position, struct arena *arena, struct work *work,
                        struct pawn_verdict *ret_verdict);

/* How far an analysis goes. */
enum pawn_scope {
    PAWN_VERDICT, /* the root's value */
    PAWN_LINE,    /* and every value along a best line from it */
    PAWN_MOVES,   /* and the values of all moves at the root */
};

struct pawn_analysis;

/* Analyse `root`. The analysis lives in `arena` and dies with its reset. DONE, NO_MEMORY or OUT_OF_WORK. */
enum outcome pawn_analyse(const struct pawn_position *root, enum pawn_scope scope, struct arena *arena,
                          struct work *work, struct pawn_analysis **ret_analysis);

/* The value of the root. */
struct pawn_verdict pawn_root_verdict(const struct pawn_analysis *analysis);

struct pawn_ranked_move {
    struct pawn_move move;
    struct pawn_verdict verdict; /* its steps count this move too */
};

/* The legal moves of a position in the order of the mover's preference: wins by rising steps, ties, losses by falling
 * steps; equal ones by `from`, then `to`. Their count; 0 when the game is over. With PAWN_MOVES for the root; with
 * PAWN_LINE for the positions of the best line, where the first move is right and later ones may be taken for ties. */
unsigned pawn_rank_moves(const struct pawn_analysis *analysis, const struct pawn_position *position,
                         struct pawn_ranked_move ret_moves[PAWN_MOST_MOVES]);
