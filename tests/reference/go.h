/* A slow and obvious model of a Go game: characters on a board, flood filling for liberties, and a list of every
 * position that occurred.
 *
 * It shares nothing with src/go. Repetition is decided by comparing whole boards with that list, from its beginning. */
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
    unsigned repeats;            /* with code 3 */
    unsigned captured, suicided; /* opposing and own stones that were taken off; 0 in a miss */
};

/* A position as it was left by a stone or by a pass. */
struct reference_go_past {
    char *board;
    char left_by;  /* 'B' or 'W' */
    unsigned move; /* the number of the move that left it, 0 for the start */
    bool by_stone; /* false: by a pass, by a change of the board, or the start */
};

struct reference_go {
    unsigned size;
    enum reference_go_ko ko;
    bool suicide;
    char *board;    /* [size * size], row-major: '.', 'B', 'W' */
    char *before;   /* the same before the last move, with the stone that it placed, if it placed one */
    unsigned moves; /* including passes and misses */
    unsigned white_prisoners, black_prisoners; /* stones of that colour that were taken off */
    struct reference_go_past *past; /* the start or the last change, then one for each stone played and each pass */
    size_t past_count, past_capacity;
};

/* An empty board. Aborts when memory is short, here and below. */
struct reference_go *reference_go_new(unsigned size, enum reference_go_ko ko, bool suicide);
void reference_go_free(struct reference_go *game);

/* Put a stone of the starting position on an empty point, before the first move. */
void reference_go_set_up(struct reference_go *game, unsigned row, unsigned col, char color);

struct reference_go_reply reference_go_play(struct reference_go *game, char color, unsigned row, unsigned col);
struct reference_go_reply reference_go_pass(struct reference_go *game, char color);

/* Change the board to these points after the last move. The new position counts as left by `color`, and is the first
 * one of the list: earlier ones are forgotten. */
void reference_go_change(struct reference_go *game, const char *board, char color);

/* Whether the chain of the stone at (row, col) of any board has a liberty. */
bool reference_go_has_liberty(unsigned size, const char *board, unsigned row, unsigned col);

/* Take the chain of the stone at (row, col) off any board. Returns how many stones it had. */
unsigned reference_go_take_off(unsigned size, char *board, unsigned row, unsigned col);

/* Did the last move take off the stone at (row, col)? Found by the difference of the boards; a stone that was placed
 * and taken off at once counts, too. */
bool reference_go_gone(const struct reference_go *game, unsigned row, unsigned col);

/* The area of any board: a point counts for the only colour that it has, or that can be reached from it over empty
 * points. Each point is filled separately. */
struct reference_go_area {
    unsigned black, white, neutral;
};

struct reference_go_area reference_go_score(unsigned size, const char *board);
