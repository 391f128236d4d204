/* One player's wins in the crossing-pawn game, layer by layer: inside the room, users call solve.h. */
#pragma once

#include "base/arena.h"
#include "base/work.h"
#include "pawn/position.h"

/* A state whose value is asked for. Its obstacles are the root's. */
struct pawn_watched {
    unsigned red[2], pawn;
    enum pawn_side turn;
    bool known;
    struct pawn_verdict verdict; /* a tie in 0 until it is known */
};

/* What an analysis is about: states[0] is the root, the others can be reached from it; none is over. */
struct pawn_question {
    const struct pawn_position *root;
    struct pawn_watched states[1 + PAWN_MOST_MOVES];
    unsigned count;
    bool wants_line;
    struct pawn_move *line; /* when it is wanted and the root is won: [steps], in the arena */
};

/* Grow the set of states that `side` wins, until every state of the question is known or nothing grows. Of the arena
 * only the line is of use afterwards. For boards of at most 128 cells in rows of less than 64,
 * and of at most 256 cells. */
enum work_outcome pawn_grow_128(struct pawn_question *question, enum pawn_side side, struct arena *arena,
                                struct work *work);
enum work_outcome pawn_grow_256(struct pawn_question *question, enum pawn_side side, struct arena *arena,
                                struct work *work);
