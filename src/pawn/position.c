#include "pawn/position.h"

enum pawn_end pawn_position_end(const struct pawn_position *position) {
    struct pawn_move moves[PAWN_MOST_MOVES];
    if (position->pawn < position->cols)
        return PAWN_FIRST_ROW;
    if (position->pawn == position->red[0] || position->pawn == position->red[1])
        return PAWN_CAPTURE;
    return pawn_position_moves(position, moves) == 0 ? PAWN_NO_MOVE : PAWN_NOT_OVER;
}

/* The moves of one piece, in the order of their targets. `other` is the cell that a red piece must not enter; the
 * pawn's own cell where there is none. */
static unsigned piece_moves(const struct pawn_position *position, unsigned from, unsigned other, bool down,
                            struct pawn_move *ret_moves) {
    unsigned row = from / position->cols, col = from % position->cols, targets[4], count = 0, moves = 0;
    if (row > 0)
        targets[count++] = from - position->cols;
    if (col > 0)
        targets[count++] = from - 1;
    if (col + 1 < position->cols)
        targets[count++] = from + 1;
    if (down && row + 1 < position->rows)
        targets[count++] = from + position->cols;
    for (unsigned t = 0; t < count; t++)
        if (!position->obstacle[targets[t]] && targets[t] != other)
            ret_moves[moves++] = (struct pawn_move){(uint16_t)from, (uint16_t)targets[t]};
    return moves;
}

unsigned pawn_position_moves(const struct pawn_position *position, struct pawn_move ret_moves[PAWN_MOST_MOVES]) {
    if (position->turn == PAWN_BLACK)
        return piece_moves(position, position->pawn, position->pawn, false, ret_moves);
    unsigned first = position->red[0] < position->red[1] ? 0 : 1;
    unsigned a = position->red[first], b = position->red[1 - first];
    unsigned count = piece_moves(position, a, b, true, ret_moves);
    return count + piece_moves(position, b, a, true, ret_moves + count);
}

void pawn_position_play(struct pawn_position *position, struct pawn_move move) {
    if (position->turn == PAWN_BLACK)
        position->pawn = move.to;
    else
        position->red[position->red[0] == move.from ? 0 : 1] = move.to;
    position->turn = position->turn == PAWN_RED ? PAWN_BLACK : PAWN_RED;
}
