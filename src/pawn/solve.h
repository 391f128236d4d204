/* Who wins a position of the crossing-pawn game under best play, and in how many moves.
 *
 * Retrograde analysis: see solve.c. Nothing is kept between calls; any thread may call, each with its own arena. */
#pragma once

#include "base/arena.h"
#include "base/work.h"
#include "pawn/position.h"

/* Solve `position`. Scratch memory comes from `arena` and is of no use afterwards. DONE, NO_MEMORY or OUT_OF_WORK. */
enum outcome pawn_solve(const struct pawn_position *position, struct arena *arena, struct work *work,
                        struct pawn_verdict *ret_verdict);
