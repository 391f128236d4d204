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
 * Best play: a winner makes the longest wait as short as it can, a loser makes the shortest wait as long as it can; a
 * player who cannot win but can avoid losing does so. A game that never ends is a tie. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* The largest board, in cells. */
#define PAWN_MAX_CELLS 256

enum pawn_side { PAWN_RED, PAWN_BLACK };

/* Cells are numbered row * cols + col from the top left.
 *
 * Always true: rows >= 2, cols >= 1, rows * cols <= PAWN_MAX_CELLS; the two red cells differ; red pieces and pawn stand
 * on free cells, the pawn neither in the first row nor on a red piece. */
struct pawn_position {
    unsigned rows, cols;
    unsigned red[2], pawn;
    enum pawn_side turn;
    bool obstacle[PAWN_MAX_CELLS];
};

enum { PAWN_MOST_MOVES = 8 };

struct pawn_move {
    uint16_t from, to; /* cells */
};

/* How a game has ended. */
enum pawn_end { PAWN_NOT_OVER, PAWN_FIRST_ROW, PAWN_CAPTURE, PAWN_NO_MOVE };

/* Is the game over before this turn, and by which rule? Here the pawn may stand in the first row or share a cell. */
enum pawn_end pawn_position_end(const struct pawn_position *position);

/* The legal moves of the side to move, by `from`, then `to`, both row-major; their count. */
unsigned pawn_position_moves(const struct pawn_position *position, struct pawn_move ret_moves[PAWN_MOST_MOVES]);

/* Make a legal move; then it is the other side's turn. */
void pawn_position_play(struct pawn_position *position, struct pawn_move move);

enum pawn_winner { PAWN_RED_WINS, PAWN_BLACK_WINS, PAWN_TIE };

/* The value of a position under best play. */
struct pawn_verdict {
    enum pawn_winner winner;
    unsigned steps; /* moves of both sides until the game has ended; 0 for a tie */
};
