/* A Go board: stones, chains, liberties, captures. It knows nothing of refusals and of earlier positions.
 *
 * The board is one-dimensional with a border, so that the four neighbours of a point are at fixed distances and nobody
 * asks where the board ends. For size n the stride is n + 1: the border column on the right of a row is also the one on
 * the left of the next.
 *
 *        # # # # #        point of (row, col) = (row + 1) * stride + col + 1
 *        # . . . #
 *        # . . . #        north: - stride, south: + stride, west: - 1, east: + 1
 *        # . . . #
 *        # # # # #
 *
 * A chain is a circular list of its stones; one of them, the head, stands for it. A chain does not store its liberties
 * but its pseudo-liberties: the number of pairs (stone of the chain, empty neighbour). They are 0 exactly when the
 * liberties are, and placing or taking a stone changes them by one a neighbour. Chains are numbered by the points of
 * their heads. An empty point is counted for in the same way, under its own number: GO_OPEN, which is never reached,
 * and its empty neighbours, which are the pseudo-liberties that a stone on it begins with. So counting never asks what
 * it is that stands next to a stone. (What is counted for a point of the border means nothing.)
 *
 * A stone is placed in two steps. go_board_touch takes the pseudo-liberties at the point from the chains around it;
 * those that are left without any are captured, or it is a suicide. Then go_board_place does the rest, or
 * go_board_withdraw gives the pseudo-liberties back.
 *
 * Always true, between calls (but between touching and what follows): `next` links the stones of a chain in a circle,
 * `cell` names the same chain for all of them, and by its number are stored its stones, its pseudo-liberties and the
 * exclusive or of its stones' hash keys; black and white are the stones as bit sets over row * stride + col, and `hash`
 * is the exclusive or of the keys of all stones. */
#pragma once

#include "go/rules.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    GO_BORDERED = (GO_MAX_SIZE + 2) * (GO_MAX_SIZE + 1) + 1,
    GO_SET_WORDS = (GO_MAX_SIZE * (GO_MAX_SIZE + 1) + 63) / 64,
    GO_BORDER = GO_BLACK | GO_WHITE, /* the colour of a border point: an opponent to both */
    GO_OPEN = 0x4000,                /* more than the pseudo-liberties of any chain */
};

/* Stones as a set: black and white words in turns, bit row * stride + col of each colour. */
struct go_stones {
    uint64_t word[GO_SET_WORDS][2];
};

static inline void go_stones_flip(struct go_stones *stones, unsigned color, unsigned bit) {
    stones->word[bit / 64][color - GO_BLACK] ^= (uint64_t)1 << bit % 64;
}

struct go_board {
    unsigned size, stride;
    unsigned words; /* of each colour in a go_stones that are in use */
    uint64_t hash;
    struct go_stones stones;
    uint16_t cell[GO_BORDERED];      /* the number of its chain * 4 + enum go_color or GO_BORDER */
    uint16_t next[GO_BORDERED];      /* of stones */
    uint16_t stones_of[GO_BORDERED]; /* of chains, by number; so are the two below */
    uint16_t pseudo_liberties[GO_BORDERED];
    uint64_t hash_of[GO_BORDERED];
};

/* The four neighbours of a point side by side in one word, 16 bits each: north, west, east, south. Sets of neighbours
 * are such words with the same one bit of each. */
typedef uint64_t go_four;
#define GO_EACH ((go_four)0x0001000100010001u)

/* What a stone does that touches its neighbours and is not placed yet. */
struct go_placement {
    uint64_t key;  /* of the stone */
    uint64_t hash; /* of the position after it; a suicide's own chain is taken off */
    uint16_t point;
    uint8_t color;
    bool suicide;     /* it captures nothing and its own chain has no liberty */
    go_four around;   /* what `cell` holds for the neighbours */
    go_four own;      /* the neighbours that are stones of this colour */
    go_four captured; /* for each opposing chain that loses its last liberty one neighbour that is of it */
    go_four dead;     /* the same for chains of this colour */
};

/* An empty board of `size` points a side. */
void go_board_init(struct go_board *board, unsigned size);

static inline uint16_t go_board_point(const struct go_board *board, unsigned row, unsigned col) {
    return (uint16_t)((row + 1) * board->stride + col + 1);
}

