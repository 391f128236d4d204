#include "go/board.h"

#include <string.h>

/* Return the value in `cell` for a point of this colour that belongs to this chain. */
static inline uint16_t cell_of(uint16_t chain, unsigned color) { return (uint16_t)(chain * 4 + color); }

void go_board_init(struct go_board *board, unsigned size, uint64_t hash_seed) {
    unsigned stride = size + 1, bordered = (size + 2) * stride + 1;
    ASSERT(size >= 1 && size <= GO_MAX_SIZE);
    board->size = size;
    board->stride = stride;
    board->words = (size * stride + 63) / 64;
    board->hash_seed = hash_seed;
    board->hash = 0;
    memset(&board->stones, 0, sizeof board->stones);
    for (unsigned point = 0; point < bordered; point++) {
        board->cell[point] = cell_of((uint16_t)point, GO_BORDER);
        board->pseudo_liberties[point] = GO_OPEN;
    }
    for (unsigned row = 0; row < size; row++)
        for (unsigned col = 0; col < size; col++) {
            uint16_t point = go_board_point(board, row, col);
            board->cell[point] = cell_of(point, GO_EMPTY);
            board->pseudo_liberties[point] =
                (uint16_t)(GO_OPEN + (row > 0) + (col > 0) + (row + 1 < size) + (col + 1 < size));
        }
}

/* In `stones`, flip every stone of the chain whose head is `head`. */
static void flip_chain(const struct go_board *board, uint16_t head, struct go_stones *stones) {
    enum go_color color = go_board_at(board, head);
    uint16_t stone = head;
    do
        go_stones_flip(stones, color, go_board_bit(board, stone));
    while ((stone = board->next[stone]) != head);
}

/* Returns the number of the chain that the set's first neighbour belonged to when the placement was tried. */
static inline uint16_t chain_of_first(const struct go_placement *placement, go_four neighbours) {
    return go_four_chain(placement->around, (unsigned)__builtin_ctzll(neighbours));
}

void go_board_preview(const struct go_board *board, const struct go_placement *placement,
                      struct go_stones *ret_stones) {
    memcpy(ret_stones->word, board->stones.word, board->words * sizeof *board->stones.word);
    for (go_four left = placement->captured; left != 0; left &= left - 1)
        flip_chain(board, chain_of_first(placement, left), ret_stones);
    if (!placement->suicide) {
        go_stones_flip(ret_stones, placement->color, go_board_bit(board, placement->point));
        return;
    }
    for (go_four left = placement->own_without_liberty; left != 0; left &= left - 1)
        flip_chain(board, chain_of_first(placement, left), ret_stones);
}

/* Join the chains whose heads are `a` and `b`. The head of the larger chain becomes the head of both, and is returned;
 * the stones of the smaller chain are renumbered. */
static uint16_t join(struct go_board *board, uint16_t a, uint16_t b) {
    uint16_t head = board->stones_of[a] >= board->stones_of[b] ? a : b;
    uint16_t joined = head == a ? b : a, cell = board->cell[head], stone = joined;
    do
        board->cell[stone] = cell;
    while ((stone = board->next[stone]) != joined);
    uint16_t next = board->next[head];
    board->next[head] = board->next[joined];
    board->next[joined] = next;
    board->stones_of[head] = (uint16_t)(board->stones_of[head] + board->stones_of[joined]);
    board->pseudo_liberties[head] = (uint16_t)(board->pseudo_liberties[head] + board->pseudo_liberties[joined]);
    board->hash_of[head] ^= board->hash_of[joined];
    return head;
}

/* Put the stone that was tried on the board, as a chain of its own or joined to adjacent chains of its colour. Captures
 * nothing, and does not update the board's hash. */
static inline void add_stone(struct go_board *board, const struct go_placement *placement) {
    uint16_t point = placement->point, head = point;
    go_four own = placement->own;
    unsigned pseudo_liberties = board->pseudo_liberties[point] - (unsigned)GO_OPEN;
    ASSERT(go_board_at(board, point) == GO_EMPTY && pseudo_liberties <= 4);
    go_stones_flip(&board->stones, placement->color, go_board_bit(board, point));
    board->next[point] = point;
    board->stones_of[point] = 0;
    board->pseudo_liberties[point] = 0;
    board->hash_of[point] = 0;
    if (own != 0)
        head = chain_of_first(placement, own);
    board->cell[point] = cell_of(head, placement->color);
    board->next[point] = board->next[head];
    board->next[head] = point;
    board->stones_of[head]++;
    board->pseudo_liberties[head] = (uint16_t)(board->pseudo_liberties[head] + pseudo_liberties);
    board->hash_of[head] ^= placement->key;
    for (own &= own - 1; own != 0; own &= own - 1) {
        /* Read it again: this loop may already have joined the neighbour's chain. */
        uint16_t other = go_board_chain(board, chain_of_first(placement, own));
        if (other != head)
            head = join(board, head, other);
    }
}

/* Take the chain with this head off the board. Does not update the board's hash. Returns the number of its stones. */
static uint32_t take_off(struct go_board *board, uint16_t head) {
    enum go_color color = go_board_at(board, head);
    uint32_t stones = 0;
    uint16_t stone = head;
    do {
        board->cell[stone] = cell_of(stone, GO_EMPTY);
        board->pseudo_liberties[stone] = GO_OPEN;
        go_stones_flip(&board->stones, color, go_board_bit(board, stone));
        stones++;
    } while ((stone = board->next[stone]) != head);
    ASSERT(stones == board->stones_of[head]);
    /* This is a second loop, because first all stones must be off, and every point must have its own number again. Here
     * each point becomes an empty neighbour of those around it. */
    do {
        uint16_t around[4];
        go_board_neighbours(board, stone, around);
        for (int i = 0; i < 4; i++)
            board->pseudo_liberties[go_board_chain(board, around[i])]++;
    } while ((stone = board->next[stone]) != head);
    return stones;
}

uint32_t go_board_place(struct go_board *board, const struct go_placement *placement) {
    uint32_t captured = 0;
    add_stone(board, placement);
    board->hash = placement->hash;
    for (go_four left = placement->captured; left != 0; left &= left - 1)
        captured += take_off(board, chain_of_first(placement, left));
    if (placement->suicide)
        captured += take_off(board, go_board_chain(board, placement->point));
    return captured;
}

void go_board_put(struct go_board *board, uint16_t point, unsigned color) {
    struct go_placement placement;
    go_board_touch(board, point, color, &placement);
    add_stone(board, &placement);
    board->hash ^= placement.key;
}
