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
    uint64_t rows, cols;       /* of a board */
    uint64_t obstacles, mines; /* how many of its cells */
    enum maker_turn turn;
    uint64_t size; /* of a board in Go */
    uint64_t moves;
    bool legal; /* all moves are legal */
};

enum { MAKER_MESSAGE = 160 /* bytes */ };

struct game_maker {
    /* The options for its members of the order, with a NULL at the end. */
    const char *const *options;

    /* Give the numbers and the turn that were not given their defaults; `obstacles` and `mines` follow later, as they
     * can depend on the size. */
    void (*set_defaults)(struct maker_order *order);

    /* The share of the cells that are obstacles or mines by default: "15%". NULL: the game has neither. */
    const char *share;

    /* Can such cases be made, and written in this format? If not, writes a message. */
    bool (*check)(const struct maker_order *order, enum format format, char ret_message[MAKER_MESSAGE]);

    /* The size of a case, as in struct game. */
    uint64_t (*size_of)(const struct maker_order *order);

    /* The head of a file in contest format, before the number of cases. */
    const char *text_head;

    /* Make a case and append it in the format, with a line end: FORMAT_LINES, FORMAT_TEXT, or one that check accepts.
     * The order was checked. Scratch memory comes from `arena`. */
    enum outcome (*make)(const struct maker_order *order, enum format format, struct random *random,
                         struct arena *arena, struct buffer *out);
};
