/* Finds out who wins a position in the crossing-pawn game under best play, in how many moves, and by which moves.
 *
 * Uses retrograde analysis: see layers_template.h. Nothing is kept between calls. Can be called from several threads,
 * each with its own arena. */
#pragma once

#include "base/arena.h"
#include "base/work.h"
#include "pawn/position.h"

/* Optional parts of the answer, besides the verdict; combine with |. */
enum {
    PAWN_MOVES = 1 << 0,
    PAWN_LINE = 1 << 1,
};

struct pawn_ranked_move {
    struct pawn_move move;
    struct pawn_verdict verdict; /* its steps include this move */
};

struct pawn_answer {
    struct pawn_verdict verdict;
    /* With PAWN_MOVES: the legal moves, best first for the player who moves: wins by increasing steps, ties, losses by
     * decreasing steps; equal ones by `from`, then `to`. Empty if the game is over. */
    struct pawn_ranked_move moves[PAWN_MAX_MOVES];
    unsigned move_count;
    /* With PAWN_LINE: verdict.steps moves from the root, each the first in that order. In the arena; NULL if not
     * requested, or if there are no moves. */
    const struct pawn_move *line;
};

/* Determine who wins `position`, in how many moves, and whatever `wants` asks for: a combination of the above, or 0.
 * The position must be valid. If it is over, the result has 0 steps, no moves and an empty line. docs/measurements.md
 * shows how time and memory grow. Work is charged to `work` in advance. The line is in `arena`; other allocations there
 * are not used afterwards. */
enum outcome pawn_solve(const struct pawn_position *position, unsigned wants, struct arena *arena, struct work *work,
                        struct pawn_answer *ret_answer);
