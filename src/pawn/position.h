/* A position in the crossing-pawn game, and the rules of the game.
 *
 * Two red pieces hunt a black pawn that tries to reach the first row. Players alternate. Red moves one of its pieces
 * one cell up, down, left or right, but not onto an obstacle or its other piece. Black moves its pawn one cell up, left
 * or right, but not onto an obstacle. Before each turn, the game ends by the first of these rules that applies:
 *
 *     1. The pawn is in the first row: Black wins.
 *     2. The pawn shares a cell with a red piece: the player who moved last wins.
 *     3. The player to move has no legal move: the other player wins.
 *
 * Best play: a player who can win does so in the fewest moves that it can force. A player who must lose lasts as many
 * moves as it can force. A player who cannot win but can avoid losing does so. A game that never ends is a tie.
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
 * Invariants (checked by pawn_position_is_valid): rows >= 2, cols >= 1, rows * cols <= PAWN_MAX_CELLS; `turn` is a
 * side; both red pieces and the pawn are on the board, on cells without obstacles; the red pieces are on two different
 * cells, in either order. The pawn can be in the first row or share a cell with a red piece; the game is then over. */
struct pawn_position {
    unsigned rows, cols;
    unsigned red[2], pawn; /* cells */
    enum pawn_side turn;   /* the side to move */
    bool obstacle[PAWN_MAX_CELLS];
};

enum { PAWN_MAX_MOVES = 8 };

struct pawn_move {
    uint16_t from, to; /* cells */
};

/* The rule by which a game has ended. */
enum pawn_end { PAWN_NOT_OVER, PAWN_FIRST_ROW, PAWN_CAPTURE, PAWN_NO_MOVE };

/* The player who has won, or wins under best play. */
enum pawn_winner { PAWN_RED_WINS, PAWN_BLACK_WINS, PAWN_TIE };

/* The result of a position under the rules. */
struct pawn_result {
    enum pawn_end end;
    enum pawn_winner winner; /* PAWN_TIE if and only if `end` is PAWN_NOT_OVER */
};

/* The value of a position under best play. */
struct pawn_verdict {
    enum pawn_winner winner;
    unsigned steps; /* moves by both sides until the game ends; 0 for a tie */
};

/* Return the other side. */
static inline enum pawn_side pawn_opponent(enum pawn_side side) { return side == PAWN_RED ? PAWN_BLACK : PAWN_RED; }

/* Return the winner of a game that `side` wins. */
static inline enum pawn_winner pawn_winner_of(enum pawn_side side) {
    return side == PAWN_RED ? PAWN_RED_WINS : PAWN_BLACK_WINS;
}

/* Return whether the invariant of a position holds. Never reads a cell outside the board. */
bool pawn_position_is_valid(const struct pawn_position *position);

/* Determine whether the game is over before this turn, by which rule (the first of the three that applies), and who has
 * won. The position must be valid. All code that needs an end or a winner calls this, except for the analysis with its
 * bit sets. */
struct pawn_result pawn_position_result(const struct pawn_position *position);

/* Return only the rule from pawn_position_result. */
static inline enum pawn_end pawn_position_end(const struct pawn_position *position) {
    return pawn_position_result(position).end;
}

/* Write the legal moves of the side to move to `ret_moves`, ordered by `from`, then `to`, both row-major. Returns their
 * number, 0 to PAWN_MAX_MOVES. The position must be valid. The first two rules are not checked: even if one of them has
 * ended the game, there can be moves here. */
unsigned pawn_position_moves(const struct pawn_position *position, struct pawn_move ret_moves[PAWN_MAX_MOVES]);

/* Make `move` in `position`, and pass the turn to the other side. The position must be valid and not over, and the move
 * one of pawn_position_moves. The position stays valid; it may be over. */
void pawn_position_play(struct pawn_position *position, struct pawn_move move);
