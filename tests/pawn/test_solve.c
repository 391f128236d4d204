/* Who wins the crossing-pawn game, and in how many moves: the solver against the slow model on whole families of
 * boards, by hand where one rule decides, and with too little work or memory. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "pawn/boards.h"
#include "reference/scale.h"

#include <stdio.h>
#include <string.h>

/* What a comparison has covered so far. */
struct coverage {
    unsigned positions, red_wins, black_wins, ties, longest;
};

static struct pawn_verdict solve(const struct pawn_position *position, struct arena *arena) {
    struct work work = {.left = WORK_UNBOUNDED};
    struct pawn_answer answer = {.verdict = {PAWN_TIE, 12345}};
    arena_reset(arena);
    if (pawn_solve(position, 0, arena, &work, &answer) != WORK_DONE) {
        print_position(position);
        fail_msg("not solved, with work and memory without bounds");
    }
    return answer.verdict;
}

static void expect(const struct pawn_position *position, struct arena *arena, char winner, unsigned steps) {
    struct pawn_verdict verdict = solve(position, arena);
    if (letter_of(verdict.winner) == winner && verdict.steps == steps)
        return;
    print_position(position);
    fail_msg("the solver says %c in %u, right is %c in %u", letter_of(verdict.winner), verdict.steps, winner, steps);
}

static void expect_drawn(unsigned rows, const char *cells, enum pawn_side turn, char winner, unsigned steps) {
    struct arena arena;
    arena_init(&arena, ARENA_NO_CAP);
    struct pawn_position position = draw(rows, cells, turn);
    expect(&position, &arena, winner, steps);
    arena_clear(&arena);
}

static void compare(const struct pawn_position *position, const struct reference_pawn *model, struct arena *arena,
                    struct coverage *coverage) {
    struct reference_pawn_value value =
        reference_pawn_value(model, position->red[0], position->red[1], position->pawn, position->turn == PAWN_BLACK);
    expect(position, arena, value.winner, value.steps);
    coverage->positions++;
    coverage->red_wins += value.winner == 'R';
    coverage->black_wins += value.winner == 'B';
    coverage->ties += value.winner == 'T';
    if (value.steps > coverage->longest)
        coverage->longest = value.steps;
}

static void print_coverage(const char *what, const struct coverage *coverage) {
    print_message("%s: %u positions, Red wins %u, Black wins %u, ties %u, the longest game %u\n", what,
                  coverage->positions, coverage->red_wins, coverage->black_wins, coverage->ties, coverage->longest);
}

static void assert_coverage(const struct coverage *coverage, struct coverage pinned) {
    assert_int_equal(coverage->positions, pinned.positions);
    assert_int_equal(coverage->red_wins, pinned.red_wins);
    assert_int_equal(coverage->black_wins, pinned.black_wins);
    assert_int_equal(coverage->ties, pinned.ties);
    assert_int_equal(coverage->longest, pinned.longest);
}

static void every_board_of_at_most_twelve_cells_agrees_with_the_model(void **state) {
    (void)state;
    /* A map of n cells in rows of m has (n - m)(n - 1)(n - 2) placements for each of 2^(n - 3) choices of obstacles. */
    unsigned most_cells = reference_scale_is_quick() ? 7 : 12;
    struct coverage coverage = {0};
    struct arena arena;
    arena_init(&arena, ARENA_NO_CAP);
    compare_all_maps(most_cells, compare, &arena, &coverage);
    arena_clear(&arena);
    print_coverage("at most twelve cells", &coverage);
    assert_coverage(&coverage, reference_scale_is_quick() ? (struct coverage){10112, 6470, 3642, 0, 7}
                                                          : (struct coverage){5978624, 3752786, 2088874, 136964, 17});
}

static void random_boards_of_ten_to_thirty_six_cells_agree_with_the_model(void **state) {
    (void)state;
    unsigned boards = reference_scale_is_quick() ? 30 : 1000;
    struct reference_random random = {20240601};
    struct coverage coverage = {0};
    struct arena arena;
    arena_init(&arena, ARENA_NO_CAP);
    while (boards > 0) {
        struct pawn_position position = {.rows = 2 + reference_random_below(&random, 17)};
        position.cols = 1 + reference_random_below(&random, 18);
        if (position.rows * position.cols < 10 || position.rows * position.cols > 36)
            continue;
        scatter_obstacles(&position, reference_random_below(&random, 45), &random);
        compare_random_placements(&position, 100, &random, compare, &arena, &coverage);
        boards--;
    }
    arena_clear(&arena);
    print_coverage("ten to thirty-six cells", &coverage);
    assert_coverage(&coverage, reference_scale_is_quick() ? (struct coverage){3000, 1339, 1481, 180, 34}
                                                          : (struct coverage){99739, 49711, 46405, 3623, 34});
}

