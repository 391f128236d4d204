/* The analysis of layers_template.h for boards of at most 128 cells, in rows of less than 64. */
#pragma once

#include "base/arena.h"
#include "base/work.h"
#include "pawn/question.h"

/* Find the states of `question` that the player `side` wins, and in how many moves, and mark these as known. If a line
 * is wanted and `side` wins the root, write it, too. The root must be valid, not over, and of a size as above. Of the
 * allocations in `arena` only the line is used afterwards. If the outcome is not OUTCOME_DONE, the question must not be
 * used any more. */
enum outcome pawn_layers_analyse_128(struct pawn_question *question, enum pawn_side side, struct arena *arena,
                                     struct work *work);
