/* The crossing pawn written in the textbook way: all states, an explicit list of edges, retrograde analysis from the
 * ends with a queue. Shares no code with src/pawn except the type of a position. */
#pragma once

#include "pawn/position.h"

struct baseline_pawn;

/* Value the states of the board until the root is known or, with `all`, every one of them. Aborts when out of
 * memory. */
struct baseline_pawn *baseline_pawn_new(const struct pawn_position *root, bool all);
void baseline_pawn_free(struct baseline_pawn *solved);

/* Get the value of any position with the board's obstacles, if `all` was set; otherwise that of the root. */
struct pawn_verdict baseline_pawn_value(const struct baseline_pawn *solved, const struct pawn_position *position);
