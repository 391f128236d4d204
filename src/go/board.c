#include "go/board.h"

#include <string.h>

/* Bits of the position hash that are used: fewer in a test build, where everything must still be exact. */
#ifndef GO_HASH_BITS
#define GO_HASH_BITS 64
#endif

/* The hash key of a stone: a mix of its number (splitmix64: Steele, Lea, Flood, 'Fast Splittable Pseudorandom Number
 * Generators', OOPSLA 2014). Exclusive or over a position gives its hash (Zobrist, 'A New Hashing Method with
 * Application for Game Playing', 1970). Computed rather than stored: it is as fast as a table that is not in cache. */
static inline uint64_t key_of(uint16_t bit, unsigned color) {
    uint64_t z = ((uint64_t)bit * 2 + color) * 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (z ^ z >> 31) >> (64 - GO_HASH_BITS);
}

void go_board_init(struct go_board *board, unsigned size) {
    unsigned stride = size + 1, bordered = (size + 2) * stride + 1;
    board->size = (uint16_t)size;
    board->stride = (uint16_t)stride;
    board->words = (uint16_t)((size * size + 63) / 64);
    board->hash = 0;
    memset(board->stones, 0, sizeof board->stones);
    memset(board->color, GO_BORDER, bordered);
    memset(board->head, GO_NO_CHAIN, bordered * sizeof *board->head);
    board->chain[GO_NO_CHAIN] = (struct go_chain){0};
    for (unsigned row = 0; row < size; row++)
        for (unsigned col = 0; col < size; col++) {
            uint16_t point = go_board_point(board, row, col);
            board->color[point] = GO_EMPTY;
            board->bit[point] = (uint16_t)(row * size + col);
        }
}

static inline void neighbours_of(const struct go_board *board, uint16_t point, uint16_t ret_points[4]) {
    ret_points[0] = (uint16_t)(point - board->stride);
    ret_points[1] = (uint16_t)(point - 1);
    ret_points[2] = (uint16_t)(point + 1);
    ret_points[3] = (uint16_t)(point + board->stride);
}

struct go_placement go_board_consider(const struct go_board *board, uint16_t point, enum go_color color) {
    struct go_placement placement = {.point = point, .color = (uint8_t)color};
    uint16_t around[4], head[4];
    unsigned contacts[4] = {1, 1, 1, 1}; /* how many neighbours of the point belong to the chain of this one */
    unsigned captured = 0,
             first = 0xf; /* bit i: this one's chain loses its last liberty; no earlier one has its chain */
    bool liberty = false;
    neighbours_of(board, point, around);
    /* No branches here: on a board in play nobody can foretell the colours around a point. */
    for (int i = 0; i < 4; i++)
        head[i] = board->head[around[i]];
    for (int i = 1; i < 4; i++)
        for (int k = 0; k < i; k++) {
            unsigned same = head[i] == head[k];
            contacts[i] += same;
            contacts[k] += same;
            first &= ~(same << i);
        }
    for (int i = 0; i < 4; i++) {
        uint8_t there = board->color[around[i]];
        unsigned last_liberty = board->chain[head[i]].pseudo_liberties == contacts[i];
        liberty |= there == GO_EMPTY;
        liberty |= (there == color) & !last_liberty;
        captured |= (last_liberty & (there == (uint8_t)(GO_BLACK + GO_WHITE - color))) << i;
    }
    placement.suicide = captured == 0 && !liberty;
    placement.hash = board->hash;
    if (placement.suicide) {
        for (int i = 0; i < 4; i++)
            if (board->color[around[i]] == color && first >> i & 1)
                placement.hash ^= board->chain[head[i]].hash;
        return placement;
    }
    placement.hash ^= key_of(board->bit[point], color);
    for (unsigned left = captured & first; left != 0; left &= left - 1) {
        uint16_t victim = head[__builtin_ctz(left)];
        placement.captured[placement.captures++] = victim;
        placement.hash ^= board->chain[victim].hash;
    }
    return placement;
}

static void flip_chain(const struct go_board *board, uint16_t head, uint64_t *words) {
    uint16_t stone = head;
    do
        go_flip_bit(words, board->bit[stone]);
    while ((stone = board->next[stone]) != head);
}

void go_board_copy_stones(const struct go_board *board, uint64_t *ret_stones) {
    size_t words = board->words;
    memcpy(ret_stones, board->stones[0].word, words * sizeof *ret_stones);
    memcpy(ret_stones + words, board->stones[1].word, words * sizeof *ret_stones);
}

void go_board_preview(const struct go_board *board, const struct go_placement *placement, uint64_t *ret_stones) {
    size_t words = board->words;
    go_board_copy_stones(board, ret_stones);
    uint64_t *own = placement->color == GO_BLACK ? ret_stones : ret_stones + words;
    uint64_t *other = placement->color == GO_BLACK ? ret_stones + words : ret_stones;
    for (unsigned i = 0; i < placement->captures; i++)
        flip_chain(board, placement->captured[i], other);
    if (!placement->suicide) {
        go_flip_bit(own, board->bit[placement->point]);
        return;
    }
    uint16_t around[4];
    neighbours_of(board, placement->point, around);
    for (int i = 0; i < 4; i++) {
        bool first = board->color[around[i]] == placement->color;
        for (int k = 0; k < i; k++)
            first = first &&
                    !(board->color[around[k]] == placement->color && board->head[around[k]] == board->head[around[i]]);
        if (first)
            flip_chain(board, board->head[around[i]], own);
    }
}

