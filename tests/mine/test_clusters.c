/* The clusters of a field, compared with those of an independent model, and with the nimber that they explain: their
 * values, and the parity of the lone numbers, xor to it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "mine/fields.h"
#include "mine/play.h"
#include "reference/mine.h"
#include "reference/scale.h"

#include <stdlib.h>
#include <string.h>

#define NO_LIMIT UINT64_MAX

enum { MAX_CELLS = 1200, MAX_POSITIONS = 1 << 16 };

/* Totals of what a comparison has covered. */
struct coverage {
    unsigned fields, clusters, of_several; /* clusters, and those of several openings */
    unsigned searched;                     /* fields that needed states */
    unsigned largest;                      /* the largest nimber of a cluster */
};

/* The program's answer. */
struct answer {
    struct mine_verdict verdict;
    struct mine_clicks clicks;
    struct mine_clusters clusters;
    uint64_t states;
};

static struct answer solve(const struct mine_field *program, uint64_t max_states, uint32_t max, bool with_clicks,
                           struct arena *arena) {
    struct work work = {.left = WORK_UNBOUNDED};
    struct answer answer = {0};
    arena_reset(arena);
    assert_int_equal(mine_solve_with_lists(program, max_states, max, arena, &work, &answer.verdict,
                                           with_clicks ? &answer.clicks : NULL, &answer.clusters),
                     OUTCOME_DONE);
    answer.states = work.statistics.states;
    return answer;
}

static struct mine_field program_field(struct field *field) {
    set_bits(field);
    return (struct mine_field){.rows = field->rows, .cols = field->cols, .mines = field->mines};
}

/* The xor of all clusters' values and of the lone numbers. All clusters must be listed and known. */
static uint32_t total_of(const struct answer *answer) {
    uint32_t total = (answer->verdict.three_bv - answer->verdict.openings) % 2;
    assert_int_equal(answer->clusters.count, answer->clusters.total);
    for (uint32_t k = 0; k < answer->clusters.count; k++) {
        assert_true(answer->clusters.items[k].known);
        total ^= answer->clusters.items[k].nimber;
    }
    return total;
}

static void expect_cluster(const struct field *field, const struct mine_valued_cluster *ours,
                           const struct reference_mine_cluster *right) {
    if (ours->first == right->first_blank && ours->vertices == right->openings && ours->numbers == right->numbers &&
        ours->known && (!right->small_enough || ours->nimber == right->nimber))
        return;
    print_field(field);
    fail_msg("the program: cell %u, %u openings, %u numbers, %s, nimber %u; right: cell %u, %u, %u, %s, %u",
             ours->first, ours->vertices, ours->numbers, ours->known ? "known" : "unknown", ours->nimber,
             right->first_blank, right->openings, right->numbers, right->small_enough ? "known" : "unknown",
             right->nimber);
}

/* Compare a position with the model, and with the nimber alone, which takes the same number of states. */
static void compare(struct field *field, const struct mine_field *program, const bool *face_up, struct arena *arena,
                    struct coverage *coverage) {
    static struct reference_mine_cluster right[MAX_CELLS];
    struct work work = {.left = WORK_UNBOUNDED};
    struct mine_verdict verdict;
    arena_reset(arena);
    assert_int_equal(mine_solve(program, MINE_NIMBER, NO_LIMIT, arena, &work, &verdict), OUTCOME_DONE);
    struct answer answer = solve(program, NO_LIMIT, MAX_CELLS, false, arena);
    unsigned count = reference_mine_clusters(field->rows, field->cols, field->cells, face_up, MAX_POSITIONS, right);
    assert_int_equal(answer.clusters.total, count);
    for (unsigned k = 0; k < count; k++) {
        expect_cluster(field, &answer.clusters.items[k], &right[k]);
        coverage->of_several += right[k].openings > 1;
        coverage->largest = right[k].nimber > coverage->largest ? right[k].nimber : coverage->largest;
    }
    assert_int_equal(total_of(&answer), verdict.nimber);
    assert_int_equal(answer.verdict.nimber, verdict.nimber);
    assert_int_equal(answer.states, work.statistics.states);
    coverage->fields++;
    coverage->clusters += count;
    coverage->searched += answer.states != 0;
}

static void expect_coverage(const char *what, const struct coverage *coverage, struct coverage expected) {
    print_message("%s: {%u, %u, %u, %u, %u}\n", what, coverage->fields, coverage->clusters, coverage->of_several,
                  coverage->searched, coverage->largest);
    assert_memory_equal(coverage, &expected, sizeof expected);
}

