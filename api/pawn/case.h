/* A case of POST /pawn in any format, and the words used in requests and answers. */
#pragma once

#include "api/game/case.h"
#include "pawn/position.h"

/* The words in `include`. */
enum pawn_include { PAWN_INCLUDE_MOVES, PAWN_INCLUDE_LINE, PAWN_INCLUDE_BOARDS };

struct pawn_case {
    struct case_echo echo;
    uint32_t include;              /* one bit for each enum pawn_include */
    unsigned turn;                 /* enum pawn_side */
    struct pawn_position position; /* its turn is set last, from `turn` */
};

struct pawn_limits {
    uint64_t max_pawn_cells, max_pawn_cells_total;
};

/* The words used in requests and answers: indexed by enum pawn_side (with a NULL at the end), pawn_winner and
 * pawn_end. */
extern const char *const pawn_side_words[];
extern const char *const pawn_winner_words[];
extern const char *const pawn_end_words[]; /* NULL for a game that is not over */

#define PAWN_CHARACTERS ".#OX"
#define PAWN_LEGEND "'.', '#', 'O' or 'X'"
#define PAWN_IN_FIRST_ROW "the pawn 'X' cannot be in the first row"
#define PAWN_WRONG_REDS "the board has %u red piece%s ('O'); it must have exactly 2"
#define PAWN_WRONG_PAWNS "the board has %u pawns ('X'); it must have exactly 1"

/* A board that is being read square by square. */
struct pawn_board {
    struct pawn_position *position; /* its rows and cols are set */
    unsigned reds, pawns;           /* pieces so far, including those that are too many */
};

/* Put a character on its square. Returns false, with nothing changed, if it is not allowed there. */
bool pawn_board_put(struct pawn_board *board, unsigned row, unsigned col, char character);
