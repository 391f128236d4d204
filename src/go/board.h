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
 * their heads. An empty point has a count under its own number too: GO_OPEN plus the number of its empty neighbours,
 * with which a stone on it begins; GO_OPEN is so large that such a count never comes to 0. So counting never asks what
 * it is that stands next to a stone. (The counts of the border's points mean nothing.)
 *
 * A stone is placed in two steps. go_board_touch takes away the pseudo-liberties that the point was to the chains
 * around it, and says which of them have none left: they are captured, or it is a suicide. Then go_board_place does the
 * rest, or go_board_withdraw gives the pseudo-liberties back.
 *
 * Always true, but for the pseudo-liberties between go_board_touch and what follows it (go_board_is_consistent checks
 * it): `next` links the stones of a chain in a circle, `cell` names the same chain for all of them, and by its number
 * are stored how many stones it has, its pseudo-liberties and the exclusive or of its stones' hash keys; `stones` is
 * what stands as two bit sets over row * stride + col, and `hash` is the exclusive or of the keys of all stones.
 *
 * No function here allocates or can fail. A board belongs to one thread at a time. */
#pragma once

#include "base/assert.h"
#include "base/splitmix.h"
#include "go/rules.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    GO_BORDERED = (GO_MAX_SIZE + 2) * (GO_MAX_SIZE + 1) + 1,
    GO_SET_WORDS = (GO_MAX_SIZE * (GO_MAX_SIZE + 1) + 63) / 64,
    GO_BORDER = GO_BLACK | GO_WHITE, /* the colour of a border point: an opponent to both */
    GO_OPEN = 0x4000,                /* more than the pseudo-liberties of any chain */
};

_Static_assert(GO_BORDERED <= UINT16_MAX / 4, "what `cell` holds has 16 bits");
_Static_assert(4 * GO_POINTS < GO_OPEN && GO_OPEN + 4 < 0x8000, "counts are below 0x8000, of chains below GO_OPEN");

/* Stones as a set: word[w] holds 64 bits for Black, then the same for White; the bit of a point is go_board_bit. */
struct go_stones {
    uint64_t word[GO_SET_WORDS][2];
};

/* Add the stone of `color` at `bit` to the set, or take it out if it is there. */
static inline void go_stones_flip(struct go_stones *stones, unsigned color, unsigned bit) {
    stones->word[bit / 64][color - GO_BLACK] ^= (uint64_t)1 << bit % 64;
}

struct go_board {
    unsigned size, stride;
    unsigned words; /* how many of a go_stones are in use */
    bool touched;   /* is it between go_board_touch and what follows? Kept in checked builds only. */
    uint64_t hash_seed;
    uint64_t hash;
    struct go_stones stones;
    uint16_t cell[GO_BORDERED];             /* the number of its chain * 4 + enum go_color or GO_BORDER */
    uint16_t next[GO_BORDERED];             /* by stone: another of its chain */
    uint16_t stones_of[GO_BORDERED];        /* by chain: how many */
    uint16_t pseudo_liberties[GO_BORDERED]; /* by chain, and by point where no stone stands */
    uint64_t hash_of[GO_BORDERED];          /* by chain: the exclusive or of its stones' keys */
};

/* A number for each of the four neighbours of a point, 16 bits each: north in the lowest bits, then west, east, south.
 * A set of neighbours is such a word of ones (members) and zeros. */
typedef uint64_t go_four;
#define GO_EACH ((go_four)0x0001000100010001u) /* the set of all four */

/* What a stone would do that was tried with go_board_touch. */
struct go_placement {
    uint64_t key;  /* of the stone */
    uint64_t hash; /* of the position after it; a suicide's own chain is taken off */
    uint16_t point;
    uint8_t color;
    bool suicide;                /* it captures nothing, and its own chain has no liberty */
    go_four around;              /* what `cell` holds for the neighbours */
    go_four own;                 /* the neighbours that are stones of this colour */
    go_four captured;            /* one neighbour of each opposing chain that loses its last liberty */
    go_four own_without_liberty; /* one neighbour of each chain of this colour that does */
};

/* Make `board` an empty board of `size` points a side, 1 to GO_MAX_SIZE. The hash keys of its stones are drawn with
 * `hash_seed`: see go_board_key. */
void go_board_init(struct go_board *board, unsigned size, uint64_t hash_seed);

/* Return the point in a row and a column, both from 0 and less than the board's size. */
static inline uint16_t go_board_point(const struct go_board *board, unsigned row, unsigned col) {
    ASSERT(row < board->size && col < board->size);
    return (uint16_t)((row + 1) * board->stride + col + 1);
}

/* Return the bit of a point in the sets of stones. */
static inline unsigned go_board_bit(const struct go_board *board, uint16_t point) { return point - board->stride - 1; }

/* Return what stands on a point of the board; GO_BORDER on a point of the border. */
static inline enum go_color go_board_at(const struct go_board *board, uint16_t point) {
    return (enum go_color)(board->cell[point] & 3);
}

/* Return the number of the chain that a stone belongs to; of a point without a stone, its own number. */
static inline uint16_t go_board_chain(const struct go_board *board, uint16_t point) {
    return (uint16_t)(board->cell[point] / 4);
}