static void every_small_field_is_explained_by_its_clusters(void **state) {
    (void)state;
    struct arena arena;
    struct coverage coverage = {0};
    arena_init(&arena, ARENA_NO_CAP);
    unsigned max = reference_scale_is_quick() ? 12 : 16;
    for (unsigned rows = 1; rows * rows <= max; rows++) {
        for (unsigned cols = rows; rows * cols <= max; cols++) {
            struct field field = new_field(rows, cols);
            for (unsigned number = 0; number < 1u << (rows * cols); number++) {
                set_mines(&field, number);
                struct mine_field program = program_field(&field);
                compare(&field, &program, NULL, &arena, &coverage);
                assert_int_equal(solve(&program, NO_LIMIT, 1, false, &arena).verdict.nimber,
                                 reference_mine_nimber(rows, cols, field.cells));
            }
            free_field(&field);
        }
    }
    arena_clear(&arena);
    expect_coverage("small fields", &coverage,
                    reference_scale_is_quick() ? (struct coverage){18254, 8887, 10, 8, 2}
                                               : (struct coverage){321358, 185606, 136, 56, 2});
}

/* Most of these fields have several clusters; with 8 to 14 % mines, large ones, too. */
static void random_fields_are_explained_by_their_clusters(void **state) {
    (void)state;
    struct arena arena;
    struct coverage coverage = {0};
    struct reference_random random = {2601};
    arena_init(&arena, ARENA_NO_CAP);
    for (unsigned n = 0; n < (reference_scale_is_quick() ? 150u : 3000u); n++) {
        unsigned rows = 5 + reference_random_below(&random, 26), cols = 5 + reference_random_below(&random, 26);
        struct field field = new_field(rows, cols);
        scatter_mines(&field, 50 + reference_random_below(&random, 150), &random);
        struct mine_field program = program_field(&field);
        compare(&field, &program, NULL, &arena, &coverage);
        free_field(&field);
    }
    arena_clear(&arena);
    expect_coverage("random fields", &coverage,
                    reference_scale_is_quick() ? (struct coverage){150, 736, 64, 43, 6}
                                               : (struct coverage){3000, 15776, 1611, 1054, 6});
}

/* Reveal what a click reveals, on both sides. Returns false if the click is illegal. */
static bool click(struct field *field, struct mine_field *program, unsigned cell, bool *face_up) {
    if (!reference_mine_click(field->rows, field->cols, field->cells, cell, face_up))
        return false;
    for (unsigned c = 0; c < field->rows * field->cols; c++)
        if (face_up[c])
            program->face_up[(size_t)(c / field->cols) * mine_words(field->cols) + c % field->cols / 64] |=
                (uint64_t)1 << c % field->cols % 64;
    return true;
}

static void after_clicks_only_what_is_face_down_counts(void **state) {
    (void)state;
    struct arena arena;
    struct coverage coverage = {0};
    struct reference_random random = {2602};
    arena_init(&arena, ARENA_NO_CAP);
    for (unsigned n = 0; n < (reference_scale_is_quick() ? 30u : 600u); n++) {
        unsigned rows = 8 + reference_random_below(&random, 12), cols = 8 + reference_random_below(&random, 12);
        struct field field = new_field(rows, cols);
        bool face_up[MAX_CELLS] = {false};
        scatter_mines(&field, 80 + reference_random_below(&random, 120), &random);
        struct mine_field program = program_field(&field);
        program.face_up = calloc((size_t)field.rows * mine_words(field.cols), sizeof *program.face_up);
        assert_non_null(program.face_up);
        for (unsigned tries = 0; tries < 12; tries++)
            if (click(&field, &program, reference_random_below(&random, field.rows * field.cols), face_up))
                compare(&field, &program, face_up, &arena, &coverage);
        free(program.face_up);
        free_field(&field);
    }
    arena_clear(&arena);
    expect_coverage("games", &coverage,
                    reference_scale_is_quick() ? (struct coverage){190, 741, 70, 45, 6}
                                               : (struct coverage){3782, 14126, 1012, 711, 6});
}

/* Whatever the limit, a value that is given is right; all are known whenever the nimber is, and the unsolved cluster
 * of the verdict is the first that is unknown. A list of clicks changes no cluster. */
