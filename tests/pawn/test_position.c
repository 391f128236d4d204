/* The rules of the crossing-pawn game: how a game ends, with the rules applied in order, who has won, and which
 * positions are valid. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "pawn/boards.h"

#include <string.h>

static void expect_result(const struct pawn_position *position, enum pawn_end end, enum pawn_winner winner) {
    struct pawn_result result = pawn_position_result(position);
    if (result.end == end && result.winner == winner && pawn_position_end(position) == end)
        return;
    print_position(position);
    fail_msg("rule %d ends it, %c has won; right is rule %d, %c", result.end, letter_of(result.winner), end,
             letter_of(winner));
}

/* Make a board with the pawn where draw() cannot put it: in the first row, or on a red piece. */
static struct pawn_position with_pawn_on(unsigned cell, unsigned rows, const char *cells, enum pawn_side turn) {
    struct pawn_position position = draw(rows, cells, turn);
    position.pawn = cell;
    return position;
}

static void a_position_in_which_no_rule_applies_has_no_winner_yet(void **state) {
    (void)state;
    struct pawn_position position = draw(3, "....X.O.O", PAWN_RED);
    expect_result(&position, PAWN_NOT_OVER, PAWN_TIE);
    position.turn = PAWN_BLACK;
    expect_result(&position, PAWN_NOT_OVER, PAWN_TIE);
}

static void a_pawn_in_the_first_row_has_won(void **state) {
    (void)state;
    struct pawn_position position = with_pawn_on(1, 3, "....X.O.O", PAWN_RED);
    expect_result(&position, PAWN_FIRST_ROW, PAWN_BLACK_WINS);
    position = with_pawn_on(2, 2, "...OXO", PAWN_RED);
    expect_result(&position, PAWN_FIRST_ROW, PAWN_BLACK_WINS);
}

static void the_side_that_moved_last_wins_on_a_shared_cell(void **state) {
    (void)state;
    for (unsigned piece = 0; piece < 2; piece++) {
        struct pawn_position position = draw(3, "....X.O.O", PAWN_BLACK);
        position.pawn = position.red[piece];
        expect_result(&position, PAWN_CAPTURE, PAWN_RED_WINS);
        position.turn = PAWN_RED;
        expect_result(&position, PAWN_CAPTURE, PAWN_BLACK_WINS);
    }
}

static void a_side_that_cannot_move_has_lost(void **state) {
    (void)state;
    struct pawn_position position = draw(3, "#..X#O..O", PAWN_BLACK);
    expect_result(&position, PAWN_NO_MOVE, PAWN_RED_WINS);
    position = draw(3, "O#..##.XO#..", PAWN_RED);
    expect_result(&position, PAWN_NO_MOVE, PAWN_BLACK_WINS);
}

static void the_first_row_counts_before_a_capture_and_that_before_a_want_of_moves(void **state) {
    (void)state;
    /* The pawn has taken a red piece in the first row, and the red pieces cannot move: all three rules apply. */
    struct pawn_position position = with_pawn_on(0, 3, "O#.##X#O#", PAWN_RED);
    expect_result(&position, PAWN_FIRST_ROW, PAWN_BLACK_WINS);
    /* The pawn has taken a red piece below the first row, and Red cannot move. */
    position = with_pawn_on(7, 3, "O#.##X#O#", PAWN_RED);
    expect_result(&position, PAWN_CAPTURE, PAWN_BLACK_WINS);
    /* A red piece has taken the pawn on a cell from which the pawn cannot move. */
    position = with_pawn_on(3, 3, "#.XO#.O..", PAWN_BLACK);
    expect_result(&position, PAWN_CAPTURE, PAWN_RED_WINS);
    /* The pawn is in the first row, although it is still its turn: Black has won. */
    position = with_pawn_on(0, 3, ".....XO.O", PAWN_BLACK);
    expect_result(&position, PAWN_FIRST_ROW, PAWN_BLACK_WINS);
}

static void expect_model_s_result(const struct pawn_position *position, const struct reference_pawn *model,
                                  unsigned counts[4]) {
    bool black = position->turn == PAWN_BLACK;
    unsigned a = position->red[0], b = position->red[1];
    char letter = reference_pawn_end(model, a, b, position->pawn, black);
    enum pawn_end end = letter == 'F'   ? PAWN_FIRST_ROW
                        : letter == 'C' ? PAWN_CAPTURE
                        : letter == 'N' ? PAWN_NO_MOVE
                                        : PAWN_NOT_OVER;
    char winner = end == PAWN_NOT_OVER ? 'T' : reference_pawn_value(model, a, b, position->pawn, black).winner;
    expect_result(position, end, winner == 'R' ? PAWN_RED_WINS : winner == 'B' ? PAWN_BLACK_WINS : PAWN_TIE);
    counts[end]++;
}

/* Compares every valid position on every board with two or three rows of three cells, including positions that cannot
 * occur in a game. */
