/* Who wins the crossing-pawn game, and in how many moves. The solver is compared with the slow model on whole families
 * of boards, tested on handmade boards where a single rule decides, and run with too little work or memory. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "pawn/boards.h"
#include "reference/scale.h"

#include <stdio.h>
#include <string.h>

/* Totals of a comparison so far. */
struct coverage {
    unsigned positions, red_wins, black_wins, ties, longest;
};

static void expect_drawn(unsigned rows, const char *cells, enum pawn_side turn, char winner, unsigned steps) {
    struct arena arena;
    arena_init(&arena, ARENA_NO_CAP);
    struct pawn_position position = draw(rows, cells, turn);
    struct pawn_verdict verdict = solve(&position, 0, &arena).verdict;
    expect_verdict(&position, verdict, (struct reference_pawn_value){winner, (unsigned short)steps});
    arena_clear(&arena);
}

static void compare(const struct pawn_position *position, const struct reference_pawn *model, struct arena *arena,
                    struct coverage *coverage) {
    struct reference_pawn_value value =
        reference_pawn_value(model, position->red[0], position->red[1], position->pawn, position->turn == PAWN_BLACK);
    expect_verdict(position, solve(position, 0, arena).verdict, value);
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

static void add_times(struct coverage *coverage, const struct coverage *added, unsigned times) {
    coverage->positions += added->positions * times;
    coverage->red_wins += added->red_wins * times;
    coverage->black_wins += added->black_wins * times;
    coverage->ties += added->ties * times;
    if (added->longest > coverage->longest)
        coverage->longest = added->longest;
}

/* Tests all maps of at most nine cells and, of larger maps, one of each map and its mirror image. The coverage counts
 * all maps. */
static void every_board_of_at_most_twelve_cells_agrees_with_the_model(void **state) {
    (void)state;
    /* For n cells in rows of m, there are (n - m)(n - 1)(n - 2) placements, each with 2^(n - 3) choices of
     * obstacles. */
    bool quick = reference_scale_is_quick();
    struct coverage coverage = {0}, symmetric = {0}, halved = {0};
    struct arena arena;
    arena_init(&arena, ARENA_NO_CAP);
    compare_all_maps(quick ? 7 : 9, compare, &arena, &coverage);
    if (!quick)
        compare_maps_up_to_mirrors(9, 12, compare, &arena, &symmetric, &halved);
    arena_clear(&arena);
    add_times(&coverage, &symmetric, 1);
    add_times(&coverage, &halved, 2);
    print_coverage("at most twelve cells", &coverage);
    assert_coverage(&coverage, quick ? (struct coverage){10112, 6470, 3642, 0, 7}
                                     : (struct coverage){5978624, 3752786, 2088874, 136964, 17});
}

static void random_boards_of_ten_to_thirty_six_cells_agree_with_the_model(void **state) {
    (void)state;
    struct coverage coverage = {0};
    compare_small_boards(reference_scale_is_quick() ? 30 : 1000, 100, 20240601, compare, &coverage);
    print_coverage("ten to thirty-six cells", &coverage);
    assert_coverage(&coverage, reference_scale_is_quick() ? (struct coverage){3000, 1339, 1481, 180, 34}
                                                          : (struct coverage){99739, 49711, 46405, 3623, 34});
}

/* The rows and columns are long enough for the pieces to evade each other. */
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

static void boards_up_to_128_cells_agree_with_the_model(void **state) {
    (void)state;
    struct coverage coverage = {0};
    compare_shapes_up_to_128(reference_scale_is_quick() ? 1 : 3, 50, 128, compare, &coverage);
    print_coverage("up to 128 cells", &coverage);
    assert_coverage(&coverage, reference_scale_is_quick() ? (struct coverage){691, 462, 215, 14, 46}
                                                          : (struct coverage){2154, 1365, 723, 66, 43});
}

static void boards_up_to_the_limit_agree_with_the_model(void **state) {
    (void)state;
    struct coverage coverage = {0};
    compare_shapes_up_to_256(reference_scale_is_quick() ? 1 : 3, 50, 256, compare, &coverage);
    print_coverage("up to the limit", &coverage);
    assert_coverage(&coverage, reference_scale_is_quick() ? (struct coverage){228, 138, 73, 17, 36}
                                                          : (struct coverage){621, 345, 214, 62, 38});
}

static void an_open_board_of_ten_by_ten_agrees_with_the_model(void **state) {
    (void)state;
    struct coverage coverage = {0};
    compare_ten_by_ten(reference_scale_is_quick() ? 45 : 8, 200, 10, compare, &coverage);
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
        struct pawn_verdict verdict = solve(&position, 0, &arena).verdict;
        struct pawn_position mirror = mirrored(&position);
        struct pawn_verdict mirrored_verdict = solve(&mirror, 0, &arena).verdict;
        expect_verdict(&mirror, mirrored_verdict,
                       (struct reference_pawn_value){letter_of(verdict.winner), (unsigned short)verdict.steps});
    }
    arena_clear(&arena);
}

