/* The invariants of a board: after each stone, the derived data matches the stones, and the check notices any data that
 * does not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "go/board.h"
#include "reference/random.h"

#include <string.h>

/* ---- the check ---- */

/* Get the four neighbours of a point on the board. Some may be border points. */
static void neighbours_of(const struct go_board *board, uint16_t point, uint16_t ret_points[4]) {
    ret_points[0] = (uint16_t)(point - board->stride);
    ret_points[1] = (uint16_t)(point - 1);
    ret_points[2] = (uint16_t)(point + 1);
    ret_points[3] = (uint16_t)(point + board->stride);
}

static bool is_stone(enum go_color color) { return color == GO_BLACK || color == GO_WHITE; }

/* Check that the data stored for the chain of `head` agrees with the chain's stones, and mark these as seen. */
static bool chain_is_consistent(const struct go_board *board, uint16_t head, bool *seen) {
    unsigned stones = 0, pseudo_liberties = 0;
    uint64_t hash = 0;
    uint16_t stone = head;
    do {
        uint16_t around[4];
        if (stone >= GO_BORDERED || seen[stone] || go_board_chain(board, stone) != head ||
            go_board_at(board, stone) != go_board_at(board, head))
            return false;
        seen[stone] = true;
        stones++;
        hash ^= go_board_key(board, stone, go_board_at(board, stone));
        neighbours_of(board, stone, around);
        for (int i = 0; i < 4; i++) {
            pseudo_liberties += go_board_at(board, around[i]) == GO_EMPTY;
            if (go_board_at(board, around[i]) == go_board_at(board, stone) && go_board_chain(board, around[i]) != head)
                return false;
        }
    } while ((stone = board->next[stone]) != head);
    return board->stones_of[head] == stones && board->pseudo_liberties[head] == pseudo_liberties &&
           board->hash_of[head] == hash;
}

/* Check that an empty point has its own number as its chain, and the right count. */
static bool empty_point_is_consistent(const struct go_board *board, uint16_t point) {
    unsigned pseudo_liberties = GO_OPEN;
    uint16_t around[4];
    neighbours_of(board, point, around);
    for (int i = 0; i < 4; i++)
        pseudo_liberties += go_board_at(board, around[i]) == GO_EMPTY;
    return board->cell[point] == point * 4 + GO_EMPTY && board->pseudo_liberties[point] == pseudo_liberties;
}

/* Compute all data of the board from `cell` alone, and check that the stored data matches. */
static bool is_consistent(const struct go_board *board) {
    bool seen[GO_BORDERED] = {false};
    struct go_stones stones = {0};
    uint64_t hash = 0;
    for (unsigned row = 0; row < board->size; row++)
        for (unsigned col = 0; col < board->size; col++) {
            uint16_t point = go_board_point(board, row, col);
            enum go_color color = go_board_at(board, point);
            if (color == GO_EMPTY && empty_point_is_consistent(board, point))
                continue;
            if (!is_stone(color) || (!seen[point] && !chain_is_consistent(board, go_board_chain(board, point), seen)))
                return false;
            go_stones_flip(&stones, color, go_board_bit(board, point));
            hash ^= go_board_key(board, point, color);
        }
    return hash == board->hash && memcmp(&stones, &board->stones, sizeof stones) == 0;
}

enum { SIZE = 5 };

/* A chain of two black stones, a chain of three white stones that touches it, and a single stone. */
static const char *const rows[SIZE] = {
    "BBW..", "..WW.", ".....", ".B...", ".....",
};

static uint16_t point_at(const struct go_board *board, unsigned row, unsigned col) {
    return go_board_point(board, row, col);
}

static void build(struct go_board *ret_board) {
    go_board_init(ret_board, SIZE, 12345);
    for (unsigned row = 0; row < SIZE; row++)
        for (unsigned col = 0; col < SIZE; col++)
            if (rows[row][col] != '.')
                go_board_put(ret_board, point_at(ret_board, row, col), rows[row][col] == 'B' ? GO_BLACK : GO_WHITE);
}

/* ---- errors ---- */

static void hash_of_the_board(struct go_board *board) { board->hash ^= 1; }

static void hash_of_a_chain(struct go_board *board) {
    board->hash_of[go_board_chain(board, point_at(board, 0, 0))] ^= 1;
}

