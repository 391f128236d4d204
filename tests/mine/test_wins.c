/* The winning first clicks on a Minesweeper field, compared with plain cell-by-cell play on every small field, and with
 * the unreduced graph of openings on larger ones. Also tests results with too few states or too little work or memory,
 * and the content of every cell. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "mine/fields.h"
#include "reference/mine.h"
#include "reference/scale.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NO_LIMIT UINT64_MAX

/* The size of the largest field in these tests. */
enum { MAX_CELLS = 1000 };

/* The program's answer about a field. */
struct answer {
    struct mine_verdict verdict;
    struct mine_clicks clicks;
    uint64_t states;
};

static struct answer solve(struct field *field, uint64_t max_states, uint32_t max, struct arena *arena) {
    struct mine_field program = {.rows = field->rows, .cols = field->cols, .mines = field->mines};
    struct work work = {.left = WORK_UNBOUNDED};
    struct answer answer = {0};
    set_bits(field);
    arena_reset(arena);
    if (mine_solve_with_lists(&program, max_states, max, arena, &work, &answer.verdict, &answer.clicks, NULL) !=
        OUTCOME_DONE) {
        print_field(field);
        fail_msg("not solved, with work and memory without bounds");
    }
    answer.states = work.statistics.states;
    return answer;
}

/* Get the verdict alone, and the number of states it needs. */
static struct mine_verdict solve_verdict(struct field *field, uint64_t *ret_states, struct arena *arena) {
    struct mine_field program = {.rows = field->rows, .cols = field->cols, .mines = field->mines};
    struct work work = {.left = WORK_UNBOUNDED};
    struct mine_verdict verdict = {0};
    set_bits(field);
    arena_reset(arena);
    assert_int_equal(mine_solve(&program, MINE_NIMBER, NO_LIMIT, arena, &work, &verdict), OUTCOME_DONE);
    *ret_states = work.statistics.states;
    return verdict;
}

/* Totals of what a comparison has covered. */
struct coverage {
    unsigned fields, sharing, won; /* `won`: fields won by the first player */
    unsigned clicks;               /* winning clicks */
    unsigned on_openings;          /* winning clicks on openings */
    unsigned on_cancelled; /* winning clicks on one of an even number of equal numbers, which leave an odd number */
    unsigned searched;     /* fields that needed states */
};

static void expect_clicks(const struct field *field, const struct answer *answer, const bool *wins) {
    unsigned total = 0;
    bool same = answer->clicks.known;
    for (unsigned cell = 0; cell < field->rows * field->cols && same; cell++) {
        if (!wins[cell])
            continue;
        same = total >= answer->clicks.count || answer->clicks.cells[total] == cell;
        total++;
    }
    if (same && answer->clicks.total == total && answer->clicks.count <= total)
        return;
    print_field(field);
    for (unsigned cell = 0; cell < field->rows * field->cols; cell++) {
        if (wins[cell])
            print_error("right: %u, %u\n", cell / field->cols, cell % field->cols);
    }
    for (unsigned i = 0; i < answer->clicks.count; i++)
        print_error("the program: %u, %u\n", answer->clicks.cells[i] / field->cols,
                    answer->clicks.cells[i] % field->cols);
    fail_msg("%s, %u winning clicks of which %u are listed; the nimber is %u",
             answer->clicks.known ? "known" : "unknown", answer->clicks.total, answer->clicks.count,
             answer->verdict.nimber);
}

static void expect_list_is_cut(struct field *field, const bool *wins, uint32_t total, uint32_t max,
                               struct arena *arena) {
    struct answer answer = solve(field, NO_LIMIT, max, arena);
    expect_clicks(field, &answer, wins);
    assert_int_equal(answer.clicks.count, total < max ? total : max);
}

