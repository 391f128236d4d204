/* The moves in the crossing-pawn game, ranked from best to worst, and the line of best moves: compared with the slow
 * model's ranking, and replayed by the model's rules. */
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
    unsigned positions, moves;
    unsigned first_rows, captures, no_moves, ties; /* how the lines end */
    unsigned line_moves, longest;
    unsigned mixed; /* positions whose moves are not all winning, all tying or all losing */
};

static bool is_black(const struct pawn_position *position) { return position->turn == PAWN_BLACK; }

static struct reference_pawn_value model_value(const struct reference_pawn *model,
                                               const struct pawn_position *position) {
    return reference_pawn_value(model, position->red[0], position->red[1], position->pawn, is_black(position));
}

static unsigned model_ranking(const struct reference_pawn *model, const struct pawn_position *position,
                              struct reference_pawn_move ret_moves[REFERENCE_PAWN_MAX_MOVES]) {
    return reference_pawn_ranking(model, position->red[0], position->red[1], position->pawn, is_black(position),
                                  ret_moves);
}

static char model_end(const struct reference_pawn *model, const struct pawn_position *position) {
    return reference_pawn_end(model, position->red[0], position->red[1], position->pawn, is_black(position));
}

static bool same_move(const struct pawn_ranked_move *ranked, const struct reference_pawn_move *right) {
    return ranked->move.from == right->from && ranked->move.to == right->to &&
           letter_of(ranked->verdict.winner) == right->value.winner && ranked->verdict.steps == right->value.steps;
}

/* Check all moves in a position, with their values and their order. */
static void expect_ranking(const struct pawn_answer *answer, const struct pawn_position *position,
                           const struct reference_pawn *model, struct coverage *coverage) {
    const struct pawn_ranked_move *ranked = answer->moves;
    struct reference_pawn_move right[REFERENCE_PAWN_MAX_MOVES];
    unsigned count = answer->move_count, right_count = model_ranking(model, position, right);
    bool same = count == right_count;
    for (unsigned m = 0; m < right_count; m++)
        same = same && same_move(&ranked[m], &right[m]);
    if (!same) {
        print_position(position);
        for (unsigned m = 0; m < count; m++)
            print_error("the program's %u: %u to %u, %c in %u\n", m, ranked[m].move.from, ranked[m].move.to,
                        letter_of(ranked[m].verdict.winner), ranked[m].verdict.steps);
        for (unsigned m = 0; m < right_count; m++)
            print_error("the model's %u: %u to %u, %c in %u\n", m, right[m].from, right[m].to, right[m].value.winner,
                        right[m].value.steps);
        fail_msg("the moves differ");
    }
    /* The best move has the value of the position. */
    struct reference_pawn_value value = model_value(model, position);
    if (count > 0)
        assert_true(right[0].value.winner == value.winner && right[0].value.steps == value.steps);
    coverage->moves += count;
    coverage->mixed += count > 0 && right[0].value.winner != right[count - 1].value.winner;
}

/* Check with the model that no move in this position is better for the mover than `value`. */
static void expect_no_better_move(const struct pawn_position *position, const struct reference_pawn *model,
                                  struct reference_pawn_value value) {
    struct reference_pawn_move moves[REFERENCE_PAWN_MAX_MOVES];
    unsigned count = model_ranking(model, position, moves);
    char mover = is_black(position) ? 'B' : 'R';
    for (unsigned m = 0; m < count; m++) {
        struct pawn_position next = *position;
        unsigned *piece = is_black(position) ? &next.pawn : next.red[0] == moves[m].from ? &next.red[0] : &next.red[1];
        *piece = moves[m].to;
        next.turn = is_black(position) ? PAWN_RED : PAWN_BLACK;
        struct reference_pawn_value after = model_value(model, &next);
        if (value.winner == mover)
            assert_true(after.winner != mover || after.steps + 1 >= value.steps);
        else
            assert_true(after.winner == value.winner && after.steps + 1 <= value.steps);
    }
}

/* Follow the line from `root`, checking that each move is the first in the model's ranking. A tie has no line. Returns
 * the length of the line. */
