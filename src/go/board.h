/* A Go board: stones, chains, liberties, captures. It knows nothing about illegal moves or earlier positions.
 *
 * The board is one-dimensional with a border, so that the four neighbours of a point are at fixed distances, and no
 * code has to test for the edge of the board. For size n the stride is n + 1: the border column on the right of a row
 * is also the one on the left of the next.
 *
 *        # # # # #        point of (row, col) = (row + 1) * stride + col + 1
 *        # . . . #
 *        # . . . #        north: - stride, south: + stride, west: - 1, east: + 1
 *        # . . . #
 *        # # # # #
 *
 * A chain is a circular list of its stones; one of them, the head, represents it. A chain does not store its liberties
 * but its pseudo-liberties: the number of pairs (stone of the chain, empty neighbour). They are 0 exactly when the
 * chain has no liberties, and placing or removing a stone changes them by one for each neighbour. A chain's number is
 * that of its head's point. An empty point also has a count, under its own number: GO_OPEN plus the number of its empty
 * neighbours, which is what a stone placed there starts with. GO_OPEN is so large that this count never becomes 0, so
 * counting does not depend on what is next to a stone. (The counts of border points are meaningless.)
 *
 * A stone is placed in two steps. go_board_touch subtracts the pseudo-liberties that the chains around the point have
 * there, and reports the chains that have none left: they are captured, or the move is a suicide. Then go_board_place
 * places the stone, or go_board_withdraw restores the pseudo-liberties.
 *
 * Invariants, checked by tests/go/test_board.c, except for pseudo-liberties between go_board_touch and the next step:
 * `next` links the stones of a chain in a circle; `cell` has the same chain number for all of them; stored under this
 * number are the number of stones in the chain, its pseudo-liberties, and the exclusive or of its stones' hash keys;
 * `stones` has all stones as two bit sets over row * stride + col; `hash` is the exclusive or of the keys of all
 * stones.
 *
 * No function here allocates or can fail. A board belongs to one thread at a time. */
#pragma once

#include "base/assert.h"
#include "base/hash.h"
#include "go/rules.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    GO_BORDERED = (GO_MAX_SIZE + 2) * (GO_MAX_SIZE + 1) + 1,
    GO_SET_WORDS = (GO_MAX_SIZE * (GO_MAX_SIZE + 1) + 63) / 64,
    GO_BORDER = GO_BLACK | GO_WHITE, /* the colour of a border point, which counts as an opponent of both colours */
    GO_OPEN = 0x4000,                /* more than the pseudo-liberties of any chain */
};

_Static_assert(GO_BORDERED <= UINT16_MAX / 4, "what `cell` holds has 16 bits");
_Static_assert(4 * GO_POINTS < GO_OPEN && GO_OPEN + 4 < 0x8000, "counts are below 0x8000, of chains below GO_OPEN");

/* A set of stones: word[w] holds 64 bits for Black, then 64 for White; the bit of a point is go_board_bit. */
struct go_stones {
    uint64_t word[GO_SET_WORDS][2];
};

/* Add the stone of `color` at `bit` to the set, or remove it if it is there. */
static inline void go_stones_flip(struct go_stones *stones, unsigned color, unsigned bit) {
    stones->word[bit / 64][color - GO_BLACK] ^= (uint64_t)1 << bit % 64;
}

struct go_board {
    unsigned size, stride;
    unsigned words; /* the number of words of a go_stones in use */
    uint64_t hash_seed;
    uint64_t hash;
    struct go_stones stones;
    uint16_t cell[GO_BORDERED];             /* the number of its chain * 4 + enum go_color or GO_BORDER */
    uint16_t next[GO_BORDERED];             /* by stone: the next stone in its chain */
    uint16_t stones_of[GO_BORDERED];        /* by chain: the number of its stones */
    uint16_t pseudo_liberties[GO_BORDERED]; /* by chain, and by empty point */
    uint64_t hash_of[GO_BORDERED];          /* by chain: the exclusive or of its stones' keys */
};

