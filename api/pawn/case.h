/* A case of POST /pawn in any format, and the words used in requests and answers. */
#pragma once

#include "api/game/case.h"
#include "pawn/position.h"

/* The words in `include`. */
enum pawn_include { PAWN_INCLUDE_MOVES, PAWN_INCLUDE_LINE, PAWN_INCLUDE_BOARDS };

struct pawn_case {
    struct case_echo echo;
    uint32_t include;              /* a bit for each enum pawn_include */
    unsigned turn;                 /* enum pawn_side; not used if a piece was captured */
    struct pawn_position position; /* its turn is set last, from `turn`, unless a piece was captured */
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
#define PAWN_OTHER_CHARACTERS "ox" /* mean the same as capitals */
#define PAWN_LEGEND "'.', '#', 'O' or 'X'"
#define PAWN_WRONG_REDS "the board has %u red piece%s ('O'); it must have 2, or 1 if the pawn has captured the other"
#define PAWN_WRONG_PAWNS                                                                                               \
    "the board has %u pawn%s ('X'); it must have 1, or none if a red piece below the first row has captured it"

/* A board that is being read square by square. */
struct pawn_board {
    struct pawn_position *position; /* its rows and cols are set */
    unsigned reds, pawns;           /* pieces so far, including those that are too many */
};

/* Put a character on its square. Returns false, with nothing changed, if no square can have it. */
bool pawn_board_put(struct pawn_board *board, unsigned row, unsigned col, char character);

/* Check the number of pieces on a complete board. One piece can be missing because it was captured; the position then
 * has it on the square of its captor, and it is the turn of its side. Returns a bit for each wrong number; 0 if there
 * is none. */
enum { PAWN_BAD_REDS = 1 << 0, PAWN_BAD_PAWNS = 1 << 1 };
unsigned pawn_board_end(const struct pawn_board *board);

/* Has this red piece been captured by the pawn, or the pawn by a red piece? Otherwise it is on the board. */
static inline bool pawn_red_is_captured(const struct pawn_position *position, unsigned red) {
    return position->red[red] == position->pawn && position->turn == PAWN_RED;
}
static inline bool pawn_is_captured(const struct pawn_position *position) {
    return (position->red[0] == position->pawn || position->red[1] == position->pawn) && position->turn == PAWN_BLACK;
}
