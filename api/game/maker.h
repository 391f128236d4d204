/* How a game makes random cases, for `arbiter make`. */
#pragma once

#include "api/game/format.h"
#include "base/arena.h"
#include "base/buffer.h"
#include "base/random.h"

#include <stdbool.h>
#include <stdint.h>

/* A number that was not given. */
#define MAKER_UNSET UINT64_MAX

enum maker_turn { MAKER_RED, MAKER_BLACK, MAKER_ANY_TURN, MAKER_NO_TURN /* not given */ };

/* The kind of cases to make. A game reads the members that its options name. */
struct maker_order {
    uint64_t rows, cols, obstacles, mines; /* of a board; the last two count cells */
    uint64_t size, moves;                  /* in Go */
    enum maker_turn turn;
    bool legal; /* all moves are legal */
};

enum { MAKER_MESSAGE = 160 /* bytes */ };

struct game_maker {
    const char *const *options;  /* those for members of the order, with a NULL at the end */
    struct maker_order defaults; /* the numbers, except of obstacles and mines; 0 if the game does not have them */
    const char *text_head;       /* what precedes the number of cases in contest format */

    /* Can such cases be made, and written in this format of the game? If not, ret_message says why. */
    bool (*check)(const struct maker_order *order, enum format format, char ret_message[MAKER_MESSAGE]);

    /* Make a case of a checked order, and append it with a line end. Scratch memory comes from `arena`. */
    enum outcome (*make)(const struct maker_order *order, enum format format, struct random *random,
                         struct arena *arena, struct buffer *out);
};