static void cover(const struct field *field, const bool *wins, struct coverage *coverage) {
    char shown[MAX_CELLS];
    reference_mine_show(field->rows, field->cols, field->cells, shown);
    for (unsigned cell = 0; cell < field->rows * field->cols; cell++) {
        if (!wins[cell])
            continue;
        unsigned equals = reference_mine_equals(field->rows, field->cols, field->cells, cell);
        coverage->clicks++;
        coverage->on_openings += shown[cell] == '.';
        coverage->on_cancelled += equals > 0 && equals % 2 == 0;
    }
}

/* Compare the program's clicks with the right ones, which come from one of the models. */
static void compare(struct field *field, const bool *wins, struct arena *arena, struct coverage *coverage) {
    uint64_t states;
    struct mine_verdict verdict = solve_verdict(field, &states, arena);
    struct answer answer = solve(field, NO_LIMIT, MAX_CELLS, arena);
    expect_clicks(field, &answer, wins);
    uint32_t total = answer.clicks.total;
    assert_int_equal(answer.clicks.count, total);
    assert_true(verdict.known && answer.verdict.known);
    assert_int_equal(verdict.nimber, answer.verdict.nimber);
    assert_int_equal(verdict.openings, answer.verdict.openings);
    assert_int_equal(verdict.three_bv, answer.verdict.three_bv);
    assert_int_equal(verdict.shared_numbers, answer.verdict.shared_numbers);
    assert_true((total == 0) == (verdict.nimber == 0));
    /* If no click wins, finding clicks takes no further states. */
    assert_true(verdict.nimber != 0 ? answer.states >= states : answer.states == states);
    if (coverage->fields++ % 8 == 0) {
        expect_list_is_cut(field, wins, total, 0, arena);
        expect_list_is_cut(field, wins, total, 1, arena);
        expect_list_is_cut(field, wins, total, 3, arena);
    }
    coverage->sharing += verdict.shared_numbers > 0;
    coverage->won += verdict.nimber != 0;
    coverage->searched += answer.states > 0;
    cover(field, wins, coverage);
}

static void compare_with_play(struct field *field, struct arena *arena, struct coverage *coverage) {
    bool wins[32];
    reference_mine_clicks(field->rows, field->cols, field->cells, wins);
    compare(field, wins, arena, coverage);
}

static void compare_with_graph(struct field *field, uint64_t max_positions, struct arena *arena,
                               struct coverage *coverage) {
    bool wins[MAX_CELLS];
    if (reference_mine_clicks_by_graph(field->rows, field->cols, field->cells, max_positions, wins))
        compare(field, wins, arena, coverage);
}

static void expect_coverage(const char *what, const struct coverage *coverage, struct coverage pinned) {
    print_message("%s: {%u, %u, %u, %u, %u, %u, %u}\n", what, coverage->fields, coverage->sharing, coverage->won,
                  coverage->clicks, coverage->on_openings, coverage->on_cancelled, coverage->searched);
    assert_int_equal(coverage->fields, pinned.fields);
    assert_int_equal(coverage->sharing, pinned.sharing);
    assert_int_equal(coverage->won, pinned.won);
    assert_int_equal(coverage->clicks, pinned.clicks);
    assert_int_equal(coverage->on_openings, pinned.on_openings);
    assert_int_equal(coverage->on_cancelled, pinned.on_cancelled);
    assert_int_equal(coverage->searched, pinned.searched);
}

static void every_field_of_at_most_twelve_cells_is_won_by_the_clicks_of_play_by_cells(void **state) {
    (void)state;
    unsigned max_cells = reference_scale_is_quick() ? 9 : 12;
    struct coverage coverage = {0};
    struct arena arena;
    arena_init(&arena, ARENA_NO_CAP);
    for (unsigned rows = 1; rows <= max_cells; rows++) {
        for (unsigned cols = 1; rows * cols <= max_cells; cols++) {
            struct field field = new_field(rows, cols);
            for (unsigned number = 0; number < 1u << (rows * cols); number++) {
                set_mines(&field, number);
                compare_with_play(&field, &arena, &coverage);
            }
            free_field(&field);
        }
    }
    arena_clear(&arena);
    expect_coverage("at most twelve cells", &coverage,
                    reference_scale_is_quick() ? (struct coverage){3210, 2, 2014, 4574, 633, 128, 2}
                                               : (struct coverage){35978, 22, 21720, 75416, 6931, 1888, 18});
}