/* The bit of a point in a set of stones. */
static inline unsigned go_board_bit(const struct go_board *board, uint16_t point) { return point - board->stride - 1; }

/* Of a point on the board. */
static inline enum go_color go_board_at(const struct go_board *board, uint16_t point) {
    return (enum go_color)(board->cell[point] & 3);
}

/* The number of a point's chain; its own where no stone stands. */
static inline uint16_t go_board_chain(const struct go_board *board, uint16_t point) {
    return (uint16_t)(board->cell[point] / 4);
}

/* Bits of the position hash that are used: fewer in a test build, where everything must still be exact. */
#ifndef GO_HASH_BITS
#define GO_HASH_BITS 64
#endif

/* The hash key of a stone: a mix of its number (splitmix64: Steele, Lea, Flood, 'Fast Splittable Pseudorandom Number
 * Generators', OOPSLA 2014). Exclusive or over a position gives its hash (Zobrist, 'A New Hashing Method with
 * Application for Game Playing', 1970). Computed rather than stored: it is as fast as a table that is not in cache. */
static inline uint64_t go_board_key(uint16_t point, unsigned color) {
    uint64_t z = ((uint64_t)point * 4 + color) * 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (z ^ z >> 31) >> (64 - GO_HASH_BITS);
}

/* The number of the chain of one of four neighbours, by the position of a bit of it. */
static inline uint16_t go_four_chain(go_four around, unsigned bit) { return (uint16_t)(around >> bit / 16 * 16) / 4; }

/* The neighbours for which 16 bits below 0x8000 are all 0. */
static inline go_four go_four_zero(go_four counts) { return (0x8000 * GO_EACH - counts) >> 15 & GO_EACH; }

/* Let a stone of `color` on the empty `point` touch its neighbours. */
static inline void go_board_touch(struct go_board *board, uint16_t point, unsigned color,
                                  struct go_placement *ret_placement) {
    const uint16_t *cell = &board->cell[point];
    go_four around = cell[-(int)board->stride] | (go_four)cell[-1] << 16 | (go_four)cell[1] << 32 |
                     (go_four)cell[board->stride] << 48;
    go_four counted = 0, left = 0;
    /* No branches here: on a board in play nobody can foretell the colours around a point. */
    for (unsigned bit = 0; bit < 64; bit += 16)
        counted |= (go_four)--board->pseudo_liberties[go_four_chain(around, bit)] << bit;
    for (unsigned bit = 0; bit < 64; bit += 16)
        left |= (go_four)board->pseudo_liberties[go_four_chain(around, bit)] << bit;
    go_four last = go_four_zero(counted); /* of the neighbours of one chain that dies the last only */
    go_four others = around >> (2 - color) & GO_EACH, friendly = others ^ GO_EACH; /* or empty */
    struct go_placement placement = {
        .key = go_board_key(point, color),
        .point = point,
        .color = (uint8_t)color,
        .around = around,
        .own = around >> (color - 1) & friendly,
        .captured = last & others,
        .dead = last & friendly,
    };
    placement.suicide = (placement.captured | (friendly & ~go_four_zero(left))) == 0;
    placement.hash = board->hash ^ (placement.suicide ? 0 : placement.key);
    for (go_four leaves = placement.suicide ? placement.dead : placement.captured; leaves != 0; leaves &= leaves - 1)
        placement.hash ^= board->hash_of[go_four_chain(around, (unsigned)__builtin_ctzll(leaves))];
    *ret_placement = placement;
}

/* It is not placed after all. */
static inline void go_board_withdraw(struct go_board *board, const struct go_placement *placement) {
    for (unsigned bit = 0; bit < 64; bit += 16)
        board->pseudo_liberties[go_four_chain(placement->around, bit)]++;
}

/* The stone that touches its neighbours is placed. Returns how many stones left the board. */
uint32_t go_board_place(struct go_board *board, const struct go_placement *placement);

/* The stones as they would stand after `placement`. Of `ret_stones` only the words in use are written. */
void go_board_preview(const struct go_board *board, const struct go_placement *placement, struct go_stones *ret_stones);

/* Put a stone on the empty `point` and take nothing off. */
void go_board_put(struct go_board *board, uint16_t point, unsigned color);

#ifdef ARBITER_CHECKS
bool go_board_is_consistent(const struct go_board *board);
#endif
