/* Minesweeper as a textbook counts it: eight neighbours a cell, a queue for each opening, and the textbook's value of
 * an opening (1, or 2 with an odd number of numbers), which holds as long as no two openings share a number. Shares no
 * code with src/mine but the shape of a field and of a verdict. */
#pragma once

#include "mine/solve.h"

/* known: no number is shared, so that the nimber is right. Aborts when memory is short. */
struct mine_verdict baseline_mine_solve(const struct mine_field *field);