/* All fields of these shapes whose openings share numbers. The quick test covers only fields with mines in the first 13
 * cells. */
static void fields_that_share_numbers_are_won_by_the_clicks_of_play_by_cells(void **state) {
    (void)state;
    static const unsigned shapes[][2] = {{4, 4}, {3, 5}, {5, 3}, {3, 6}, {6, 3}, {4, 5}, {5, 4}};
    struct coverage coverage = {0};
    struct arena arena;
    arena_init(&arena, ARENA_NO_CAP);
    for (unsigned i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++) {
        struct field field = new_field(shapes[i][0], shapes[i][1]);
        unsigned cells = reference_scale_is_quick() ? 13 : field.rows * field.cols;
        for (unsigned number = 0; number < 1u << cells; number++) {
            set_mines(&field, number);
            if (reference_mine_count(field.rows, field.cols, field.cells).shared_numbers == 0)
                continue;
            compare_with_play(&field, &arena, &coverage);
        }
        free_field(&field);
    }
    arena_clear(&arena);
    expect_coverage("fields that share numbers", &coverage,
                    reference_scale_is_quick() ? (struct coverage){274, 274, 197, 1011, 157, 476, 246}
                                               : (struct coverage){4988, 4988, 3616, 19064, 2952, 10064, 4524});
}

/* Fields of up to 32 cells, at most 20 of them without mines: the most that cell-by-cell play can handle. */
static void random_fields_that_share_numbers_are_won_by_the_clicks_of_play_by_cells(void **state) {
    (void)state;
    unsigned fields = reference_scale_is_quick() ? 20 : 400;
    struct reference_random random = {3202};
    struct coverage coverage = {0};
    struct arena arena;
    arena_init(&arena, ARENA_NO_CAP);
    while (coverage.fields < fields) {
        unsigned rows = 3 + reference_random_below(&random, 4), cols = 3 + reference_random_below(&random, 8);
        if (rows * cols > 32)
            continue;
        struct field field = new_field(rows, cols);
        scatter_mines(&field, 250 + reference_random_below(&random, 200), &random);
        unsigned safe = 0;
        for (unsigned cell = 0; cell < rows * cols; cell++)
            safe += field.cells[cell] != '*';
        if (safe >= 10 && safe <= REFERENCE_MINE_MAX_CELLS &&
            reference_mine_count(rows, cols, field.cells).shared_numbers > 0)
            compare_with_play(&field, &arena, &coverage);
        free_field(&field);
    }
    arena_clear(&arena);
    expect_coverage("random fields that share numbers", &coverage,
                    reference_scale_is_quick() ? (struct coverage){20, 20, 14, 89, 11, 32, 17}
                                               : (struct coverage){400, 400, 296, 1641, 233, 684, 337});
}

static void larger_random_fields_are_won_by_the_clicks_of_the_unreduced_graph(void **state) {
    (void)state;
    unsigned tries = reference_scale_is_quick() ? 15 : 1000;
    struct reference_random random = {812};
    struct coverage coverage = {0};
    struct arena arena;
    arena_init(&arena, ARENA_NO_CAP);
    for (unsigned i = 0; i < tries; i++) {
        unsigned cols = 8 + reference_random_below(&random, 5), rows = 8 + reference_random_below(&random, 5);
        struct field field = new_field(rows, cols);
        scatter_mines(&field, 90 + reference_random_below(&random, 160), &random);
        compare_with_graph(&field, (uint64_t)1 << (reference_scale_is_quick() ? 12 : 17), &arena, &coverage);
        free_field(&field);
    }
    arena_clear(&arena);
    expect_coverage("larger random fields", &coverage,
                    reference_scale_is_quick() ? (struct coverage){13, 3, 7, 127, 5, 20, 2}
                                               : (struct coverage){966, 376, 709, 13312, 717, 3660, 267});
}

