/* A position of the crossing-pawn game, and its rules in one place.
 *
 * Two red pieces hunt one black pawn that wants to reach the first row. Players alternate. Red moves one of its pieces
 * one cell up, down, left or right, not onto an obstacle or its other piece. Black moves its pawn one cell up, left or
 * right, not onto an obstacle. Before each turn the game ends by the first of these that holds:
 *
 *   1. the pawn is in the first row: Black wins;
 *   2. the pawn shares a cell with a red piece: whoever moved last wins;
 *   3. the player to move has no legal move: the other wins.
 *
 * Best play: who can win does so in the fewest moves that it can force; who must lose lasts as many moves as it can
 * force; who can do neither, but can avoid losing, does that. A game that never ends is a tie.
 *
 * No function here allocates or can fail; any thread may call any of them. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* The largest board, in cells. */
#define PAWN_MAX_CELLS 256

enum pawn_side { PAWN_RED, PAWN_BLACK };

/* Cells are numbered row * cols + col from the top left.
 *
 * Always true (pawn_position_is_valid checks it): rows >= 2, cols >= 1, rows * cols <= PAWN_MAX_CELLS; `turn` is a
 * side; both red pieces and the pawn stand on cells of the board that are no obstacles; the red pieces stand on two
 * different cells, in either order. The pawn may stand in the first row or share a cell with a red piece: the game is
 * over then. */
struct pawn_position {
    unsigned rows, cols;
    unsigned red[2], pawn; /* cells */
    enum pawn_side turn;   /* who moves next */
    bool obstacle[PAWN_MAX_CELLS];
};

enum { PAWN_MAX_MOVES = 8 };

struct pawn_move {
    uint16_t from, to; /* cells */
};

/* By which of the three rules a game has ended. */
enum pawn_end { PAWN_NOT_OVER, PAWN_FIRST_ROW, PAWN_CAPTURE, PAWN_NO_MOVE };

/* Who has won, or who wins under best play. */
enum pawn_winner { PAWN_RED_WINS, PAWN_BLACK_WINS, PAWN_TIE };

/* What the rules say of a position as it stands. */
struct pawn_result {
    enum pawn_end end;
    enum pawn_winner winner; /* PAWN_TIE with PAWN_NOT_OVER, and never with another end */
};

/* The value of a position under best play. */
struct pawn_verdict {
    enum pawn_winner winner;
    unsigned steps; /* moves of both sides until the game has ended; 0 for a tie */
};

/* Return the other side. */
static inline enum pawn_side pawn_opponent(enum pawn_side side) { return side == PAWN_RED ? PAWN_BLACK : PAWN_RED; }

/* Return the winner of a game that `side` wins. */
static inline enum pawn_winner pawn_winner_of(enum pawn_side side) {
    return side == PAWN_RED ? PAWN_RED_WINS : PAWN_BLACK_WINS;
}

/* Return whether everything holds that is always true of a position. Reads no cell outside the board, whatever the
 * position contains. */
bool pawn_position_is_valid(const struct pawn_position *position);

/* Return whether the game is over before this turn, by which rule (the first of the three that holds), and who has won.
 * The position must be valid. Everything that must know an end or a winner asks here; what the analysis keeps as bit
 * sets instead is asserted against it. */
struct pawn_result pawn_position_result(const struct pawn_position *position);

/* Return the rule alone of pawn_position_result. */
static inline enum pawn_end pawn_position_end(const struct pawn_position *position) {
    return pawn_position_result(position).end;
}

/* Write the moves that the side to move may make to `ret_moves`, by `from`, then `to`, both row-major, and return their
 * count, 0 to PAWN_MAX_MOVES. The position must be valid. The first two rules are not looked at: a position that they
 * end may have moves here. */
unsigned pawn_position_moves(const struct pawn_position *position, struct pawn_move ret_moves[PAWN_MAX_MOVES]);

/* Make `move` in `position`; then it is the other side's turn. The position must be valid and not over, the move one of
 * pawn_position_moves. The position stays valid; it may be over. */
void pawn_position_play(struct pawn_position *position, struct pawn_move move);