static void a_game_without_a_winner_is_a_tie(void **state) {
    (void)state;
    /* The pawn moves back and forth on the left, the red pieces on the right. */
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
    /* Each red piece is blocked by the other. */
    expect_drawn(2,
                 "OO#."
                 "##X.",
                 PAWN_RED, 'B', 0);
}

static void red_loses_after_black_s_move_when_it_cannot_move_then(void **state) {
    (void)state;
    /* The pawn cannot reach the first row; after its step sideways, Red has no move. */
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
    /* If Red is to move, any move leaves the pawn blocked. */
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
    /* Red captures from below. */
    expect_drawn(3,
                 "..#"
                 "#.X"
                 ".OO",
                 PAWN_RED, 'R', 1);
}

static void black_wins_by_moving_onto_a_red_piece(void **state) {
    (void)state;
    /* The pawn captures sideways in the second row, below an obstacle. */
    expect_drawn(3,
                 ".#."
                 "OX#"
                 ".O.",
                 PAWN_BLACK, 'B', 1);
    /* The pawn captures upwards, but not in the first row. */
    expect_drawn(3,
                 "..."
                 "#O."
                 "OX#",
                 PAWN_BLACK, 'B', 1);
    /* The pawn captures in the first row, so Black wins by both rules. */
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
    /* If rows wrapped, the cell to the left of the pawn would be the free one at the end of the first row, and Black
     * would win. In fact, the pawn has no move. */
    expect_drawn(2,
                 "#O."
                 "X#O",
                 PAWN_BLACK, 'R', 0);
    /* If rows wrapped, the cell to the right of the pawn would be the free one in the row below. */
    expect_drawn(3,
                 "O.#"
                 "O#X"
                 "...",
                 PAWN_BLACK, 'R', 0);
    /* If rows wrapped, the cell next to each red piece would be the free one in the next or previous row. */
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
    /* Pieces cannot pass each other, so a side that is next to an opposing piece on its turn captures it. */
    expect_drawn(4, "O.XO", PAWN_RED, 'R', 1);
    expect_drawn(3, "OXO", PAWN_BLACK, 'B', 1);
}

/* An answer that no board has, to detect whether anything was written. */
static const struct pawn_answer unwritten = {.verdict = {PAWN_TIE, 12345}, .move_count = 99};

static void expect_unwritten(const struct pawn_answer *answer) {
    assert_int_equal(answer->verdict.winner, unwritten.verdict.winner);
    assert_int_equal(answer->verdict.steps, unwritten.verdict.steps);
    assert_int_equal(answer->move_count, unwritten.move_count);
}

static void expect_same(const struct pawn_answer *answer, const struct pawn_answer *right) {
    assert_int_equal(answer->verdict.winner, right->verdict.winner);
    assert_int_equal(answer->verdict.steps, right->verdict.steps);
    assert_int_equal(answer->move_count, right->move_count);
    for (unsigned m = 0; m < right->move_count; m++) {
        assert_int_equal(answer->moves[m].move.from, right->moves[m].move.from);
        assert_int_equal(answer->moves[m].move.to, right->moves[m].move.to);
        assert_int_equal(answer->moves[m].verdict.winner, right->moves[m].verdict.winner);
        assert_int_equal(answer->moves[m].verdict.steps, right->moves[m].verdict.steps);
    }
    assert_int_equal(answer->line == NULL, right->line == NULL);
    if (right->line != NULL)
        assert_memory_equal(answer->line, right->line, right->verdict.steps * sizeof *right->line);
}

enum { EVERYTHING = PAWN_MOVES | PAWN_LINE };