static void every_valid_position_of_a_small_board_has_the_result_of_the_model(void **state) {
    (void)state;
    unsigned counts[4] = {0};
    for (unsigned rows = 2; rows <= 3; rows++) {
        unsigned cells = 3 * rows;
        for (unsigned map = 0; map < 1u << cells; map++) {
            struct pawn_position position = {.rows = rows, .cols = 3};
            for (unsigned cell = 0; cell < cells; cell++)
                position.obstacle[cell] = map >> cell & 1;
            struct reference_pawn *model = reference_pawn_new(rows, 3, position.obstacle);
            for (unsigned code = 0; code < 2 * cells * cells * cells; code++) {
                position.turn = code % 2 == 0 ? PAWN_RED : PAWN_BLACK;
                position.red[0] = code / 2 % cells;
                position.red[1] = code / 2 / cells % cells;
                position.pawn = code / 2 / cells / cells;
                if (pawn_position_is_valid(&position))
                    expect_model_s_result(&position, model, counts);
            }
            reference_pawn_free(model);
        }
    }
    print_message("not over %u, first row %u, capture %u, no move %u\n", counts[0], counts[1], counts[2], counts[3]);
    static const unsigned pinned[4] = {40976, 35712, 25536, 2992};
    assert_memory_equal(counts, pinned, sizeof pinned);
}

static void a_position_is_valid_also_where_the_game_is_over(void **state) {
    (void)state;
    struct pawn_position position = draw(3, "....X.O.O", PAWN_RED);
    assert_true(pawn_position_is_valid(&position));
    position.pawn = 2;
    assert_true(pawn_position_is_valid(&position));
    position.pawn = position.red[1];
    assert_true(pawn_position_is_valid(&position));
    struct pawn_position largest = {.rows = 2, .cols = PAWN_MAX_CELLS / 2, .red = {0, 1}, .pawn = PAWN_MAX_CELLS - 1};
    assert_true(pawn_position_is_valid(&largest));
    struct pawn_position longest = {.rows = PAWN_MAX_CELLS, .cols = 1, .red = {0, 1}, .pawn = PAWN_MAX_CELLS - 1};
    assert_true(pawn_position_is_valid(&longest));
}

static void a_position_whose_board_is_too_small_or_too_large_is_not_valid(void **state) {
    (void)state;
    static const unsigned shapes[][2] = {{1, 9},           {0, 9},           {9, 0},       {2, 129},
                                         {129, 2},         {257, 1},         {16, 17},     {1u << 16, 1u << 16},
                                         {3, 0x55555556u}, {0x55555556u, 3}, {1u << 31, 2}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        struct pawn_position position = {.rows = shapes[i][0], .cols = shapes[i][1], .red = {0, 1}, .pawn = 2};
        if (pawn_position_is_valid(&position))
            fail_msg("%u x %u cells are said to be valid", shapes[i][0], shapes[i][1]);
    }
}

static void a_position_whose_pieces_stand_wrong_is_not_valid(void **state) {
    (void)state;
    const struct pawn_position right = draw(3, "...#X.O.O", PAWN_RED);
    enum { OBSTACLE = 3, BEYOND = 9 };
    struct pawn_position wrong = right;
    assert_true(pawn_position_is_valid(&right));
    wrong.red[0] = wrong.red[1];
    assert_false(pawn_position_is_valid(&wrong));
    static const unsigned cells[] = {OBSTACLE, BEYOND, PAWN_MAX_CELLS, UINT32_MAX};
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++) {
        wrong = right;
        wrong.red[0] = cells[i];
        assert_false(pawn_position_is_valid(&wrong));
        wrong = right;
        wrong.red[1] = cells[i];
        assert_false(pawn_position_is_valid(&wrong));
        wrong = right;
        wrong.pawn = cells[i];
        assert_false(pawn_position_is_valid(&wrong));
    }
}

static void a_position_without_a_side_to_move_is_not_valid(void **state) {
    (void)state;
    struct pawn_position position = draw(3, "....X.O.O", PAWN_RED);
    position.turn = (enum pawn_side)2;
    assert_false(pawn_position_is_valid(&position));
}

static void a_move_is_the_mover_s_piece_and_passes_the_turn(void **state) {
    (void)state;
    struct pawn_position position = draw(3, "....X.O.O", PAWN_RED);
    pawn_position_play(&position, (struct pawn_move){8, 5});
    assert_int_equal(position.red[0], 6);
    assert_int_equal(position.red[1], 5);
    assert_int_equal(position.pawn, 4);
    assert_int_equal(position.turn, PAWN_BLACK);
    pawn_position_play(&position, (struct pawn_move){4, 5});
    assert_int_equal(position.pawn, 5);
    assert_int_equal(position.turn, PAWN_RED);
    expect_result(&position, PAWN_CAPTURE, PAWN_BLACK_WINS);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_position_in_which_no_rule_applies_has_no_winner_yet),
        cmocka_unit_test(a_pawn_in_the_first_row_has_won),
        cmocka_unit_test(the_side_that_moved_last_wins_on_a_shared_cell),
        cmocka_unit_test(a_side_that_cannot_move_has_lost),
        cmocka_unit_test(the_first_row_counts_before_a_capture_and_that_before_a_want_of_moves),
        cmocka_unit_test(every_valid_position_of_a_small_board_has_the_result_of_the_model),
        cmocka_unit_test(a_position_is_valid_also_where_the_game_is_over),
        cmocka_unit_test(a_position_whose_board_is_too_small_or_too_large_is_not_valid),
        cmocka_unit_test(a_position_whose_pieces_stand_wrong_is_not_valid),
        cmocka_unit_test(a_position_without_a_side_to_move_is_not_valid),
        cmocka_unit_test(a_move_is_the_mover_s_piece_and_passes_the_turn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