/* Rows of more than 64 cells, which take up to three words. */
static void wide_fields_are_won_by_the_clicks_of_the_unreduced_graph(void **state) {
    (void)state;
    static const unsigned widths[] = {63, 64, 65, 66, 100, 127, 128, 129, 140, 191, 192, 193};
    unsigned rounds = reference_scale_is_quick() ? 1 : 8;
    struct reference_random random = {64};
    struct coverage coverage = {0};
    struct arena arena;
    arena_init(&arena, ARENA_NO_CAP);
    for (unsigned i = 0; i < rounds * (sizeof(widths) / sizeof(widths[0])); i++) {
        unsigned rows = 1 + reference_random_below(&random, 5);
        struct field field = new_field(rows, widths[i % (sizeof(widths) / sizeof(widths[0]))]);
        scatter_mines(&field, 130 + reference_random_below(&random, 120), &random);
        compare_with_graph(&field, (uint64_t)1 << 12, &arena, &coverage);
        free_field(&field);
    }
    arena_clear(&arena);
    expect_coverage("wide fields", &coverage,
                    reference_scale_is_quick() ? (struct coverage){11, 1, 5, 591, 21, 84, 1}
                                               : (struct coverage){80, 33, 51, 3656, 250, 980, 28});
}

/* Check a field drawn in rows. In `marks`, its winning clicks are marked 'w'. */
static void expect_drawn(unsigned rows, const char *cells, unsigned nimber, const char *marks) {
    unsigned cols = (unsigned)strlen(cells) / rows;
    struct field field = new_field(rows, cols);
    bool wins[MAX_CELLS], by_play[32];
    struct arena arena;
    arena_init(&arena, ARENA_NO_CAP);
    memcpy(field.cells, cells, (size_t)rows * cols);
    for (unsigned cell = 0; cell < rows * cols; cell++)
        wins[cell] = marks[cell] == 'w';
    struct answer answer = solve(&field, NO_LIMIT, MAX_CELLS, &arena);
    expect_clicks(&field, &answer, wins);
    assert_int_equal(answer.verdict.nimber, nimber);
    assert_int_equal(reference_mine_clicks(rows, cols, cells, by_play), nimber);
    assert_memory_equal(wins, by_play, (size_t)rows * cols);
    arena_clear(&arena);
    free_field(&field);
}

static void a_field_without_a_move_has_no_winning_click(void **state) {
    (void)state;
    expect_drawn(1, "*", 0, ".");
    expect_drawn(2, "****", 0, "....");
}

static void an_opening_is_listed_once_by_its_first_blank(void **state) {
    (void)state;
    expect_drawn(1, ".", 1, "w");
    expect_drawn(2, "....", 1, "w...");
    /* An opening and its number: clicking the number leaves the opening; clicking the opening takes both. */
    expect_drawn(1, "...*", 2, "w...");
    /* The same if the opening does not start at the first cell of its row. */
    expect_drawn(1, "*...", 2, "..w.");
}

static void lone_numbers_win_when_an_odd_count_is_left_alone(void **state) {
    (void)state;
    expect_drawn(1, ".*", 1, "w.");
    expect_drawn(1, ".*.", 0, "...");
    expect_drawn(1, ".*.*.", 1, "w.w.w");
}

static void a_click_on_one_of_two_equal_numbers_brings_the_other_back(void **state) {
    (void)state;
    /* The numbers at (1, 1) and (2, 1) are next to both openings. Together they are worth nothing, but a click on
     * either leaves the other, and wins. */
    expect_drawn(4,
                 "..**"
                 "...."
                 "...."
                 "*...",
                 3,
                 ".w.."
                 ".www"
                 "ww.."
                 ".w..");
}

/* With every limit, the clicks are either right or unknown. They are known from some limit on, which is at least the
 * number of states that the verdict needs. */
