/* Finds the winner of a position of the crossing-pawn game under best play, the number of moves, and the moves.
 *
 * By retrograde analysis: see layers_template.h. Nothing is kept between calls. Any thread may call, each with its own
 * arena. */
#pragma once

#include "base/arena.h"
#include "base/work.h"
#include "pawn/position.h"

/* The results that may be asked for beside the verdict: an or of these. */
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
    /* With PAWN_MOVES: the legal moves in the order of the mover's preference: wins by rising steps, ties, losses by
     * falling steps; equal ones by `from`, then `to`. Empty when the game is over. */
    struct pawn_ranked_move moves[PAWN_MAX_MOVES];
    unsigned move_count;
    /* With PAWN_LINE: verdict.steps moves from the root, each the first in that order. In the arena; NULL if it is not
     * asked for, or has no move. */
    const struct pawn_move *line;
};

/* Find who wins `position`, and in how many moves, and what `wants` asks for: an or of the above, or 0. The position
 * must be valid. If it is over, the result has 0 steps, no moves and an empty line. docs/measurements.md says how time
 * and memory grow. Work is charged to `work` before it is done. The line is in `arena`; other allocations there are not
 * used afterwards. */
enum outcome pawn_solve(const struct pawn_position *position, unsigned wants, struct arena *arena, struct work *work,
                        struct pawn_answer *ret_answer);
