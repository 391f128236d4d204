/* The analysis of layers_template.h for boards of at most 256 cells, in rows of any length. */
#pragma once

#include "base/arena.h"
#include "base/work.h"
#include "pawn/question.h"

/* Like pawn_layers_analyse_128, for every board. A set is twice as large. On boards of 10 x 10, which both accept, it
 * takes 1.7 times the instructions and 1.5 times the time. */
enum outcome pawn_layers_analyse_256(struct pawn_question *question, enum pawn_side side, struct arena *arena,
                                     struct work *work);