/* With any budget, the answer is either right or missing. */
static void expect_no_answer_for_too_little_work(unsigned wants) {
    struct arena right_arena, arena;
    arena_init(&right_arena, ARENA_NO_CAP);
    arena_init(&arena, ARENA_NO_CAP);
    struct pawn_position position = long_game();
    struct pawn_answer right = solve(&position, wants, &right_arena);
    unsigned starved = 0;
    bool answered = false;
    for (uint64_t units = 0; !answered; units = units * 3 / 2 + 1) {
        struct work work = {.left = units};
        struct pawn_answer answer = unwritten;
        arena_reset(&arena);
        enum outcome outcome = pawn_solve(&position, wants, &arena, &work, &answer);
        answered = outcome == OUTCOME_DONE;
        if (answered) {
            expect_same(&answer, &right);
            assert_true(work.left < units);
            continue;
        }
        assert_int_equal(outcome, OUTCOME_MORE_WORK);
        expect_unwritten(&answer);
        starved++;
    }
    assert_true(starved > 5);
    arena_clear(&arena);
    arena_clear(&right_arena);
}

static void too_little_work_is_no_answer(void **state) {
    (void)state;
    for (unsigned wants = 0; wants <= EVERYTHING; wants++)
        expect_no_answer_for_too_little_work(wants);
}

/* This is measured in units of work, not in time. The verdict takes 346 units, or 501 with all sweeps; with the moves,
 * it takes 501 units, or 557 with all sweeps. */
static void the_last_sweeps_before_an_answer_are_not_made(void **state) {
    (void)state;
    struct arena arena;
    arena_init(&arena, ARENA_NO_CAP);
    struct pawn_position position = draw(4, "..#.O..O.....X..", PAWN_RED);
    struct work work = {.left = 360};
    struct pawn_answer answer;
    assert_int_equal(pawn_solve(&position, 0, &arena, &work, &answer), OUTCOME_DONE);
    expect_verdict(&position, answer.verdict, (struct reference_pawn_value){'R', 7});
    work.left = 510;
    assert_int_equal(pawn_solve(&position, PAWN_MOVES, &arena, &work, &answer), OUTCOME_DONE);
    assert_int_equal(answer.moves[0].verdict.steps, 7);
    arena_clear(&arena);
}

static void a_stopped_account_ends_the_search(void **state) {
    (void)state;
    struct arena arena;
    arena_init(&arena, ARENA_NO_CAP);
    struct pawn_position position = long_game();
    for (unsigned wants = 0; wants <= EVERYTHING; wants++) {
        atomic_bool stop = true;
        struct work work = {.left = WORK_UNBOUNDED, .stop = &stop};
        struct pawn_answer answer = unwritten;
        assert_int_equal(pawn_solve(&position, wants, &arena, &work, &answer), OUTCOME_CANCELLED);
        expect_unwritten(&answer);
    }
    arena_clear(&arena);
}

/* The same for memory, with any cap. */
static void expect_no_answer_for_too_little_memory(unsigned wants) {
    struct arena right_arena, arena;
    arena_init(&right_arena, ARENA_NO_CAP);
    struct pawn_position position = long_game();
    struct pawn_answer right = solve(&position, wants, &right_arena);
    unsigned refused = 0, answered = 0;
    for (size_t cap = 0; answered < 3; cap = cap * 17 / 16 + 16) {
        arena_init(&arena, cap);
        struct work work = {.left = WORK_UNBOUNDED};
        struct pawn_answer answer = unwritten;
        enum outcome outcome = pawn_solve(&position, wants, &arena, &work, &answer);
        if (outcome == OUTCOME_DONE) {
            expect_same(&answer, &right);
            answered++;
        } else {
            assert_int_equal(outcome, OUTCOME_NO_MEMORY);
            expect_unwritten(&answer);
            assert_int_equal(answered, 0);
            refused++;
        }
        arena_clear(&arena);
    }
    assert_true(refused > 5);
    arena_clear(&right_arena);
}

static void too_little_memory_is_no_answer(void **state) {
    (void)state;
    for (unsigned wants = 0; wants <= EVERYTHING; wants++)
        expect_no_answer_for_too_little_memory(wants);
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
        cmocka_unit_test(a_game_without_a_winner_is_a_tie),
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
        cmocka_unit_test(the_last_sweeps_before_an_answer_are_not_made),
        cmocka_unit_test(a_stopped_account_ends_the_search),
        cmocka_unit_test(too_little_memory_is_no_answer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
