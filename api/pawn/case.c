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
    case 'o':
        if (board->reds < 2)
            board->position->red[board->reds] = cell;
        board->reds++;
        return true;
    case 'X':
    case 'x':
        board->position->pawn = cell;
        board->pawns++;
        return true;
    default:
        return false;
    }
}

unsigned pawn_board_end(const struct pawn_board *board) {
    struct pawn_position *position = board->position;
    unsigned reds = board->reds, pawns = board->pawns;
    /* The game is over when the pawn is in the first row, so no red piece captures it there. */
    unsigned captor = position->red[0] >= position->cols ? 0 : 1;
    bool no_red = reds == 1 && pawns == 1, no_pawn = reds == 2 && pawns == 0 && position->red[captor] >= position->cols;
    if (no_red) {
        position->red[1] = position->pawn;
        position->turn = PAWN_RED;
    } else if (no_pawn) {
        position->pawn = position->red[captor];
        position->turn = PAWN_BLACK;
    }
    return (reds != 2 && !no_red ? PAWN_BAD_REDS : 0) | (pawns != 1 && !no_pawn ? PAWN_BAD_PAWNS : 0);
}
