/* The words of the rules of Go: sizes, colours, ko rules, moves, and why a move is refused. Types alone; game.h says
 * what is done with them. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum {
    GO_MAX_SIZE = 25,                      /* points a side */
    GO_POINTS = GO_MAX_SIZE * GO_MAX_SIZE, /* of the largest board */
};

/* What stands on a point. */
enum go_color { GO_EMPTY, GO_BLACK, GO_WHITE };

/* Return the other colour. */
static inline enum go_color go_opponent(enum go_color color) { return color == GO_BLACK ? GO_WHITE : GO_BLACK; }

/* When an earlier position counts as repeated. */
enum go_ko {
    GO_KO_POSITIONAL,  /* the same stones stand; the starting position is one of them */
    GO_KO_SITUATIONAL, /* the same stones stand, and the same colour has left them. A stone's colour leaves what stands
                          after it; a pass's colour leaves what stands; the start was left by the opponent of the
                          first move's colour */
    GO_KO_SIMPLE,      /* it is the position before the last stone that was played; a pass lifts this */
    GO_KO_NONE,        /* never */
};

struct go_rules {
    enum go_ko ko;
    bool suicide; /* a chain without liberties is taken off as its own move; GO_MISS_SUICIDE never happens */
};

/* Why a move was refused; the numbers are those of the answers. */
enum go_miss { GO_PLAYED = 0, GO_MISS_OCCUPIED = 1, GO_MISS_SUICIDE = 2, GO_MISS_REPETITION = 3 };

enum { GO_PASS = 255 };

struct go_move {
    uint8_t color; /* GO_BLACK or GO_WHITE; colours need not alternate */
    uint8_t row;   /* from 0 at the top, or GO_PASS */
    uint8_t col;   /* from 0 at the left; of no meaning in a pass */
};
