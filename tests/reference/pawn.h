/* A slow but obvious model of the crossing-pawn game: it values every state on one map of obstacles, round by round.
 *
 * It shares no code with src/pawn. Round k visits every state that has no value yet, and gives it one if the values of
 * earlier rounds decide it. A state valued in round k is therefore exactly k moves from the end, and a state that no
 * round decides is a tie. One model covers every placement of the pieces on its map. */
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
    struct reference_pawn_value value; /* the position's value if this move is played; its steps include this move */
};

/* The maximum number of moves that a side can have. */
enum { REFERENCE_PAWN_MAX_MOVES = 8 };

/* List the legal moves in the order of the mover's preference: wins by increasing steps, then ties, then losses by
 * decreasing steps. Equal moves are ordered by `from`, then `to`. Returns their number, or 0 if the game is over. */
unsigned reference_pawn_ranking(const struct reference_pawn *model, unsigned red, unsigned other_red, unsigned pawn,
                                bool black_to_move, struct reference_pawn_move ret_moves[REFERENCE_PAWN_MAX_MOVES]);

/* How did the game end before this turn? Returns 'F' if the pawn is in the first row, 'C' after a capture, 'N' if there
 * is no legal move, or '.' if the game is not over. */
char reference_pawn_end(const struct reference_pawn *model, unsigned red, unsigned other_red, unsigned pawn,
                        bool black_to_move);
