/* The check of board invariants: it accepts every board that was built by the rules, and no board of which one part
 * disagrees with the stones. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "go/board.h"

enum { SIZE = 5 };

/* A chain of two black stones, one of three white ones that touches it, and a single stone. */
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

/* A link to a point outside of the board. */
static void link_off_the_board(struct go_board *board) { board->next[point_at(board, 0, 0)] = GO_BORDERED; }

static void colour_of_a_stone(struct go_board *board) { board->cell[point_at(board, 3, 1)] ^= GO_BLACK ^ GO_WHITE; }

static void border_on_the_board(struct go_board *board) { board->cell[point_at(board, 3, 1)] |= GO_BORDER; }

/* A stone of a chain with the number of another one. */
static void chain_of_a_stone(struct go_board *board) {
    uint16_t lone = point_at(board, 3, 1);
    board->cell[point_at(board, 0, 1)] = (uint16_t)(go_board_chain(board, lone) * 4 + GO_BLACK);
}

/* ---- the tests ---- */

static void a_board_is_what_its_stones_say_after_every_one_of_them(void **state) {
    (void)state;
    struct go_board board;
    struct go_placement placement;
    go_board_init(&board, SIZE, 12345);
    assert_true(go_board_is_consistent(&board));
    unsigned left = 0;
    for (unsigned move = 0; move < 400; move++) {
        uint16_t point = point_at(&board, move * 7 % SIZE, move * 11 / SIZE % SIZE);
        if (go_board_at(&board, point) != GO_EMPTY)
            continue;
        go_board_touch(&board, point, move % 3 == 0 ? GO_BLACK : GO_WHITE, &placement);
        left += go_board_place(&board, &placement);
        assert_true(go_board_is_consistent(&board));
    }
    assert_true(left > 0);
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
        assert_true(go_board_is_consistent(&board));
        damages[d](&board);
        if (go_board_is_consistent(&board))
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