/* A number for each of the four neighbours of a point, 16 bits each: north in the lowest bits, then west, east, south.
 * A set of neighbours has 1 (member) or 0 for each. */
typedef uint64_t go_four;
#define GO_EACH ((go_four)0x0001000100010001u) /* the set of all four */

/* The effects of a stone that was tried with go_board_touch. */
struct go_placement {
    uint64_t key;  /* of the stone */
    uint64_t hash; /* of the position after it (after a suicide, without the chain) */
    uint16_t point;
    uint8_t color;
    bool suicide;                /* it captures nothing, and its own chain has no liberty */
    go_four around;              /* the neighbours' values in `cell` */
    go_four own;                 /* the neighbours that are stones of this colour */
    go_four captured;            /* one neighbour of each opposing chain that loses its last liberty */
    go_four own_without_liberty; /* one neighbour of each chain of this colour that loses its last liberty */
};

/* Initialise an empty board of `size` points per side, 1 to GO_MAX_SIZE. `hash_seed` determines the hash keys of its
 * stones: see go_board_key. */
void go_board_init(struct go_board *board, unsigned size, uint64_t hash_seed);

/* Return the point at a row and column, both counted from 0 and less than the board's size. */
static inline uint16_t go_board_point(const struct go_board *board, unsigned row, unsigned col) {
    ASSERT(row < board->size && col < board->size);
    return (uint16_t)((row + 1) * board->stride + col + 1);
}

/* Return a point's bit in the sets of stones. */
static inline unsigned go_board_bit(const struct go_board *board, uint16_t point) { return point - board->stride - 1; }

/* Write the four neighbours of `point`, a point on the board; some may be border points. */
static inline void go_board_neighbours(const struct go_board *board, uint16_t point, uint16_t ret_points[4]) {
    ret_points[0] = (uint16_t)(point - board->stride);
    ret_points[1] = (uint16_t)(point - 1);
    ret_points[2] = (uint16_t)(point + 1);
    ret_points[3] = (uint16_t)(point + board->stride);
}

/* Return the colour of a point, or GO_BORDER for a border point. */
static inline enum go_color go_board_at(const struct go_board *board, uint16_t point) {
    return (enum go_color)(board->cell[point] & 3);
}

/* Return the number of the chain that a stone belongs to; for an empty point, its own number. */
static inline uint16_t go_board_chain(const struct go_board *board, uint16_t point) {
    return (uint16_t)(board->cell[point] / 4);
}

/* The number of bits of the position hash that are used. A test build uses fewer, and its results must still be
 * exact. */
#ifndef GO_HASH_BITS
#define GO_HASH_BITS 64
#endif

/* Return a stone's hash key: the splitmix64 number for its point and colour, with the board's seed. The hash of a
 * position is the exclusive or of its stones' keys (Zobrist, 'A New Hashing Method with Application for Game Playing',
 * 1970). Someone who knows 65 keys can solve 64 linear equations to find stones whose keys cancel, and so construct any
 * number of positions with the same hash; a different seed needs different stones. Keys are computed, not stored: a
 * table in each board would take 11 KB and save 2 % of a game's instructions, but no time. */
static inline uint64_t go_board_key(const struct go_board *board, uint16_t point, unsigned color) {
    return splitmix_number(board->hash_seed, (uint64_t)point * 4 + color) >> (64 - GO_HASH_BITS);
}

/* Returns the chain number of one of four neighbours. `bit` is any of its 16 bits, 0 to 63. */
static inline uint16_t go_four_chain(go_four around, unsigned bit) { return (uint16_t)(around >> bit / 16 * 16) / 4; }

/* Return the set of the neighbours whose count is 0. Each of the four counts must be less than 0x8000. */
static inline go_four go_four_zero(go_four counts) { return (0x8000 * GO_EACH - counts) >> 15 & GO_EACH; }

