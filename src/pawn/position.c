#include "pawn/position.h"

#include "base/assert.h"

static bool is_free_cell(const struct pawn_position *position, unsigned cell) {
    return cell < position->rows * position->cols && !position->obstacle[cell];
}

bool pawn_position_is_valid(const struct pawn_position *position) {
    /* Each side is checked first, because the product of unchecked numbers could overflow. */
    if (position->rows < 2 || position->rows > PAWN_MAX_CELLS || position->cols < 1 || position->cols > PAWN_MAX_CELLS)
        return false;
    if (position->rows * position->cols > PAWN_MAX_CELLS)
        return false;
    return (position->turn == PAWN_RED || position->turn == PAWN_BLACK) && is_free_cell(position, position->red[0]) &&
           is_free_cell(position, position->red[1]) && is_free_cell(position, position->pawn) &&
           position->red[0] != position->red[1];
}

struct pawn_result pawn_position_result(const struct pawn_position *position) {
    struct pawn_move moves[PAWN_MAX_MOVES];
    enum pawn_winner last_mover = pawn_winner_of(pawn_opponent(position->turn));
    ASSERT(pawn_position_is_valid(position));
    if (position->pawn < position->cols)
        return (struct pawn_result){PAWN_FIRST_ROW, PAWN_BLACK_WINS};
    if (position->pawn == position->red[0] || position->pawn == position->red[1])
        return (struct pawn_result){PAWN_CAPTURE, last_mover};
    if (pawn_position_moves(position, moves) == 0)
        return (struct pawn_result){PAWN_NO_MOVE, last_mover};
    return (struct pawn_result){PAWN_NOT_OVER, PAWN_TIE};
}

/* Write the moves of the piece on `from`, in the order of their targets, and return their number. `other` is a cell
 * that the piece must not enter: for a red piece, that of the other red piece; for the pawn, its own. */
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

unsigned pawn_position_moves(const struct pawn_position *position, struct pawn_move ret_moves[PAWN_MAX_MOVES]) {
    ASSERT(pawn_position_is_valid(position));
    if (position->turn == PAWN_BLACK)
        return piece_moves(position, position->pawn, position->pawn, false, ret_moves);
    unsigned first = position->red[0] < position->red[1] ? 0 : 1;
    unsigned a = position->red[first], b = position->red[1 - first];
    unsigned count = piece_moves(position, a, b, true, ret_moves);
    return count + piece_moves(position, b, a, true, ret_moves + count);
}

/* Return whether `move` is legal. For ASSERT. */
ASSERT_ONLY static bool is_legal(const struct pawn_position *position, struct pawn_move move) {
    struct pawn_move moves[PAWN_MAX_MOVES];
    unsigned count = pawn_position_moves(position, moves);
    for (unsigned m = 0; m < count; m++)
        if (moves[m].from == move.from && moves[m].to == move.to)
            return pawn_position_result(position).end == PAWN_NOT_OVER;
    return false;
}

void pawn_position_play(struct pawn_position *position, struct pawn_move move) {
    ASSERT(is_legal(position, move));
    if (position->turn == PAWN_BLACK)
        position->pawn = move.to;
    else
        position->red[position->red[0] == move.from ? 0 : 1] = move.to;
    position->turn = pawn_opponent(position->turn);
    ASSERT(pawn_position_is_valid(position));
}