/* Bits of the position hash that are used: fewer in a test build, where everything must still be exact. */
#ifndef GO_HASH_BITS
#define GO_HASH_BITS 64
#endif

/* Return the hash key of a stone: of the generator splitmix64 that begins with the board's seed, the number at the
 * place that the stone has. Exclusive or over a position gives its hash (Zobrist, 'A New Hashing Method with
 * Application for Game Playing', 1970). Who knows 65 keys can solve 64 linear equations for stones whose keys cancel,
 * and so make as many positions with one hash as it likes; with another seed these equations are others. Computed
 * rather than stored: a table in each board saves 2 % of the instructions of a game and no time, and takes 11 KB. */
static inline uint64_t go_board_key(const struct go_board *board, uint16_t point, unsigned color) {
    return splitmix_number(board->hash_seed, (uint64_t)point * 4 + color) >> (64 - GO_HASH_BITS);
}

/* Return the number of the chain of one of four neighbours. `bit`: that of its 16 bits, 0 to 63. */
static inline uint16_t go_four_chain(go_four around, unsigned bit) { return (uint16_t)(around >> bit / 16 * 16) / 4; }

/* Return the set of the neighbours whose count is 0. The four counts, 16 bits each, must be less than 0x8000. */
static inline go_four go_four_zero(go_four counts) { return (0x8000 * GO_EACH - counts) >> 15 & GO_EACH; }

/* For assertions: note in checked builds that the board is between go_board_touch and what follows, or no longer. */
static inline void go_board_note_touched(struct go_board *board, bool touched) {
#ifdef ARBITER_CHECKS
    board->touched = touched;
#else
    (void)board;
    (void)touched;
#endif
}

/* Try a stone of `color`, GO_BLACK or GO_WHITE, on the empty `point`: take away the pseudo-liberties that the point is
 * to what is next to it, and write to `ret_placement` what the stone would do. Then go_board_place or go_board_withdraw
 * must be called with this placement, once; until then the board may only be read, and its pseudo-liberties are those
 * after the stone. */
static inline void go_board_touch(struct go_board *board, uint16_t point, unsigned color,
                                  struct go_placement *ret_placement) {
    ASSERT(!board->touched && go_board_at(board, point) == GO_EMPTY && (color == GO_BLACK || color == GO_WHITE));
    go_board_note_touched(board, true);
    const uint16_t *cell = &board->cell[point];
    go_four around = cell[-(int)board->stride] | (go_four)cell[-1] << 16 | (go_four)cell[1] << 32 |
                     (go_four)cell[board->stride] << 48;
    go_four counted = 0, left = 0;
    /* No branch asks for the colours around the point, which nobody can foretell: with branches a move takes 1.25 times
     * the time, 49 ns instead of 40 on empty points of 19 x 19, with as many instructions. */
    for (unsigned bit = 0; bit < 64; bit += 16)
        counted |= (go_four)--board->pseudo_liberties[go_four_chain(around, bit)] << bit;
    for (unsigned bit = 0; bit < 64; bit += 16)
        left |= (go_four)board->pseudo_liberties[go_four_chain(around, bit)] << bit;
    ASSERT((counted & 0x8000 * GO_EACH) == 0); /* none was counted below 0 */
    /* A chain on several sides of the point is counted down once for each. It comes to 0, if it does, at the last of
     * these sides only, so that `last` has one neighbour of each chain that has no liberty left. */
    go_four last = go_four_zero(counted);
    /* Of the two bits of a colour White and the border have the higher one, Black and the border the lower one. */
    go_four others = around >> (2 - color) & GO_EACH;
    go_four friendly = others ^ GO_EACH; /* stones of this colour, and empty points, which always have liberties left */
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

/* Give back what go_board_touch took away: the board is as it was before it. */
static inline void go_board_withdraw(struct go_board *board, const struct go_placement *placement) {
    ASSERT(board->touched && go_board_at(board, placement->point) == GO_EMPTY);
    go_board_note_touched(board, false);
    for (unsigned bit = 0; bit < 64; bit += 16)
        board->pseudo_liberties[go_four_chain(placement->around, bit)]++;
}

/* Place the stone that go_board_touch has just tried, and take off what it captures, or its own chain when it is a
 * suicide. Return how many stones left the board. */
uint32_t go_board_place(struct go_board *board, const struct go_placement *placement);

/* Write to `ret_stones` what will stand after go_board_place, of a placement that go_board_touch has just tried. Only
 * the words in use are written. The board does not change. */
void go_board_preview(const struct go_board *board, const struct go_placement *placement, struct go_stones *ret_stones);

/* Put a stone of `color`, GO_BLACK or GO_WHITE, on the empty `point` and take nothing off: chains may be without
 * liberties then, as they may while a starting position is set up. */
void go_board_put(struct go_board *board, uint16_t point, unsigned color);

/* Compute everything that the board stores anew, from `cell` alone; return whether it is the same. Not to be called
 * between go_board_touch and what follows it. It visits every point: some 4 us on 19 x 19. For assertions and tests. */
bool go_board_is_consistent(const struct go_board *board);