/* Return the neighbours' values in `cell`. */
static inline go_four go_board_around(const struct go_board *board, uint16_t point) {
    const uint16_t *cell = &board->cell[point];
    return cell[-(int)board->stride] | (go_four)cell[-1] << 16 | (go_four)cell[1] << 32 |
           (go_four)cell[board->stride] << 48;
}

/* Try a stone of `color`, GO_BLACK or GO_WHITE, on the empty `point`: subtract the pseudo-liberties of the chains next
 * to it, and write the effects of the stone to `ret_placement`. Then go_board_place or go_board_withdraw must be called
 * once with this placement. Until then the board may only be read; its pseudo-liberties already take the stone into
 * account. */
static inline void go_board_touch(struct go_board *board, uint16_t point, unsigned color,
                                  struct go_placement *ret_placement) {
    ASSERT(go_board_at(board, point) == GO_EMPTY && (color == GO_BLACK || color == GO_WHITE));
    go_four around = go_board_around(board, point), counted = 0, left = 0;
    /* This does not branch on the colours around the point, because they are hard to predict. With branches, a move
     * takes 1.25 times as long (49 ns instead of 40 on empty points of 19 x 19) for the same number of instructions. */
    for (unsigned bit = 0; bit < 64; bit += 16)
        counted |= (go_four)--board->pseudo_liberties[go_four_chain(around, bit)] << bit;
    for (unsigned bit = 0; bit < 64; bit += 16)
        left |= (go_four)board->pseudo_liberties[go_four_chain(around, bit)] << bit;
    ASSERT((counted & 0x8000 * GO_EACH) == 0); /* no count was below 0 */
    /* The count of a chain on several sides of the point is decremented once per side, and reaches 0 only at the last
     * of these sides, so `last` has exactly one neighbour of each chain without liberties. */
    go_four last = go_four_zero(counted);
    /* Of a colour's two bits, the higher is set for White and the border, the lower for Black and the border. */
    go_four others = around >> (2 - color) & GO_EACH;
    go_four friendly = others ^ GO_EACH; /* stones of this colour, and empty points, whose counts are never 0 */
    struct go_placement placement = {
        .key = go_board_key(board, point, color),
        .point = point,
        .color = (uint8_t)color,
        .around = around,
        .own = around >> (color - 1) & friendly,
        .captured = last & others,
        .own_without_liberty = last & friendly,
    };
    placement.suicide = (placement.captured | (friendly & ~go_four_zero(left))) == 0;
    placement.hash = board->hash ^ (placement.suicide ? 0 : placement.key);
    go_four leaves = placement.suicide ? placement.own_without_liberty : placement.captured;
    for (; leaves != 0; leaves &= leaves - 1)
        placement.hash ^= board->hash_of[go_four_chain(around, (unsigned)__builtin_ctzll(leaves))];
    *ret_placement = placement;
}

/* Undo go_board_touch: the board becomes what it was before. */
static inline void go_board_withdraw(struct go_board *board, const struct go_placement *placement) {
    ASSERT(go_board_at(board, placement->point) == GO_EMPTY);
    for (unsigned bit = 0; bit < 64; bit += 16)
        board->pseudo_liberties[go_four_chain(placement->around, bit)]++;
}

/* Place the stone that go_board_touch has just tried, and take off the stones that it captures, or its own chain if it
 * is a suicide. Return the number of stones taken off. */
uint32_t go_board_place(struct go_board *board, const struct go_placement *placement);

/* Write to `ret_stones` the stones that would be on the board after go_board_place, for a placement that go_board_touch
 * has just tried. Only the words in use are written. The board does not change. */
void go_board_preview(const struct go_board *board, const struct go_placement *placement, struct go_stones *ret_stones);

/* Put a stone of `color`, GO_BLACK or GO_WHITE, on the empty `point` without capturing. Used to set up a starting
 * position, during which chains may have no liberties. */
void go_board_put(struct go_board *board, uint16_t point, unsigned color);