/* Two chains become one; the larger one's head stays. Returns it. */
static uint16_t join(struct go_board *board, uint16_t a, uint16_t b) {
    uint16_t head = board->chain[a].stones >= board->chain[b].stones ? a : b;
    uint16_t joined = head == a ? b : a;
    uint16_t stone = joined;
    do
        board->head[stone] = head;
    while ((stone = board->next[stone]) != joined);
    uint16_t next = board->next[head];
    board->next[head] = board->next[joined];
    board->next[joined] = next;
    board->chain[head].stones = (uint16_t)(board->chain[head].stones + board->chain[joined].stones);
    board->chain[head].pseudo_liberties =
        (uint16_t)(board->chain[head].pseudo_liberties + board->chain[joined].pseudo_liberties);
    board->chain[head].hash ^= board->chain[joined].hash;
    return head;
}

void go_board_put(struct go_board *board, uint16_t point, enum go_color color) {
    uint64_t key = key_of(board->bit[point], color);
    uint16_t around[4], head = point, empty = 0;
    unsigned own = 0; /* bit i: a stone of this colour */
    neighbours_of(board, point, around);
    for (int i = 0; i < 4; i++) {
        own |= (unsigned)(board->color[around[i]] == color) << i;
        empty = (uint16_t)(empty + (board->color[around[i]] == GO_EMPTY));
        board->chain[board->head[around[i]]].pseudo_liberties--;
    }
    board->chain[GO_NO_CHAIN].pseudo_liberties = 0;
    board->color[point] = (uint8_t)color;
    board->head[point] = board->next[point] = point;
    board->chain[point] = (struct go_chain){.stones = 1, .pseudo_liberties = empty, .hash = key};
    board->hash ^= key;
    go_flip_bit(board->stones[color - GO_BLACK].word, board->bit[point]);
    for (; own != 0; own &= own - 1) {
        uint16_t other = board->head[around[__builtin_ctz(own)]];
        if (other != head)
            head = join(board, head, other);
    }
}

/* Take a chain off the board. Returns how many stones it had. */
static uint32_t take(struct go_board *board, uint16_t head) {
    uint32_t stones = board->chain[head].stones;
    board->hash ^= board->chain[head].hash;
    uint64_t *set = board->stones[board->color[head] - GO_BLACK].word;
    uint16_t stone = head;
    do {
        board->color[stone] = GO_EMPTY;
        board->head[stone] = GO_NO_CHAIN;
        go_flip_bit(set, board->bit[stone]);
        uint16_t around[4];
        neighbours_of(board, stone, around);
        /* Stones of this chain that still stand gain too; nobody looks at them any more. */
        for (int i = 0; i < 4; i++)
            board->chain[board->head[around[i]]].pseudo_liberties++;
    } while ((stone = board->next[stone]) != head);
    board->chain[GO_NO_CHAIN].pseudo_liberties = 0;
    return stones;
}

uint32_t go_board_place(struct go_board *board, const struct go_placement *placement) {
    uint32_t gone = 0;
    go_board_put(board, placement->point, placement->color);
    for (unsigned i = 0; i < placement->captures; i++)
        gone += take(board, placement->captured[i]);
    if (placement->suicide)
        gone += take(board, board->head[placement->point]);
    return gone;
}

#ifdef GO_CHECKS
static bool is_stone(uint8_t color) { return color == GO_BLACK || color == GO_WHITE; }

/* Is what is stored for the chain of `head` what its stones say? Marks its stones in `seen`. */
static bool chain_is_consistent(const struct go_board *board, uint16_t head, bool *seen) {
    unsigned stones = 0, pseudo_liberties = 0;
    uint64_t hash = 0;
    uint16_t stone = head;
    do {
        uint16_t around[4];
        if (seen[stone] || board->head[stone] != head || board->color[stone] != board->color[head])
            return false;
        seen[stone] = true;
        stones++;
        hash ^= key_of(board->bit[stone], board->color[stone]);
        neighbours_of(board, stone, around);
        for (int i = 0; i < 4; i++) {
            pseudo_liberties += board->color[around[i]] == GO_EMPTY;
            if (board->color[around[i]] == board->color[stone] && board->head[around[i]] != head)
                return false;
        }
    } while ((stone = board->next[stone]) != head);
    const struct go_chain *chain = &board->chain[head];
    return chain->stones == stones && chain->pseudo_liberties == pseudo_liberties && chain->hash == hash;
}

bool go_board_is_consistent(const struct go_board *board) {
    bool seen[GO_BORDERED] = {false};
    struct go_stones stones[2] = {0};
    uint64_t hash = 0;
    for (unsigned row = 0; row < board->size; row++)
        for (unsigned col = 0; col < board->size; col++) {
            uint16_t point = go_board_point(board, row, col);
            uint8_t color = board->color[point];
            if (!is_stone(color)) {
                if (board->head[point] != GO_NO_CHAIN)
                    return false;
                continue;
            }
            if (!seen[point] && !chain_is_consistent(board, board->head[point], seen))
                return false;
            go_flip_bit(stones[color - GO_BLACK].word, board->bit[point]);
            hash ^= key_of(board->bit[point], color);
        }
    return hash == board->hash && board->chain[GO_NO_CHAIN].pseudo_liberties == 0 &&
           memcmp(stones, board->stones, sizeof stones) == 0;
}
#endif
