/* The analysis of layers_template.h for boards of at most 64 cells. */
#pragma once

#include "base/arena.h"
#include "base/work.h"
#include "pawn/question.h"

/* Like pawn_layers_grow_128, with half the memory. On boards of 8 x 8, which both accept, it takes 0.6 of the time. */
enum outcome pawn_layers_grow_64(struct pawn_question *question, enum pawn_side side, struct arena *arena,
                                 struct work *work);
