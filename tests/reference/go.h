/* A slow but obvious model of a Go game: characters on a board, flood fill for liberties, and a list of all positions
 * that have occurred.
 *
 * It shares no code with src/go. To find repetitions, it compares whole boards with the entire list. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum reference_go_ko {
    REFERENCE_GO_POSITIONAL,
    REFERENCE_GO_SITUATIONAL,
    REFERENCE_GO_SIMPLE,
    REFERENCE_GO_NONE,
};

struct reference_go_reply {
    unsigned code;               /* 0 played, 1 occupied, 2 suicide, 3 repetition */
    bool repeated;               /* it repeats a position; only code 0, if repetitions are reported, and code 3 */
    unsigned repeats;            /* if so, the move that led to this position */
    unsigned captured, suicided; /* opposing and own stones that were taken off; 0 for a miss */
};

/* A position left by a stone or a pass. */
struct reference_go_past {
    char *board;
    char left_by;  /* 'B' or 'W' */
    unsigned move; /* the number of the move that left it; 0 for the start */
    bool by_stone; /* false if left by a pass or a change of the board, or if it is the start */
};

struct reference_go {
    unsigned size;
    enum reference_go_ko ko;
    bool suicide;
    bool reports;   /* a repetition is played, and reported; the caller may set this before the first move */
    char *board;    /* [size * size], row-major: '.', 'B', 'W' */
    char *before;   /* the board before the last move, plus the stone that the move placed, if any */
    unsigned moves; /* including passes and misses */
    unsigned white_prisoners, black_prisoners; /* stones of that colour that were taken off */
    struct reference_go_past *past; /* the start or the last change, then one for each stone played and each pass */
    size_t past_count, past_capacity;
};

/* Start a game on an empty board. All functions here abort when out of memory. */
struct reference_go *reference_go_new(unsigned size, enum reference_go_ko ko, bool suicide);
void reference_go_free(struct reference_go *game);

/* Add a stone to the starting position on an empty point, before the first move. */
void reference_go_set_up(struct reference_go *game, unsigned row, unsigned col, char color);

struct reference_go_reply reference_go_play(struct reference_go *game, char color, unsigned row, unsigned col);
struct reference_go_reply reference_go_pass(struct reference_go *game, char color);

/* Change the board to these points after the last move. The new position counts as left by `color`, and starts the list
 * anew: earlier positions are forgotten. */
void reference_go_change(struct reference_go *game, const char *board, char color);

/* Does the chain of the stone at (row, col) on any board have a liberty? */
bool reference_go_has_liberty(unsigned size, const char *board, unsigned row, unsigned col);

/* Take the chain of the stone at (row, col) off any board. Returns the number of its stones. */
unsigned reference_go_take_off(unsigned size, char *board, unsigned row, unsigned col);

/* Did the last move take off the stone at (row, col)? This is determined by comparing the boards. A stone that was
 * placed and immediately taken off counts, too. */
bool reference_go_gone(const struct reference_go *game, unsigned row, unsigned col);

/* The area score of any board: a point counts for the colour of its stone or, if it is empty, for the only colour that
 * can be reached from it over empty points. The flood fill is repeated for each point. */
struct reference_go_area {
    unsigned black, white, neutral;
};

struct reference_go_area reference_go_score(unsigned size, const char *board);