/* Rows and columns both long enough for the pieces to dodge one another. */
static void every_placement_on_some_larger_boards_agrees_with_the_model(void **state) {
    (void)state;
    unsigned boards = reference_scale_is_quick() ? 1 : 6;
    struct reference_random random = {77};
    struct coverage coverage = {0};
    struct arena arena;
    arena_init(&arena, ARENA_NO_CAP);
    for (unsigned i = 0; i < boards; i++) {
        unsigned side = reference_scale_is_quick() ? 4 : 5 + i % 3;
        struct pawn_position position = {.rows = side, .cols = side};
        scatter_obstacles(&position, reference_scale_is_quick() ? 0 : 25 + 5 * i, &random);
        compare_all_placements(&position, compare, &arena, &coverage);
    }
    arena_clear(&arena);
    print_coverage("every placement on larger boards", &coverage);
    assert_coverage(&coverage, reference_scale_is_quick() ? (struct coverage){5040, 2552, 2488, 0, 10}
                                                          : (struct coverage){102792, 55648, 39568, 7576, 29});
}

/* A pawn's cell beyond the 64th, and one in each of the last columns of rows of many lengths. */
static void boards_up_to_128_cells_agree_with_the_model(void **state) {
    (void)state;
    static const unsigned shapes[][2] = {{9, 7},  {8, 8},  {5, 13}, {13, 5}, {10, 10}, {7, 18},  {18, 7}, {8, 16},
                                         {16, 8}, {4, 32}, {32, 4}, {2, 64}, {64, 2},  {128, 1}, {3, 42}, {42, 3}};
    struct coverage coverage = {0};
    compare_shapes(shapes, sizeof(shapes) / sizeof(shapes[0]), reference_scale_is_quick() ? 1 : 5, 4, 128, compare,
                   &coverage);
    print_coverage("up to 128 cells", &coverage);
    assert_coverage(&coverage, reference_scale_is_quick() ? (struct coverage){691, 462, 215, 14, 46}
                                                          : (struct coverage){3690, 2083, 1424, 183, 50});
}

/* The same for the larger sets: cells in each of their four words, rows as long as a word and longer. */
static void boards_up_to_the_limit_agree_with_the_model(void **state) {
    (void)state;
    static const unsigned shapes[][2] = {{16, 16}, {13, 19}, {19, 13}, {8, 32},  {32, 8},  {4, 64},  {64, 4},
                                         {3, 65},  {3, 85},  {2, 127}, {2, 128}, {128, 2}, {129, 1}, {256, 1}};
    struct coverage coverage = {0};
    compare_shapes(shapes, sizeof(shapes) / sizeof(shapes[0]), reference_scale_is_quick() ? 1 : 5, 3, 256, compare,
                   &coverage);
    print_coverage("up to the limit", &coverage);
    assert_coverage(&coverage, reference_scale_is_quick() ? (struct coverage){228, 138, 73, 17, 36}
                                                          : (struct coverage){1358, 696, 511, 151, 48});
}

static void an_open_board_of_ten_by_ten_agrees_with_the_model(void **state) {
    (void)state;
    struct reference_random random = {10};
    struct coverage coverage = {0};
    struct arena arena;
    arena_init(&arena, ARENA_NO_CAP);
    struct pawn_position position = {.rows = 10, .cols = 10};
    scatter_obstacles(&position, reference_scale_is_quick() ? 45 : 8, &random);
    compare_random_placements(&position, 200, &random, compare, &arena, &coverage);
    arena_clear(&arena);
    print_coverage("ten by ten", &coverage);
    assert_coverage(&coverage, reference_scale_is_quick() ? (struct coverage){200, 100, 51, 49, 25}
                                                          : (struct coverage){200, 106, 94, 0, 40});
}

static unsigned mirrored_cell(const struct pawn_position *position, unsigned cell) {
    unsigned row = cell / position->cols, col = cell % position->cols;
    return row * position->cols + (position->cols - 1 - col);
}

static struct pawn_position mirrored(const struct pawn_position *position) {
    struct pawn_position mirror = *position;
    for (unsigned cell = 0; cell < position->rows * position->cols; cell++)
        mirror.obstacle[mirrored_cell(position, cell)] = position->obstacle[cell];
    mirror.red[0] = mirrored_cell(position, position->red[0]);
    mirror.red[1] = mirrored_cell(position, position->red[1]);
    mirror.pawn = mirrored_cell(position, position->pawn);
    return mirror;
}

