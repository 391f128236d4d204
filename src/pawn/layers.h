/* The analysis of the crossing-pawn game (layers_template.h): the question, and one function for each of three set
 * sizes. Internal to src/pawn; other code uses solve.h. */
#pragma once

#include "base/arena.h"
#include "base/work.h"
#include "pawn/position.h"

/* A state whose value is wanted. The board and its obstacles are the root's. */
struct pawn_state {
    unsigned red[2], pawn; /* cells; the red pieces in either order */
    enum pawn_side turn;
    bool known;                  /* the verdict is final; true from the start if the game is over */
    struct pawn_verdict verdict; /* a tie in 0 moves until it is known */
};

/* A root position and the states whose values are wanted. states[0] is the root, which is not over; any others are the
 * results of its moves. The analysis for a side determines which of them that side wins. Whatever is still unknown
 * after both analyses is a tie. */
struct pawn_question {
    const struct pawn_position *root;
    struct pawn_state states[1 + PAWN_MAX_MOVES];
    unsigned count; /* the number of states, at least 1 */
    bool wants_line;
    struct pawn_move *line; /* [states[0].verdict.steps], in the arena; NULL until the line of a won root is written */
};

/* Find the states in `question` that `side` wins, and in how many moves, and mark them as known. If a line is wanted
 * and `side` wins the root, write the line, too. The root must be valid, not over, and of a size that the function
 * supports. Of the allocations in `arena`, only the line is used afterwards. If the outcome is not OUTCOME_DONE, the
 * question must not be used any more.
 *
 * There are three functions: for boards of at most 64 cells; for boards of at most 128 cells in rows of fewer than 64;
 * and for any board. Their sets are as large as the largest board that they support. An 8 x 8 board takes 0.6 times as
 * long with the smallest sets; a 10 x 10 board takes 1.5 times as long with the largest. */
typedef enum outcome pawn_layers_analyse(struct pawn_question *question, enum pawn_side side, struct arena *arena,
                                         struct work *work);
pawn_layers_analyse pawn_layers_analyse_64, pawn_layers_analyse_128, pawn_layers_analyse_256;