static void too_few_states_make_clicks_unknown_or_leave_them_right(void **state) {
    (void)state;
    unsigned wanted = reference_scale_is_quick() ? 3 : 40, fields = 0, verdict_only = 0, unknown = 0;
    struct reference_random random = {99};
    struct arena arena;
    arena_init(&arena, ARENA_NO_CAP);
    while (fields < wanted) {
        struct field field = new_field(9, 9);
        scatter_mines(&field, 120 + reference_random_below(&random, 60), &random);
        struct answer whole = solve(&field, NO_LIMIT, MAX_CELLS, &arena);
        uint64_t all_states = whole.states, verdict_states;
        uint32_t total = whole.clicks.total, nimber = whole.verdict.nimber;
        bool wins[MAX_CELLS] = {false};
        for (unsigned i = 0; i < whole.clicks.count; i++)
            wins[whole.clicks.cells[i]] = true;
        solve_verdict(&field, &verdict_states, &arena);
        if (all_states >= 4 && all_states <= 3000) {
            fields++;
            bool was_known = false;
            for (uint64_t limit = 0; limit <= all_states + 1; limit += 1 + all_states / 50) {
                struct answer answer = solve(&field, limit, MAX_CELLS, &arena);
                if (answer.clicks.known)
                    expect_clicks(&field, &answer, wins);
                assert_true(answer.verdict.known == (limit >= verdict_states));
                assert_true(!answer.verdict.known || answer.verdict.nimber == nimber);
                assert_true(answer.verdict.known || !answer.clicks.known);
                assert_true(answer.clicks.known || !was_known);
                assert_true(answer.states <= limit);
                was_known = answer.clicks.known;
                unknown += !answer.clicks.known;
                verdict_only += answer.verdict.known && !answer.clicks.known;
            }
            struct answer answer = solve(&field, all_states, MAX_CELLS, &arena);
            expect_clicks(&field, &answer, wins);
            assert_int_equal(answer.clicks.total, total);
        }
        free_field(&field);
    }
    arena_clear(&arena);
    print_message("%u fields, unknown %u, of which the verdict alone was known %u\n", fields, unknown, verdict_only);
    assert_true(unknown > fields && verdict_only > 0);
}

/* Make a field that needs some search. */
static struct field field_with_search(struct arena *arena) {
    struct reference_random random = {31};
    for (;;) {
        struct field field = new_field(12, 12);
        scatter_mines(&field, 140, &random);
        struct answer answer = solve(&field, NO_LIMIT, MAX_CELLS, arena);
        if (answer.states > 50 && answer.clicks.total > 0)
            return field;
        free_field(&field);
    }
}

static void results_depend_on_work_only_by_running_out_of_it(void **state) {
    (void)state;
    struct arena arena;
    arena_init(&arena, ARENA_NO_CAP);
    struct field field = field_with_search(&arena);
    struct mine_field program = {.rows = field.rows, .cols = field.cols, .mines = field.mines};
    uint32_t total = solve(&field, NO_LIMIT, MAX_CELLS, &arena).clicks.total, starved = 0;
    enum outcome outcome = OUTCOME_MORE_WORK;
    for (uint64_t units = 0; outcome != OUTCOME_DONE; units = units * 9 / 8 + 1) {
        struct work work = {.left = units};
        struct mine_verdict verdict = {.nimber = 12345};
        struct mine_clicks clicks = {.total = 12345};
        arena_reset(&arena);
        outcome = mine_solve_with_lists(&program, NO_LIMIT, MAX_CELLS, &arena, &work, &verdict, &clicks, NULL);
        if (outcome == OUTCOME_DONE) {
            assert_true(clicks.known);
            assert_int_equal(clicks.total, total);
            continue;
        }
        assert_int_equal(outcome, OUTCOME_MORE_WORK);
        assert_int_equal(verdict.nimber, 12345);
        assert_int_equal(clicks.total, 12345);
        starved++;
    }
    free_field(&field);
    arena_clear(&arena);
    assert_true(starved > 5);
}

