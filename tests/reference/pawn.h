/* A slow and obvious model of the crossing-pawn game: every state of one map of obstacles, valued round by round.
 *
 * It shares nothing with src/pawn. Round k visits every state that has no value yet, and gives it one if the values of
 * the earlier rounds decide it; so a state valued in round k has exactly k moves to go, and what no round decides is a
 * tie. One model answers for every placement of the pieces on its map. */
#pragma once

#include <stdbool.h>

struct reference_pawn_value {
    char winner;          /* 'R', 'B', or 'T' for a tie */
    unsigned short steps; /* 0 for a tie */
};

struct reference_pawn;

/* Value all states of a map: obstacle[row * cols + col]. Aborts when memory is short. */
struct reference_pawn *reference_pawn_new(unsigned rows, unsigned cols, const bool *obstacle);
void reference_pawn_free(struct reference_pawn *model);

/* Get the value with red pieces on two different free cells, in either order, and the pawn on any free cell. */
struct reference_pawn_value reference_pawn_value(const struct reference_pawn *model, unsigned red, unsigned other_red,
                                                 unsigned pawn, bool black_to_move);

struct reference_pawn_move {
    unsigned from, to;
    struct reference_pawn_value value; /* of the move for the position: its steps count this move too */
};

/* The most moves that a side can have. */
enum { REFERENCE_PAWN_MAX_MOVES = 8 };

/* The legal moves in the order of the mover's preference: wins by rising steps, ties, losses by falling steps; equal
 * ones by `from`, then `to`. Returns their number; 0 when the game is over. */
unsigned reference_pawn_ranking(const struct reference_pawn *model, unsigned red, unsigned other_red, unsigned pawn,
                                bool black_to_move, struct reference_pawn_move ret_moves[REFERENCE_PAWN_MAX_MOVES]);

/* How the game is over before this turn: 'F' the pawn is in the first row, 'C' a capture, 'N' no legal move; '.' when
 * it is not over. */
char reference_pawn_end(const struct reference_pawn *model, unsigned red, unsigned other_red, unsigned pawn,
                        bool black_to_move);
