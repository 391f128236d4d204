/* A slow and obvious model of the crossing-pawn game: every state on one map of obstacles, valued round by round.
 *
 * It shares no code with src/pawn. Round k visits every state that has no value yet, and gives it one if the values of
 * the earlier rounds decide it; so a state valued in round k has exactly k moves to go, and a state that no round
 * decides is a tie. One model answers for every placement of the pieces on its map. */
#pragma once

#include <stdbool.h>

struct reference_pawn_value {
    char winner;          /* 'R', 'B', or 'T' for a tie */
    unsigned short steps; /* 0 for a tie */
};

struct reference_pawn;

/* Value all states on a map: obstacle[row * cols + col]. Aborts when out of memory. */
struct reference_pawn *reference_pawn_new(unsigned rows, unsigned cols, const bool *obstacle);
void reference_pawn_free(struct reference_pawn *model);

/* Get the value of the state with the red pieces on two different free cells, in either order, and the pawn on any free
 * cell. */
struct reference_pawn_value reference_pawn_value(const struct reference_pawn *model, unsigned red, unsigned other_red,
                                                 unsigned pawn, bool black_to_move);

struct reference_pawn_move {
    unsigned from, to;
    struct reference_pawn_value value; /* of the position if this move is played: its steps include this move */
};

/* The maximum number of moves that a side can have. */
enum { REFERENCE_PAWN_MAX_MOVES = 8 };

/* The legal moves in the order of the mover's preference: wins by increasing steps, ties, losses by decreasing steps;
 * equal ones by `from`, then `to`. Returns their number; 0 when the game is over. */
unsigned reference_pawn_ranking(const struct reference_pawn *model, unsigned red, unsigned other_red, unsigned pawn,
                                bool black_to_move, struct reference_pawn_move ret_moves[REFERENCE_PAWN_MAX_MOVES]);

/* How the game ended before this turn: 'F' if the pawn is in the first row, 'C' by a capture, 'N' if there is no legal
 * move; '.' if it is not over. */
char reference_pawn_end(const struct reference_pawn *model, unsigned red, unsigned other_red, unsigned pawn,
                        bool black_to_move);
