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
 * liberties are, and placing or taking a stone changes them by one a neighbour.
 *
 * Always true, between calls: `next` links the stones of a chain in a circle, `head` is the same for all of them (and
 * GO_NO_CHAIN where no stone stands, so that liberties are counted without asking whether there is one), and
 * chain[head] holds the chain's stones, pseudo-liberties and the exclusive or of its stones' hash keys; black and white
 * are the stones as bit sets over row * size + col, and `hash` is the exclusive or of the keys of all stones. */
#pragma once

#include "go/game.h"

#include <stddef.h>
#include <stdint.h>

enum {
    GO_POINTS = GO_MAX_SIZE * GO_MAX_SIZE,
    GO_BORDERED = (GO_MAX_SIZE + 2) * (GO_MAX_SIZE + 1) + 1,
    GO_SET_WORDS = (GO_POINTS + 63) / 64,
    GO_BORDER = 3,   /* the colour of a border point */
    GO_NO_CHAIN = 0, /* a point of the border: the head of points without a stone; its chain has no liberties */
};

struct go_chain {
    uint16_t stones, pseudo_liberties;
    uint64_t hash;
};

/* Stones of one colour, bit row * size + col. */
struct go_stones {
    uint64_t word[GO_SET_WORDS];
};

static inline void go_flip_bit(uint64_t *words, unsigned bit) { words[bit / 64] ^= (uint64_t)1 << bit % 64; }

struct go_board {
    uint16_t size, stride;
    uint16_t words; /* of a go_stones that are in use */
    uint64_t hash;
    struct go_stones stones[2];         /* black, white */
    uint8_t color[GO_BORDERED];         /* enum go_color or GO_BORDER */
    uint16_t bit[GO_BORDERED];          /* row * size + col of a point */
    uint16_t head[GO_BORDERED];         /* of stones; elsewhere GO_NO_CHAIN */
    uint16_t next[GO_BORDERED];         /* of stones */
    struct go_chain chain[GO_BORDERED]; /* by head */
};

/* What would happen if a stone were placed: computed before anything is changed. */
struct go_placement {
    uint16_t point;
    uint8_t color;
    uint8_t captures;     /* how many opposing chains lose their last liberty */
    uint16_t captured[4]; /* their heads */
    bool suicide;         /* it captures nothing and its own chain has no liberty */
    uint64_t hash;        /* of the position after it; a suicide's own chain is taken off */
};

/* An empty board of `size` points a side. */
void go_board_init(struct go_board *board, unsigned size);

static inline uint16_t go_board_point(const struct go_board *board, unsigned row, unsigned col) {
    return (uint16_t)((row + 1) * board->stride + col + 1);
}

/* What placing a stone of `color` on the empty `point` would do. */
struct go_placement go_board_consider(const struct go_board *board, uint16_t point, enum go_color color);

/* The stones of both colours as they stand. ret_stones[2 * words]: black, then white. */
void go_board_copy_stones(const struct go_board *board, uint64_t *ret_stones);

/* The stones of both colours as they would stand after `placement`. ret_stones[2 * words]: black, then white. */
void go_board_preview(const struct go_board *board, const struct go_placement *placement, uint64_t *ret_stones);

/* Carry a placement out. Returns how many stones left the board. */
uint32_t go_board_place(struct go_board *board, const struct go_placement *placement);

/* Put a stone on the empty `point` and take nothing off. */
void go_board_put(struct go_board *board, uint16_t point, enum go_color color);

#ifdef GO_CHECKS
bool go_board_is_consistent(const struct go_board *board);
#endif