static unsigned follow_line(const struct pawn_move *line, const struct pawn_position *root,
                            const struct reference_pawn *model, struct coverage *coverage) {
    struct reference_pawn_value value = model_value(model, root);
    struct pawn_position position = *root;
    unsigned length = 0;
    while (value.winner != 'T') {
        struct reference_pawn_move right[REFERENCE_PAWN_MAX_MOVES];
        if (model_ranking(model, &position, right) == 0)
            break;
        assert_true(length < value.steps);
        struct pawn_move move = line[length];
        if (move.from != right[0].from || move.to != right[0].to) {
            print_position(root);
            print_error("after %u moves:\n", length);
            print_position(&position);
            fail_msg("the line goes from %u to %u; right is %u to %u, %c in %u", move.from, move.to, right[0].from,
                     right[0].to, right[0].value.winner, right[0].value.steps);
        }
        expect_no_better_move(&position, model,
                              (struct reference_pawn_value){value.winner, (unsigned short)(value.steps - length)});
        length++;
        pawn_position_play(&position, move);
        /* The turn must have passed to the other side. */
        assert_true(is_black(&position) == (is_black(root) != (length % 2 != 0)));
    }
    assert_int_equal(length, value.steps);
    if (coverage == NULL)
        return length;
    char end = value.winner == 'T' ? 'T' : model_end(model, &position);
    static const char ends[] = {
        [PAWN_NOT_OVER] = '.', [PAWN_FIRST_ROW] = 'F', [PAWN_CAPTURE] = 'C', [PAWN_NO_MOVE] = 'N'};
    if (end != 'T')
        assert_int_equal(ends[pawn_position_end(&position)], end);
    assert_true(end != '.');
    coverage->first_rows += end == 'F';
    coverage->captures += end == 'C';
    coverage->no_moves += end == 'N';
    coverage->ties += end == 'T';
    coverage->line_moves += length;
    if (length > coverage->longest)
        coverage->longest = length;
    return length;
}

static void compare_wants(const struct pawn_position *position, const struct reference_pawn *model, unsigned wants,
                          struct arena *arena, struct coverage *coverage) {
    struct pawn_answer answer = solve(position, wants, arena);
    expect_verdict(position, answer.verdict, model_value(model, position));
    if (wants & PAWN_MOVES)
        expect_ranking(&answer, position, model, coverage);
    else
        assert_int_equal(answer.move_count, 0);
    if (wants & PAWN_LINE)
        follow_line(answer.line, position, model, wants & PAWN_MOVES ? coverage : NULL);
    else
        assert_null(answer.line);
}

/* Compare everything at once, then one part separately: the verdict alone, the verdict with the moves, or the verdict
 * with the line. */
static void compare(const struct pawn_position *position, const struct reference_pawn *model, struct arena *arena,
                    struct coverage *coverage) {
    struct coverage unused = {0};
    compare_wants(position, model, PAWN_MOVES | PAWN_LINE, arena, coverage);
    compare_wants(position, model, coverage->positions % 3, arena, &unused);
    coverage->positions++;
}

/* Compare every part. */
static void compare_each_part(const struct pawn_position *position, const struct reference_pawn *model,
                              struct arena *arena, struct coverage *coverage) {
    struct coverage unused = {0};
    for (unsigned wants = 0; wants < (PAWN_MOVES | PAWN_LINE); wants++)
        compare_wants(position, model, wants, arena, &unused);
    compare_wants(position, model, PAWN_MOVES | PAWN_LINE, arena, coverage);
    coverage->positions++;
}

static void expect_coverage(const char *what, const struct coverage *coverage, struct coverage pinned) {
    print_message("%s: {%u, %u, %u, %u, %u, %u, %u, %u, %u}\n", what, coverage->positions, coverage->moves,
                  coverage->first_rows, coverage->captures, coverage->no_moves, coverage->ties, coverage->line_moves,
                  coverage->longest, coverage->mixed);
    assert_int_equal(coverage->positions, pinned.positions);
    assert_int_equal(coverage->moves, pinned.moves);
    assert_int_equal(coverage->first_rows, pinned.first_rows);
    assert_int_equal(coverage->captures, pinned.captures);
    assert_int_equal(coverage->no_moves, pinned.no_moves);
    assert_int_equal(coverage->ties, pinned.ties);
    assert_int_equal(coverage->line_moves, pinned.line_moves);
    assert_int_equal(coverage->longest, pinned.longest);
    assert_int_equal(coverage->mixed, pinned.mixed);
}

static void every_board_of_at_most_nine_cells_has_the_moves_and_line_of_the_model(void **state) {
    (void)state;
    unsigned max_cells = reference_scale_is_quick() ? 7 : 9;
    struct coverage coverage = {0};
    struct arena arena;
    arena_init(&arena, ARENA_NO_CAP);
    compare_all_maps(max_cells, compare_each_part, &arena, &coverage);
    arena_clear(&arena);
    expect_coverage("at most nine cells", &coverage,
                    reference_scale_is_quick()
                        ? (struct coverage){10112, 13728, 1304, 5880, 2928, 0, 11338, 7, 2052}
                        : (struct coverage){156160, 246784, 22692, 85766, 47034, 668, 202610, 11, 39062});
}

