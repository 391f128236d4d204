/* A question for the analysis of the crossing-pawn game, and its results. Internal to src/pawn; users call solve.h. */
#pragma once

#include "pawn/position.h"

/* A state whose value is asked for. The board and its obstacles are those of the root. */
struct pawn_state {
    unsigned red[2], pawn; /* cells; the red ones in either order */
    enum pawn_side turn;
    bool known;                  /* the verdict is final; true from the beginning if the game is over */
    struct pawn_verdict verdict; /* a tie in 0 moves until it is known */
};

/* A root position and the states whose values are asked for. states[0] is the root, which is not over; the others, if
 * any, are the results of its moves. The analysis for a side makes known which of them that side wins. After both
 * analyses the others are ties. */
struct pawn_question {
    const struct pawn_position *root;
    struct pawn_state states[1 + PAWN_MAX_MOVES];
    unsigned count; /* the number of states, at least 1 */
    bool wants_line;
    struct pawn_move *line; /* [states[0].verdict.steps], in the arena; NULL until the line of a won root is written */
};
