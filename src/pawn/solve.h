/* Who wins a position of the crossing-pawn game under best play, in how many moves, and by which.
 *
 * Retrograde analysis: see layers_template.h. Nothing is kept between calls; any thread may call, each with its own
 * arena. */
#pragma once

#include "base/arena.h"
#include "base/work.h"
#include "pawn/position.h"

/* What is wanted beside the verdict: an or of these. */
enum {
    PAWN_MOVES = 1 << 0,
    PAWN_LINE = 1 << 1,
};

struct pawn_ranked_move {
    struct pawn_move move;
    struct pawn_verdict verdict; /* its steps count this move too */
};

struct pawn_answer {
    struct pawn_verdict verdict;
    /* With PAWN_MOVES: the legal moves in the order of the mover's preference: wins by rising steps, ties, losses by
     * falling steps; equal ones by `from`, then `to`. None when the game is over. */
    struct pawn_ranked_move moves[PAWN_MAX_MOVES];
    unsigned move_count;
    /* With PAWN_LINE: verdict.steps moves from the root, each the first in that order. In the arena; NULL when it is
     * not wanted or has no move. */
    const struct pawn_move *line;
};

/* Find out who wins `position`, in how many moves, and what else is wanted: `wants` is an or of the above, or 0. The
 * position must be valid; it may be over, and then it has 0 steps, no moves and an empty line. How time and
 * memory grow stands in ARCHITECTURE.md; work is charged to `work` before it is done. The line lives in `arena`; what
 * else is allocated there is not used afterwards. */
enum outcome pawn_solve(const struct pawn_position *position, unsigned wants, struct arena *arena, struct work *work,
                        struct pawn_answer *ret_answer);