static void a_board_and_its_left_right_mirror_have_the_same_value(void **state) {
    (void)state;
    unsigned boards = reference_scale_is_quick() ? 3 : 100;
    struct reference_random random = {4};
    struct arena arena;
    arena_init(&arena, ARENA_NO_CAP);
    for (unsigned i = 0; i < boards; i++) {
        struct pawn_position position = {.rows = 10, .cols = 10};
        scatter_obstacles(&position, reference_random_below(&random, 40), &random);
        if (!place_at_random(&position, &random))
            continue;
        struct pawn_verdict verdict = solve(&position, &arena);
        struct pawn_position mirror = mirrored(&position);
        expect(&mirror, &arena, letter_of(verdict.winner), verdict.steps);
    }
    arena_clear(&arena);
}

static void a_game_that_nobody_can_win_is_a_tie(void **state) {
    (void)state;
    /* The pawn goes to and fro on the left, the red pieces on the right. */
    expect_drawn(3,
                 "#####"
                 "X.#O."
                 "###.O",
                 PAWN_RED, 'T', 0);
    expect_drawn(3,
                 "#####"
                 "X.#O."
                 "###.O",
                 PAWN_BLACK, 'T', 0);
}

static void red_loses_at_once_when_it_cannot_move(void **state) {
    (void)state;
    expect_drawn(3,
                 "O#.."
                 "##.X"
                 "O#..",
                 PAWN_RED, 'B', 0);
    /* Its own piece is in the way of each. */
    expect_drawn(2,
                 "OO#."
                 "##X.",
                 PAWN_RED, 'B', 0);
}

static void red_loses_after_black_s_move_when_it_cannot_move_then(void **state) {
    (void)state;
    /* The pawn cannot reach the first row; after its step sideways Red has no move. */
    expect_drawn(3,
                 "O###"
                 "##.X"
                 "O###",
                 PAWN_BLACK, 'B', 1);
}

static void black_loses_at_once_when_it_cannot_move(void **state) {
    (void)state;
    expect_drawn(3,
                 "#.."
                 "X#O"
                 "..O",
                 PAWN_BLACK, 'R', 0);
    /* With Red to move, any move leaves the pawn blocked. */
    expect_drawn(3,
                 "#.."
                 "X#O"
                 "..O",
                 PAWN_RED, 'R', 1);
}

static void the_pawn_never_goes_down(void **state) {
    (void)state;
    /* Down is the only free cell next to the pawn. */
    expect_drawn(3,
                 "O##"
                 "#X#"
                 "O..",
                 PAWN_BLACK, 'R', 0);
}

static void red_captures_by_moving_onto_the_pawn(void **state) {
    (void)state;
    expect_drawn(3,
                 "..."
                 ".OX"
                 "..O",
                 PAWN_RED, 'R', 1);
    expect_drawn(2,
                 "#.O"
                 "O.X",
                 PAWN_RED, 'R', 1);
    /* From below. */
    expect_drawn(3,
                 "..#"
                 "#.X"
                 ".OO",
                 PAWN_RED, 'R', 1);
}

static void black_wins_by_moving_onto_a_red_piece(void **state) {
    (void)state;
    /* In the second row, sideways: up is an obstacle. */
    expect_drawn(3,
                 ".#."
                 "OX#"
                 ".O.",
                 PAWN_BLACK, 'B', 1);
    /* Upwards, not yet in the first row. */
    expect_drawn(3,
                 "..."
                 "#O."
                 "OX#",
                 PAWN_BLACK, 'B', 1);
    /* In the first row: both rules say Black. */
    expect_drawn(2,
                 ".OO"
                 "#X#",
                 PAWN_BLACK, 'B', 1);
}

static void a_pawn_in_the_second_row_crosses_in_one_move(void **state) {
    (void)state;
    expect_drawn(3,
                 "..."
                 ".X."
                 "O.O",
                 PAWN_BLACK, 'B', 1);
}

static void a_sideways_move_never_wraps_a_row(void **state) {
    (void)state;
    /* Left of the pawn, wrapped, would be the free cell at the end of the first row: a win; it has no move at all. */
    expect_drawn(2,
                 "#O."
                 "X#O",
                 PAWN_BLACK, 'R', 0);
    /* Right of the pawn, wrapped, would be the free cell in the row below. */
    expect_drawn(3,
                 "O.#"
                 "O#X"
                 "...",
                 PAWN_BLACK, 'R', 0);
    /* Each red piece, wrapped, would have the free cell in the next or in the former row. */
    expect_drawn(4,
                 ".#O"
                 ".##"
                 "X.#"
                 "##O",
                 PAWN_RED, 'B', 0);
    expect_drawn(4,
                 "##."
                 "O#X"
                 "###"
                 "O#.",
                 PAWN_RED, 'B', 0);
}

