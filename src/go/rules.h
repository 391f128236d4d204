/* Types for the rules of Go: sizes, colours, ko rules, moves, reasons why a move is refused. game.h describes how they
 * are used. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum {
    GO_MAX_SIZE = 25,                      /* points per side */
    GO_POINTS = GO_MAX_SIZE * GO_MAX_SIZE, /* on the largest board */
};

/* The colour of a point. */
enum go_color { GO_EMPTY, GO_BLACK, GO_WHITE };

/* Return the other colour. */
static inline enum go_color go_opponent(enum go_color color) { return color == GO_BLACK ? GO_WHITE : GO_BLACK; }

/* The ko rule: the earlier positions that a move must not repeat. */
enum go_ko {
    GO_KO_POSITIONAL,  /* those with the same stones, including the starting position */
    GO_KO_SITUATIONAL, /* those with the same stones that the same colour has left. Whoever plays a stone leaves the
                        * position after it; whoever passes leaves the position on the board; the opponent of whoever
                        * moves first has left the start */
    GO_KO_SIMPLE,      /* only the position before the last stone was played; a pass lifts the ban */
    GO_KO_NONE,        /* none */
};

struct go_rules {
    enum go_ko ko;
    bool suicide; /* suicide is allowed: the player's own chain without liberties is removed, and GO_MISS_SUICIDE
                   * never occurs */
    bool reports_repetition; /* a move that the ko rule forbids is played all the same, and its reply says so;
                              * GO_MISS_REPETITION never occurs */
};

/* Why a move is refused. These numbers appear in answers. */
enum go_miss { GO_PLAYED = 0, GO_MISS_OCCUPIED = 1, GO_MISS_SUICIDE = 2, GO_MISS_REPETITION = 3 };

enum { GO_PASS = 255 };

struct go_move {
    uint8_t color; /* GO_BLACK or GO_WHITE; colours need not alternate */
    uint8_t row;   /* counted from 0 at the top, or GO_PASS */
    uint8_t col;   /* counted from 0 at the left; undefined for a pass */
};