static void random_boards_of_ten_to_thirty_six_cells_have_the_moves_and_line_of_the_model(void **state) {
    (void)state;
    struct coverage coverage = {0};
    compare_small_boards(reference_scale_is_quick() ? 30 : 1000, 30, 20240602, compare, &coverage);
    expect_coverage("ten to thirty-six cells", &coverage,
                    reference_scale_is_quick()
                        ? (struct coverage){900, 2758, 342, 453, 81, 24, 2954, 24, 259}
                        : (struct coverage){30000, 87736, 11214, 14309, 3521, 956, 92358, 34, 8611});
}

/* These boards have many obstacles, so that there are ties, and moves that turn ties into losses. */
static void every_placement_on_some_larger_boards_has_the_moves_and_line_of_the_model(void **state) {
    (void)state;
    unsigned boards = reference_scale_is_quick() ? 2 : 12;
    struct reference_random random = {78};
    struct coverage coverage = {0};
    struct arena arena;
    arena_init(&arena, ARENA_NO_CAP);
    for (unsigned i = 0; i < boards; i++) {
        struct pawn_position position = {.rows = 4 + i % 2, .cols = 4 + i / 2 % 2};
        scatter_obstacles(&position, 40, &random);
        compare_all_placements(&position, compare, &arena, &coverage);
    }
    arena_clear(&arena);
    expect_coverage("every placement on larger boards", &coverage,
                    reference_scale_is_quick()
                        ? (struct coverage){3240, 8324, 516, 2090, 386, 248, 6872, 10, 1324}
                        : (struct coverage){27360, 66496, 7488, 14072, 3496, 2304, 69928, 16, 8246});
}

static void boards_up_to_128_cells_have_the_moves_and_line_of_the_model(void **state) {
    (void)state;
    struct coverage coverage = {0};
    compare_shapes_up_to_128(reference_scale_is_quick() ? 1 : 3, reference_scale_is_quick() ? 12 : 50, 129, compare,
                             &coverage);
    expect_coverage("up to 128 cells", &coverage,
                    reference_scale_is_quick() ? (struct coverage){181, 686, 56, 104, 12, 9, 1147, 24, 48}
                                               : (struct coverage){2099, 8279, 603, 1208, 189, 99, 15236, 43, 466});
}

static void boards_up_to_the_limit_have_the_moves_and_line_of_the_model(void **state) {
    (void)state;
    struct coverage coverage = {0};
    compare_shapes_up_to_256(reference_scale_is_quick() ? 1 : 3, reference_scale_is_quick() ? 4 : 50, 257, compare,
                             &coverage);
    expect_coverage("up to the limit", &coverage,
                    reference_scale_is_quick() ? (struct coverage){34, 132, 12, 18, 4, 0, 209, 25, 6}
                                               : (struct coverage){968, 3608, 371, 491, 47, 59, 9754, 59, 134});
}

static void an_open_board_of_ten_by_ten_has_the_moves_and_line_of_the_model(void **state) {
    (void)state;
    struct coverage coverage = {0};
    compare_ten_by_ten(reference_scale_is_quick() ? 45 : 8, 100, 11, compare, &coverage);
    expect_coverage("ten by ten", &coverage,
                    reference_scale_is_quick() ? (struct coverage){100, 283, 29, 37, 27, 7, 995, 43, 15}
                                               : (struct coverage){100, 470, 47, 53, 0, 0, 1137, 34, 24});
}

/* Stored as sets, the layers alone would take 190 MiB (or just over 96 MiB for the quick board). Some verdicts are
 * computed without keeping layers. */
static void the_line_of_a_long_game_fits_the_memory_of_a_worker(void **state) {
    (void)state;
    unsigned rows = reference_scale_is_quick() ? 208 : 256, steps = 2 * rows - 21;
    struct pawn_position position = {
        .rows = rows, .cols = 1, .red = {rows - 4, rows - 3}, .pawn = rows - 10, .turn = PAWN_BLACK};
    struct arena arena, other;
    arena_init(&arena, (size_t)96 << 20);
    arena_init(&other, (size_t)96 << 20);
    struct pawn_answer answer = solve(&position, PAWN_MOVES | PAWN_LINE, &arena);
    assert_int_equal(answer.verdict.steps, steps);
    for (unsigned length = 0; length < steps; length++) {
        struct pawn_move moves[PAWN_MAX_MOVES];
        unsigned count = pawn_position_moves(&position, moves), m = 0;
        while (m < count && (moves[m].from != answer.line[length].from || moves[m].to != answer.line[length].to))
            m++;
        assert_true(m < count);
        if (length % (reference_scale_is_quick() ? 400 : 100) == 0) {
            struct pawn_verdict verdict = solve(&position, 0, &other).verdict;
            assert_int_equal(verdict.winner, answer.verdict.winner);
            assert_int_equal(verdict.steps, steps - length);
        }
        pawn_position_play(&position, answer.line[length]);
    }
    assert_int_equal(pawn_position_result(&position).winner, answer.verdict.winner);
    assert_int_not_equal(pawn_position_end(&position), PAWN_NOT_OVER);
    arena_clear(&arena);
    arena_clear(&other);
}

