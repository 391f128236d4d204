/* Minesweeper written in the textbook way: eight neighbours per cell, a queue per opening, and the textbook value of an
 * opening (1, or 2 with an odd number of numbers), which is right as long as no two openings share a number. Shares no
 * code with src/mine except the types of a field and of a verdict. */
#pragma once

#include "mine/solve.h"

/* known: no number is shared, so the nimber is right. Aborts when out of memory. */
struct mine_verdict baseline_mine_solve(const struct mine_field *field);