static void set_of_stones(struct go_board *board) {
    go_stones_flip(&board->stones, GO_BLACK, go_board_bit(board, point_at(board, 4, 4)));
}

static void number_of_stones(struct go_board *board) {
    board->stones_of[go_board_chain(board, point_at(board, 0, 2))]++;
}

static void liberties_of_a_chain(struct go_board *board) {
    board->pseudo_liberties[go_board_chain(board, point_at(board, 1, 3))]--;
}

static void count_of_an_empty_point(struct go_board *board) { board->pseudo_liberties[point_at(board, 4, 4)]++; }

static void number_of_an_empty_point(struct go_board *board) { board->cell[point_at(board, 4, 4)] += 4; }

/* A link that skips a stone: its chain is split without its data being updated. */
static void links_of_a_chain(struct go_board *board) {
    uint16_t first = point_at(board, 0, 0), second = point_at(board, 0, 1);
    board->next[first] = first;
    board->next[second] = second;
}

/* A link into another chain. */
static void link_between_chains(struct go_board *board) { board->next[point_at(board, 0, 0)] = point_at(board, 3, 1); }

/* A link to a point outside the board. */
static void link_off_the_board(struct go_board *board) { board->next[point_at(board, 0, 0)] = GO_BORDERED; }

static void colour_of_a_stone(struct go_board *board) { board->cell[point_at(board, 3, 1)] ^= GO_BLACK ^ GO_WHITE; }

static void border_on_the_board(struct go_board *board) { board->cell[point_at(board, 3, 1)] |= GO_BORDER; }

/* A stone with the number of a different chain. */
static void chain_of_a_stone(struct go_board *board) {
    uint16_t lone = point_at(board, 3, 1);
    board->cell[point_at(board, 0, 1)] = (uint16_t)(go_board_chain(board, lone) * 4 + GO_BLACK);
}

/* ---- the tests ---- */

/* Places random stones, and withdraws some of them. The board fills up, so that there are captures and suicides. */
static void a_board_is_what_its_stones_say_after_every_one_of_them(void **state) {
    (void)state;
    struct reference_random random = {5};
    for (unsigned size = 1; size <= GO_MAX_SIZE; size++) {
        struct go_board board;
        struct go_placement placement;
        unsigned captures = 0, suicides = 0, withdrawn = 0;
        go_board_init(&board, size, 12345 + size);
        assert_true(is_consistent(&board));
        for (unsigned move = 0; move < 40 * size + 200; move++) {
            unsigned at = (unsigned)reference_random_below(&random, size * size);
            uint16_t point = point_at(&board, at / size, at % size);
            if (go_board_at(&board, point) != GO_EMPTY)
                continue;
            go_board_touch(&board, point, reference_random_chance(&random, 50) ? GO_BLACK : GO_WHITE, &placement);
            if (reference_random_chance(&random, 20)) {
                go_board_withdraw(&board, &placement);
                withdrawn++;
            } else {
                suicides += placement.suicide;
                captures += go_board_place(&board, &placement) != 0 && !placement.suicide;
            }
            assert_true(is_consistent(&board));
        }
        assert_true(withdrawn > 0);
        assert_true(size > 5 || ((captures > 0 || size == 1) && suicides > 0));
    }
}

static void the_consistency_check_notices_every_wrong_member_of_a_board(void **state) {
    (void)state;
    void (*const damages[])(struct go_board * board) = {
        hash_of_the_board,       hash_of_a_chain,          set_of_stones,    number_of_stones,    liberties_of_a_chain,
        count_of_an_empty_point, number_of_an_empty_point, links_of_a_chain, link_between_chains, link_off_the_board,
        colour_of_a_stone,       border_on_the_board,      chain_of_a_stone,
    };
    for (size_t d = 0; d < sizeof damages / sizeof *damages; d++) {
        struct go_board board;
        build(&board);
        assert_true(is_consistent(&board));
        damages[d](&board);
        if (is_consistent(&board))
            fail_msg("damage %zu is not noticed", d);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_board_is_what_its_stones_say_after_every_one_of_them),
        cmocka_unit_test(the_consistency_check_notices_every_wrong_member_of_a_board),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
