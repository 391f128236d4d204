/* A textbook implementation of the crossing pawn: all states, an explicit list of edges, and retrograde analysis with a
 * queue, starting from the final states. Shares no code with src/pawn except the type of a position. */
#pragma once

#include "pawn/position.h"

struct baseline_pawn;

/* Compute values until the root's is known or, with `all`, those of all states. Aborts when out of memory. */
struct baseline_pawn *baseline_pawn_new(const struct pawn_position *root, bool all);
void baseline_pawn_free(struct baseline_pawn *solved);

/* Get the value of a position with the same obstacles: of any one if `all` was set, otherwise only of the root. */
struct pawn_verdict baseline_pawn_value(const struct baseline_pawn *solved, const struct pawn_position *position);
