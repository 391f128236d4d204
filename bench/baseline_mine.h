/* A textbook implementation of Minesweeper: eight neighbours per cell, a queue per opening, and the textbook value of
 * an opening (1, or 2 if its number of numbers is odd), which is correct as long as no two openings share a number.
 * Shares no code with src/mine except the types of fields and verdicts. */
#pragma once

#include "mine/solve.h"

/* The verdict is `known` if no number is shared, so that the nimber is correct. Aborts when out of memory. */
struct mine_verdict baseline_mine_solve(const struct mine_field *field);