static void too_few_states_leave_clusters_unknown_or_right(void **state) {
    (void)state;
    struct arena arena, large_arena;
    struct reference_random random = {2603};
    unsigned unknown = 0, partial = 0, known = 0;
    arena_init(&arena, ARENA_NO_CAP);
    arena_init(&large_arena, ARENA_NO_CAP);
    for (unsigned n = 0; n < (reference_scale_is_quick() ? 60u : 1000u); n++) {
        struct field field = new_field(30, 30);
        scatter_mines(&field, 90 + reference_random_below(&random, 40), &random);
        struct mine_field program = program_field(&field);
        struct answer right = solve(&program, NO_LIMIT, MAX_CELLS, false, &large_arena);
        for (uint64_t states = 0; states <= right.states; states = 2 * states + 1) {
            struct answer answer = solve(&program, states, MAX_CELLS, states % 3 == 0, &arena);
            const struct mine_valued_cluster *first = NULL;
            unsigned found = 0;
            assert_int_equal(answer.clusters.total, right.clusters.total);
            for (uint32_t k = 0; k < answer.clusters.count; k++) {
                const struct mine_valued_cluster *item = &answer.clusters.items[k];
                assert_int_equal(item->first, right.clusters.items[k].first);
                if (item->known)
                    assert_int_equal(item->nimber, right.clusters.items[k].nimber);
                else if (first == NULL)
                    first = item;
                found += item->known;
            }
            assert_int_equal(answer.verdict.known, first == NULL);
            if (first != NULL && !answer.verdict.won) {
                assert_int_equal(answer.verdict.unsolved.row * field.cols + answer.verdict.unsolved.col, first->first);
                assert_int_equal(answer.verdict.unsolved.openings, first->vertices);
                assert_int_equal(answer.verdict.unsolved.numbers, first->numbers);
            }
            known += first == NULL;
            partial += first != NULL && found != 0;
            unknown += first != NULL;
        }
        free_field(&field);
    }
    arena_clear(&arena);
    arena_clear(&large_arena);
    print_message("%u known, %u unknown, %u of them in part\n", known, unknown, partial);
    assert_true(known > 10 && unknown > 10 && partial > 10);
}

static void a_long_list_is_cut_but_counted(void **state) {
    (void)state;
    struct arena arena, whole_arena;
    struct field field = new_field(30, 30);
    struct reference_random random = {2604};
    arena_init(&arena, ARENA_NO_CAP);
    arena_init(&whole_arena, ARENA_NO_CAP);
    scatter_mines(&field, 150, &random);
    struct mine_field program = program_field(&field);
    struct answer whole = solve(&program, NO_LIMIT, MAX_CELLS, true, &whole_arena);
    assert_true(whole.clusters.total > 5);
    for (uint32_t max = 0; max <= whole.clusters.total + 1; max++) {
        struct answer cut = solve(&program, NO_LIMIT, max, true, &arena);
        assert_int_equal(cut.clusters.total, whole.clusters.total);
        assert_int_equal(cut.clusters.count, max < whole.clusters.total ? max : whole.clusters.total);
        for (uint32_t k = 0; k < cut.clusters.count; k++)
            assert_int_equal(cut.clusters.items[k].first, whole.clusters.items[k].first);
    }
    arena_clear(&arena);
    arena_clear(&whole_arena);
    free_field(&field);
}

static void too_little_work_or_memory_is_no_list(void **state) {
    (void)state;
    struct field field = new_field(40, 40);
    struct reference_random random = {2605};
    scatter_mines(&field, 120, &random);
    struct mine_field program = program_field(&field);
    struct mine_verdict verdict;
    struct mine_clusters clusters;
    unsigned starved = 0, refused = 0;
    enum outcome outcome = OUTCOME_MORE_WORK;
    for (uint64_t units = 0; outcome != OUTCOME_DONE; units = units * 9 / 8 + 1, starved++) {
        struct work work = {.left = units};
        struct arena arena;
        arena_init(&arena, ARENA_NO_CAP);
        outcome = mine_solve_with_lists(&program, NO_LIMIT, 100, &arena, &work, &verdict, NULL, &clusters);
        assert_true(outcome == OUTCOME_DONE || outcome == OUTCOME_MORE_WORK);
        arena_clear(&arena);
    }
    outcome = OUTCOME_NO_MEMORY;
    for (size_t cap = 0; outcome != OUTCOME_DONE; cap = cap * 17 / 16 + 16, refused++) {
        struct work work = {.left = WORK_UNBOUNDED};
        struct arena arena;
        arena_init(&arena, cap);
        outcome = mine_solve_with_lists(&program, NO_LIMIT, 100, &arena, &work, &verdict, NULL, &clusters);
        assert_true(outcome == OUTCOME_DONE || outcome == OUTCOME_NO_MEMORY);
        arena_clear(&arena);
    }
    free_field(&field);
    assert_true(starved > 5 && refused > 5);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_small_field_is_explained_by_its_clusters),
        cmocka_unit_test(random_fields_are_explained_by_their_clusters),
        cmocka_unit_test(after_clicks_only_what_is_face_down_counts),
        cmocka_unit_test(too_few_states_leave_clusters_unknown_or_right),
        cmocka_unit_test(a_long_list_is_cut_but_counted),
        cmocka_unit_test(too_little_work_or_memory_is_no_list),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
