#include "api/pawn/case.h"

const char *const pawn_side_words[] = {[PAWN_RED] = "Red", [PAWN_BLACK] = "Black", NULL};
const char *const pawn_winner_words[] = {[PAWN_RED_WINS] = "Red", [PAWN_BLACK_WINS] = "Black", [PAWN_TIE] = "Tie"};
const char *const pawn_end_words[] = {
    [PAWN_NOT_OVER] = NULL, [PAWN_FIRST_ROW] = "first-row", [PAWN_CAPTURE] = "capture", [PAWN_NO_MOVE] = "no-move"};

bool pawn_board_put(struct pawn_board *board, unsigned row, unsigned col, char character) {
    unsigned cell = row * board->position->cols + col;
    switch (character) {
    case '.':
        return true;
    case '#':
        board->position->obstacle[cell] = true;
        return true;
    case 'O':
        if (board->reds < 2)
            board->position->red[board->reds] = cell;
        board->reds++;
        return true;
    case 'X':
        if (row == 0)
            return false;
        board->position->pawn = cell;
        board->pawns++;
        return true;
    default:
        return false;
    }
}