static void a_one_column_board_is_a_corridor(void **state) {
    (void)state;
    /* Nobody can pass anybody: whoever is to move next to the other captures. */
    expect_drawn(4, "O.XO", PAWN_RED, 'R', 1);
    expect_drawn(3, "OXO", PAWN_BLACK, 'B', 1);
}

static void too_little_work_is_no_answer(void **state) {
    (void)state;
    struct arena arena;
    arena_init(&arena, ARENA_NO_CAP);
    struct pawn_position position = long_game();
    struct pawn_verdict right = solve(&position, &arena);
    unsigned starved = 0;
    bool answered = false;
    for (uint64_t units = 0; !answered; units = units * 3 / 2 + 1) {
        struct work work = {.left = units};
        struct pawn_answer answer = {.verdict = {PAWN_TIE, 12345}};
        arena_reset(&arena);
        enum work_outcome outcome = pawn_solve(&position, 0, &arena, &work, &answer);
        answered = outcome == WORK_DONE;
        if (answered) {
            assert_int_equal(answer.verdict.winner, right.winner);
            assert_int_equal(answer.verdict.steps, right.steps);
            assert_true(work.left < units);
            continue;
        }
        assert_int_equal(outcome, WORK_EXHAUSTED);
        assert_int_equal(answer.verdict.steps, 12345);
        starved++;
    }
    assert_true(starved > 5);
    arena_clear(&arena);
}

static void a_stopped_account_ends_the_search(void **state) {
    (void)state;
    struct arena arena;
    arena_init(&arena, ARENA_NO_CAP);
    struct pawn_position position = long_game();
    atomic_bool stop = true;
    struct work work = {.left = WORK_UNBOUNDED, .stop = &stop};
    struct pawn_answer answer = {.verdict = {PAWN_TIE, 12345}};
    assert_int_equal(pawn_solve(&position, 0, &arena, &work, &answer), WORK_EXHAUSTED);
    assert_int_equal(answer.verdict.steps, 12345);
    arena_clear(&arena);
}

/* Whatever the cap, the answer is right or there is none; and there is one as soon as the cap is large enough. */
static void too_little_memory_is_no_answer(void **state) {
    (void)state;
    struct arena arena;
    arena_init(&arena, ARENA_NO_CAP);
    struct pawn_position position = long_game();
    struct pawn_verdict right = solve(&position, &arena);
    arena_clear(&arena);
    unsigned refused = 0, answered = 0;
    for (size_t cap = 0; answered < 3; cap = cap * 17 / 16 + 16) {
        arena_init(&arena, cap);
        struct work work = {.left = WORK_UNBOUNDED};
        struct pawn_answer answer = {.verdict = {PAWN_TIE, 12345}};
        enum work_outcome outcome = pawn_solve(&position, 0, &arena, &work, &answer);
        if (outcome == WORK_DONE) {
            assert_int_equal(answer.verdict.winner, right.winner);
            assert_int_equal(answer.verdict.steps, right.steps);
            answered++;
        } else {
            assert_int_equal(outcome, WORK_NO_MEMORY);
            assert_int_equal(answer.verdict.steps, 12345);
            assert_int_equal(answered, 0);
            refused++;
        }
        arena_clear(&arena);
    }
    assert_true(refused > 5);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_board_of_at_most_twelve_cells_agrees_with_the_model),
        cmocka_unit_test(random_boards_of_ten_to_thirty_six_cells_agree_with_the_model),
        cmocka_unit_test(every_placement_on_some_larger_boards_agrees_with_the_model),
        cmocka_unit_test(boards_up_to_128_cells_agree_with_the_model),
        cmocka_unit_test(boards_up_to_the_limit_agree_with_the_model),
        cmocka_unit_test(an_open_board_of_ten_by_ten_agrees_with_the_model),
        cmocka_unit_test(a_board_and_its_left_right_mirror_have_the_same_value),
        cmocka_unit_test(a_game_that_nobody_can_win_is_a_tie),
        cmocka_unit_test(red_loses_at_once_when_it_cannot_move),
        cmocka_unit_test(red_loses_after_black_s_move_when_it_cannot_move_then),
        cmocka_unit_test(black_loses_at_once_when_it_cannot_move),
        cmocka_unit_test(the_pawn_never_goes_down),
        cmocka_unit_test(red_captures_by_moving_onto_the_pawn),
        cmocka_unit_test(black_wins_by_moving_onto_a_red_piece),
        cmocka_unit_test(a_pawn_in_the_second_row_crosses_in_one_move),
        cmocka_unit_test(a_sideways_move_never_wraps_a_row),
        cmocka_unit_test(a_one_column_board_is_a_corridor),
        cmocka_unit_test(too_little_work_is_no_answer),
        cmocka_unit_test(a_stopped_account_ends_the_search),
        cmocka_unit_test(too_little_memory_is_no_answer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