static void too_little_memory_is_no_answer(void **state) {
    (void)state;
    struct arena arena;
    arena_init(&arena, ARENA_NO_CAP);
    struct field field = field_with_search(&arena);
    struct mine_field program = {.rows = field.rows, .cols = field.cols, .mines = field.mines};
    uint32_t total = solve(&field, NO_LIMIT, MAX_CELLS, &arena).clicks.total;
    arena_clear(&arena);
    unsigned refused = 0, answered = 0;
    for (size_t cap = 0; answered < 3; cap = cap * 17 / 16 + 16) {
        arena_init(&arena, cap);
        struct work work = {.left = WORK_UNBOUNDED};
        struct mine_verdict verdict = {.nimber = 12345};
        struct mine_clicks clicks = {.total = 12345};
        enum outcome outcome =
            mine_solve_with_lists(&program, NO_LIMIT, MAX_CELLS, &arena, &work, &verdict, &clicks, NULL);
        if (outcome == OUTCOME_DONE) {
            assert_true(clicks.known);
            assert_int_equal(clicks.total, total);
            answered++;
        } else {
            assert_int_equal(outcome, OUTCOME_NO_MEMORY);
            assert_int_equal(verdict.nimber, 12345);
            assert_int_equal(clicks.total, 12345);
            refused++;
        }
        arena_clear(&arena);
    }
    free_field(&field);
    assert_true(refused > 5);
}

static void cells_show_the_mines_around_them(void **state) {
    (void)state;
    unsigned fields = reference_scale_is_quick() ? 100 : 3000;
    struct reference_random random = {8};
    unsigned shown[256] = {0};
    for (unsigned i = 0; i < fields; i++) {
        unsigned rows = 1 + reference_random_below(&random, 12), cols = 1 + reference_random_below(&random, 80);
        struct field field = new_field(rows, cols);
        struct mine_field program = {.rows = rows, .cols = cols, .mines = field.mines};
        char right[MAX_CELLS], cells[MAX_CELLS];
        scatter_mines(&field, reference_random_below(&random, 1001), &random);
        set_bits(&field);
        mine_show(&program, cells);
        reference_mine_show(rows, cols, field.cells, right);
        if (memcmp(cells, right, (size_t)rows * cols) != 0) {
            print_field(&field);
            fail_msg("%.*s\nright is\n%.*s", (int)(rows * cols), cells, (int)(rows * cols), right);
        }
        for (unsigned cell = 0; cell < rows * cols; cell++)
            shown[(unsigned char)cells[cell]]++;
        free_field(&field);
    }
    for (const char *one = ".*12345678"; *one != '\0'; one++)
        assert_true(shown[(unsigned char)*one] > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_field_of_at_most_twelve_cells_is_won_by_the_clicks_of_play_by_cells),
        cmocka_unit_test(fields_that_share_numbers_are_won_by_the_clicks_of_play_by_cells),
        cmocka_unit_test(random_fields_that_share_numbers_are_won_by_the_clicks_of_play_by_cells),
        cmocka_unit_test(larger_random_fields_are_won_by_the_clicks_of_the_unreduced_graph),
        cmocka_unit_test(wide_fields_are_won_by_the_clicks_of_the_unreduced_graph),
        cmocka_unit_test(a_field_without_a_move_has_no_winning_click),
        cmocka_unit_test(an_opening_is_listed_once_by_its_first_blank),
        cmocka_unit_test(lone_numbers_win_when_an_odd_count_is_left_alone),
        cmocka_unit_test(a_click_on_one_of_two_equal_numbers_brings_the_other_back),
        cmocka_unit_test(too_few_states_make_clicks_unknown_or_leave_them_right),
        cmocka_unit_test(results_depend_on_work_only_by_running_out_of_it),
        cmocka_unit_test(too_little_memory_is_no_answer),
        cmocka_unit_test(cells_show_the_mines_around_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
