/* A pawn board from its characters, whatever the form they came in. */
#pragma once

#include "pawn/position.h"

#define PAWN_CHARACTERS ".#OX"
#define PAWN_WRONG_CHARACTER "a cell holds '%s'; '.', '#', 'O' or 'X' is needed, and no 'X' in the first row"
#define PAWN_WRONG_REDS "board has %u red pieces 'O'; exactly 2 are needed"
#define PAWN_WRONG_PAWNS "board has %u pawns 'X'; exactly 1 is needed"

struct pawn_board {
    struct pawn_position *position; /* rows and cols are set */
    unsigned reds, pawns;           /* pieces so far; more than fit are counted only */
};

/* Put one character on its cell; false when it must not stand there. */
bool pawn_board_put(struct pawn_board *board, unsigned row, unsigned col, char character);
