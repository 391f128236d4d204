/* What an analysis of the crossing-pawn game is asked, and what it has found: inside the room, users call solve.h. */
#pragma once

#include "pawn/position.h"

/* A state whose value is asked for. Its board and obstacles are the root's. */
struct pawn_watched {
    unsigned red[2], pawn; /* cells; the red ones in either order */
    enum pawn_side turn;
    bool known;                  /* is the verdict final? From the beginning where the game is over. */
    struct pawn_verdict verdict; /* a tie, in 0 moves, until it is known */
};

/* A root position and the states whose values are asked for: states[0] is the root itself, which is not over; the
 * others, if there are any, are what its moves lead to. An analysis for one side makes known which of them that side
 * wins; after both the others are ties. */
struct pawn_question {
    const struct pawn_position *root;
    struct pawn_watched states[1 + PAWN_MAX_MOVES];
    unsigned count; /* of states, at least 1 */
    bool wants_line;
    struct pawn_move *line; /* [states[0].verdict.steps], in the arena; NULL until a root that is won has one */
};