static void the_order_of_the_red_pieces_does_not_matter(void **state) {
    (void)state;
    struct pawn_position position = draw(4,
                                         "..#."
                                         "O..O"
                                         "...."
                                         ".X..",
                                         PAWN_RED);
    struct pawn_answer answers[2];
    struct arena arena;
    arena_init(&arena, ARENA_NO_CAP);
    for (unsigned order = 0; order < 2; order++) {
        answers[order] = solve(&position, PAWN_MOVES, &arena);
        unsigned kept = position.red[0];
        position.red[0] = position.red[1];
        position.red[1] = kept;
    }
    arena_clear(&arena);
    assert_int_equal(answers[0].move_count, answers[1].move_count);
    assert_true(answers[0].move_count >= 5);
    for (unsigned m = 0; m < answers[0].move_count; m++) {
        assert_int_equal(answers[0].moves[m].move.from, answers[1].moves[m].move.from);
        assert_int_equal(answers[0].moves[m].move.to, answers[1].moves[m].move.to);
        assert_int_equal(answers[0].moves[m].verdict.winner, answers[1].moves[m].verdict.winner);
        assert_int_equal(answers[0].moves[m].verdict.steps, answers[1].moves[m].verdict.steps);
    }
}

static void a_game_that_is_over_has_no_moves(void **state) {
    (void)state;
    /* Red could move, but it is the pawn's turn, and the pawn cannot move. */
    struct pawn_position position = draw(3,
                                         "OO"
                                         "#."
                                         "X#",
                                         PAWN_BLACK);
    struct arena arena;
    arena_init(&arena, ARENA_NO_CAP);
    for (unsigned wants = 0; wants <= (PAWN_MOVES | PAWN_LINE); wants++) {
        struct pawn_answer answer = solve(&position, wants, &arena);
        assert_int_equal(answer.verdict.winner, PAWN_RED_WINS);
        assert_int_equal(answer.verdict.steps, 0);
        assert_int_equal(answer.move_count, 0);
    }
    assert_int_equal(pawn_position_end(&position), PAWN_NO_MOVE);
    arena_clear(&arena);
}

static void moves_of_a_tie_are_ranked_too(void **state) {
    (void)state;
    /* The pawn moves back and forth, and Red's pieces cannot reach it. All moves are equally good, so they are ordered
     * by their cells. */
    struct pawn_position position = draw(3,
                                         "#####"
                                         "X.#O."
                                         "###.O",
                                         PAWN_RED);
    struct arena arena;
    arena_init(&arena, ARENA_NO_CAP);
    struct pawn_answer answer = solve(&position, PAWN_MOVES, &arena);
    const struct pawn_ranked_move *ranked = answer.moves;
    assert_int_equal(answer.move_count, 4);
    static const unsigned right[][2] = {{8, 9}, {8, 13}, {14, 9}, {14, 13}};
    for (unsigned m = 0; m < 4; m++) {
        assert_int_equal(ranked[m].move.from, right[m][0]);
        assert_int_equal(ranked[m].move.to, right[m][1]);
        assert_int_equal(ranked[m].verdict.winner, PAWN_TIE);
        assert_int_equal(ranked[m].verdict.steps, 0);
    }
    arena_clear(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_board_of_at_most_nine_cells_has_the_moves_and_line_of_the_model),
        cmocka_unit_test(random_boards_of_ten_to_thirty_six_cells_have_the_moves_and_line_of_the_model),
        cmocka_unit_test(every_placement_on_some_larger_boards_has_the_moves_and_line_of_the_model),
        cmocka_unit_test(boards_up_to_128_cells_have_the_moves_and_line_of_the_model),
        cmocka_unit_test(boards_up_to_the_limit_have_the_moves_and_line_of_the_model),
        cmocka_unit_test(an_open_board_of_ten_by_ten_has_the_moves_and_line_of_the_model),
        cmocka_unit_test(the_line_of_a_long_game_fits_the_memory_of_a_worker),
        cmocka_unit_test(the_order_of_the_red_pieces_does_not_matter),
        cmocka_unit_test(a_game_that_is_over_has_no_moves),
        cmocka_unit_test(moves_of_a_tie_are_ranked_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
