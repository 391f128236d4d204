/* Who wins a Minesweeper field. Nimbers are compared with plain cell-by-cell play on every small field, and with the
 * unreduced graph of openings on larger ones. All counts are compared with a flood fill, up to the largest fields. */
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

static struct mine_verdict solve(struct field *field, uint64_t max_states, struct arena *arena) {
    struct mine_field program = {.rows = field->rows, .cols = field->cols, .mines = field->mines};
    struct work work = {.left = WORK_UNBOUNDED};
    struct mine_verdict verdict = {0};
    set_bits(field);
    arena_reset(arena);
    if (mine_solve(&program, MINE_NIMBER, max_states, arena, &work, &verdict) != OUTCOME_DONE) {
        print_field(field);
        fail_msg("not solved, with work and memory without bounds");
    }
    return verdict;
}

static void expect_counts(const struct field *field, const struct mine_verdict *verdict,
                          struct reference_mine_counts right) {
    if (verdict->openings == right.openings && verdict->three_bv == right.three_bv &&
        verdict->shared_numbers == right.shared_numbers && right.crowded_numbers == 0)
        return;
    print_field(field);
    fail_msg("openings %u, 3BV %u, shared numbers %u; right is %u, %u, %u (and %u next to more than two)",
             verdict->openings, verdict->three_bv, verdict->shared_numbers, right.openings, right.three_bv,
             right.shared_numbers, right.crowded_numbers);
}

static void expect_nimber(const struct field *field, const struct mine_verdict *verdict, unsigned right) {
    if (verdict->known && verdict->nimber == right)
        return;
    print_field(field);
    fail_msg("%s, nimber %u; right is %u", verdict->known ? "known" : "unknown", verdict->nimber, right);
}

static struct reference_mine_counts model_counts(const struct field *field) {
    return reference_mine_count(field->rows, field->cols, field->cells);
}

/* Compare each image of a field with the model's values, which are the same for all images. */
static void compare_images(const struct image *images, unsigned count, struct reference_mine_counts counts,
                           unsigned nimber, struct arena *arena) {
    for (unsigned i = 0; i < count; i++) {
        struct field field = new_field(images[i].rows, images[i].cols);
        set_mines(&field, images[i].number);
        struct mine_verdict verdict = solve(&field, NO_LIMIT, arena);
        expect_counts(&field, &verdict, counts);
        expect_nimber(&field, &verdict, nimber);
        free_field(&field);
    }
}

/* The program solves every field, the model only one of each class. Fields with more rows than columns are covered as
 * images of transposed fields. */
static void every_field_of_at_most_sixteen_cells_agrees_with_play_by_cells(void **state) {
    (void)state;
    unsigned max_cells = reference_scale_is_quick() ? 9 : 16;
    unsigned fields = 0, classes = 0, first_player_wins = 0, highest = 0;
    struct arena arena;
    arena_init(&arena, ARENA_NO_CAP);
    for (unsigned rows = 1; rows <= max_cells; rows++) {
        for (unsigned cols = rows; rows * cols <= max_cells; cols++) {
            struct field field = new_field(rows, cols);
            for (unsigned number = 0; number < 1u << (rows * cols); number++) {
                struct image images[MAX_IMAGES];
                unsigned count = images_of(rows, cols, number, images);
                if (count == 0)
                    continue;
                set_mines(&field, number);
                unsigned right = reference_mine_nimber(rows, cols, field.cells);
                compare_images(images, count, model_counts(&field), right, &arena);
                classes++;
                fields += count;
                first_player_wins += right != 0 ? count : 0;
                highest = right > highest ? right : highest;
            }
            free_field(&field);
        }
    }
    arena_clear(&arena);
    print_message("%u fields of %u classes, the first player wins %u, the highest nimber %u\n", fields, classes,
                  first_player_wins, highest);
    /* A shape of n cells has 2^n fields. */
    assert_int_equal(fields, reference_scale_is_quick() ? 3210 : 576650);
    assert_int_equal(first_player_wins, reference_scale_is_quick() ? 2014 : 348767);
    assert_int_equal(highest, 3);
}

/* Get the nimber from the unreduced graph. Returns false if one of its parts is too large for plain mex. */
static bool nimber_by_graph(const struct field *field, uint64_t max_positions, unsigned *ret_nimber) {
    struct reference_mine_graph model = reference_mine_graph(field->rows, field->cols, field->cells);
    bool small_enough = reference_graph_nimber_by_parts(&model.graph, max_positions, ret_nimber);
    if (small_enough)
        *ret_nimber ^= model.isolated_numbers % 2;
    reference_mine_graph_clear(&model);
    return small_enough;
}

/* All fields of these shapes, also transposed, are solved and compared with the graph. If a field's openings share
 * numbers, so that the graph has edges, one field of its class is also played cell by cell. The quick test covers only
 * classes with mines in the first 14 cells. */
static void every_field_that_shares_numbers_agrees_with_play_by_cells(void **state) {
    (void)state;
    static const struct {
        unsigned rows, cols, sharing, quick_sharing;
    } shapes[] = {{4, 5, 1346, 316}, {3, 6, 1010, 704}, {3, 7, 9598, 0}};
    struct arena arena;
    arena_init(&arena, ARENA_NO_CAP);
    for (unsigned i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++) {
        unsigned rows = shapes[i].rows, cols = shapes[i].cols, fields = 0, sharing = 0;
        struct field field = new_field(rows, cols);
        unsigned cells = reference_scale_is_quick() ? 14 : rows * cols;
        for (unsigned number = 0; number < 1u << cells; number++) {
            struct image images[MAX_IMAGES];
            unsigned count = images_of(rows, cols, number, images), right = 0;
            if (count == 0)
                continue;
            set_mines(&field, number);
            struct reference_mine_counts counts = model_counts(&field);
            assert_true(nimber_by_graph(&field, REFERENCE_GRAPH_MAX_POSITIONS, &right));
            compare_images(images, count, counts, right, &arena);
            fields += count;
            if (counts.shared_numbers == 0)
                continue;
            sharing += count;
            assert_int_equal(reference_mine_nimber(rows, cols, field.cells), right);
        }
        print_message("%u of %u fields of %u x %u and %u x %u share numbers\n", sharing, fields, rows, cols, cols,
                      rows);
        assert_true(reference_scale_is_quick() || fields == 2u << (rows * cols));
        assert_int_equal(sharing, reference_scale_is_quick() ? shapes[i].quick_sharing : 2 * shapes[i].sharing);
        free_field(&field);
    }
    arena_clear(&arena);
}

/* Totals of what a comparison with the unreduced graph has covered. */
struct coverage {
    unsigned fields, compared, sharing; /* `sharing`: compared fields with shared numbers */
};

/* Compare with the unreduced graph of openings if none of its parts is too large for plain mex. */
static void compare_with_graph(struct field *field, uint64_t max_positions, struct arena *arena,
                               struct coverage *coverage) {
    struct mine_verdict verdict = solve(field, NO_LIMIT, arena);
    expect_counts(field, &verdict, model_counts(field));
    unsigned right;
    coverage->fields++;
    if (!nimber_by_graph(field, max_positions, &right))
        return;
    coverage->compared++;
    coverage->sharing += verdict.shared_numbers > 0;
    expect_nimber(field, &verdict, right);
}

/* Fields of up to 32 cells, at most 20 of them without mines: the most that cell-by-cell play can handle. */
static void random_fields_that_share_numbers_agree_with_play_by_cells(void **state) {
    (void)state;
    unsigned wanted = reference_scale_is_quick() ? 5 : 200;
    struct reference_random random = {20};
    unsigned drawn = 0, shared = 0, highest = 0;
    struct arena arena;
    arena_init(&arena, ARENA_NO_CAP);
    for (unsigned compared = 0; compared < wanted; drawn++) {
        unsigned rows = 3 + reference_random_below(&random, 5);
        unsigned cols = 22 / rows + reference_random_below(&random, 32 / rows - 22 / rows + 1);
        struct field field = new_field(rows, cols);
        /* Mines are dense in some rows and columns; otherwise, there would be few openings. */
        for (unsigned cell = 0; cell < rows * cols; cell++)
            field.cells[cell] = reference_random_chance(&random, cell % 7 < 3 ? 60 : 15) ? '*' : '.';
        unsigned safe = 0;
        for (unsigned cell = 0; cell < rows * cols; cell++)
            safe += field.cells[cell] != '*';
        struct reference_mine_counts counts = model_counts(&field);
        if (safe <= REFERENCE_MINE_MAX_CELLS && counts.shared_numbers > 0) {
            struct mine_verdict verdict = solve(&field, NO_LIMIT, &arena);
            unsigned right = reference_mine_nimber(rows, cols, field.cells);
            expect_counts(&field, &verdict, counts);
            expect_nimber(&field, &verdict, right);
            compared++;
            shared += counts.shared_numbers;
            highest = right > highest ? right : highest;
        }
        free_field(&field);
    }
    arena_clear(&arena);
    print_message("%u fields drawn, %u shared numbers, the highest nimber %u\n", drawn, shared, highest);
    assert_int_equal(drawn, reference_scale_is_quick() ? 220 : 9580);
    assert_int_equal(shared, reference_scale_is_quick() ? 9 : 320);
}

static void random_fields_agree_with_the_unreduced_graph(void **state) {
    (void)state;
    unsigned fields = reference_scale_is_quick() ? 150 : 4000;
    uint64_t max_positions = (uint64_t)1 << (reference_scale_is_quick() ? 12 : 22);
    struct reference_random random = {812};
    struct coverage coverage = {0};
    struct arena arena;
    arena_init(&arena, ARENA_NO_CAP);
    for (unsigned i = 0; i < fields; i++) {
        unsigned rows = 8 + reference_random_below(&random, 5);
        unsigned cols = 8 + reference_random_below(&random, 5);
        struct field field = new_field(rows, cols);
        scatter_mines(&field, 60 + reference_random_below(&random, 160), &random);
        compare_with_graph(&field, max_positions, &arena, &coverage);
        free_field(&field);
    }
    arena_clear(&arena);
    print_message("%u of %u fields compared, %u of them share numbers\n", coverage.compared, coverage.fields,
                  coverage.sharing);
    assert_int_equal(coverage.compared, reference_scale_is_quick() ? 129 : 3970);
    assert_int_equal(coverage.sharing, reference_scale_is_quick() ? 34 : 1574);
}

static void large_fields_of_small_clusters_agree_with_the_unreduced_graph(void **state) {
    (void)state;
    uint64_t max_positions = (uint64_t)1 << (reference_scale_is_quick() ? 18 : 22);
    struct reference_random random = {25};
    struct coverage coverage = {0};
    struct arena arena;
    arena_init(&arena, ARENA_NO_CAP);
    for (unsigned i = 0; i < (reference_scale_is_quick() ? 10u : 40u); i++) {
        unsigned rows = 1 + reference_random_below(&random, 300);
        unsigned cols = 1 + reference_random_below(&random, i % 8 == 0 ? 1000 : 300);
        struct field field = new_field(rows, cols);
        scatter_mines(&field, 220 + reference_random_below(&random, 130), &random);
        compare_with_graph(&field, max_positions, &arena, &coverage);
        free_field(&field);
    }
    arena_clear(&arena);
    print_message("%u of %u large fields compared, %u of them share numbers\n", coverage.compared, coverage.fields,
                  coverage.sharing);
    assert_int_equal(coverage.compared, reference_scale_is_quick() ? 3 : 28);
    assert_int_equal(coverage.sharing, reference_scale_is_quick() ? 2 : 27);
}

/* A row of mines is stored in words of 64 cells, and errors are likely at their boundaries. */
static void counts_are_right_at_every_seam_of_the_words(void **state) {
    (void)state;
    static const unsigned widths[] = {1, 2, 31, 32, 33, 62, 63, 64, 65, 66, 127, 128, 129, 191, 192, 193, 999, 1000};
    unsigned fields = reference_scale_is_quick() ? 2 : 60;
    struct reference_random random = {64};
    unsigned shared = 0;
    struct arena arena;
    arena_init(&arena, ARENA_NO_CAP);
    for (unsigned i = 0; i < sizeof(widths) / sizeof(widths[0]); i++) {
        for (unsigned k = 0; k < fields; k++) {
            struct field field = new_field(1 + reference_random_below(&random, 40), widths[i]);
            scatter_mines(&field, reference_random_below(&random, 350), &random);
            /* No states are needed, because only the counts matter here. */
            struct mine_verdict verdict = solve(&field, 0, &arena);
            struct reference_mine_counts counts = model_counts(&field);
            expect_counts(&field, &verdict, counts);
            shared += counts.shared_numbers;
            free_field(&field);
        }
    }
    arena_clear(&arena);
    print_message("%u shared numbers in fields of many widths\n", shared);
    assert_int_equal(shared, reference_scale_is_quick() ? 956 : 27330);
}

/* A random shape, shifted through all columns of a wide field, and so across word boundaries. */
static void a_shape_is_the_same_in_every_column(void **state) {
    (void)state;
    enum { ROWS = 7, SHAPE_COLS = 9, COLS = 140 };
    unsigned shapes = reference_scale_is_quick() ? 1 : 20;
    struct reference_random random = {140};
    struct arena arena;
    arena_init(&arena, ARENA_NO_CAP);
    for (unsigned shape = 0; shape < shapes; shape++) {
        char mines[ROWS][SHAPE_COLS];
        for (unsigned cell = 0; cell < ROWS * SHAPE_COLS; cell++)
            mines[cell / SHAPE_COLS][cell % SHAPE_COLS] = reference_random_chance(&random, 12) ? '*' : '.';
        struct mine_verdict first = {0};
        for (unsigned at = 1; at + SHAPE_COLS < COLS; at++) {
            struct field field = new_field(ROWS, COLS);
            memset(field.cells, '*', (size_t)ROWS * COLS);
            for (unsigned row = 0; row < ROWS; row++)
                memcpy(field.cells + row * COLS + at, mines[row], SHAPE_COLS);
            struct mine_verdict verdict = solve(&field, NO_LIMIT, &arena);
            expect_counts(&field, &verdict, model_counts(&field));
            if (at == 1)
                first = verdict;
            expect_nimber(&field, &verdict, first.nimber);
            free_field(&field);
        }
    }
    arena_clear(&arena);
}

static void expect_whole(struct field *field, unsigned openings, unsigned three_bv, unsigned shared, unsigned nimber) {
    struct arena arena;
    arena_init(&arena, ARENA_NO_CAP);
    struct mine_verdict verdict = solve(field, NO_LIMIT, &arena);
    arena_clear(&arena);
    expect_counts(field, &verdict, model_counts(field));
    expect_counts(field, &verdict, (struct reference_mine_counts){openings, three_bv, shared, 0});
    expect_nimber(field, &verdict, nimber);
}

static void a_field_without_mines_is_one_opening(void **state) {
    (void)state;
    static const unsigned sizes[][2] = {{1, 1}, {1, 2}, {2, 1}, {1, 64}, {64, 1}, {1, 1000}, {1000, 1}, {1000, 1000}};
    for (unsigned i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        struct field field = new_field(sizes[i][0], sizes[i][1]);
        expect_whole(&field, 1, 1, 0, 1);
        free_field(&field);
    }
}

static void a_field_of_mines_is_lost(void **state) {
    (void)state;
    static const unsigned sizes[][2] = {{1, 1}, {1, 65}, {65, 1}, {63, 65}, {1000, 1000}};
    for (unsigned i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        struct field field = new_field(sizes[i][0], sizes[i][1]);
        memset(field.cells, '*', (size_t)field.rows * field.cols);
        expect_whole(&field, 0, 0, 0, 0);
        free_field(&field);
    }
}

static void a_number_next_to_no_opening_is_worth_one(void **state) {
    (void)state;
    /* The eight numbers around a mine cancel. */
    struct field ring = new_field(3, 3);
    ring.cells[4] = '*';
    expect_whole(&ring, 0, 8, 0, 0);
    free_field(&ring);
    struct field pair = new_field(1, 2);
    pair.cells[0] = '*';
    expect_whole(&pair, 0, 1, 0, 1);
    free_field(&pair);
}

static void an_opening_counts_by_the_parity_of_its_numbers(void **state) {
    (void)state;
    /* A mine in the corner has three numbers around it. */
    struct field corner = new_field(5, 5);
    corner.cells[0] = '*';
    expect_whole(&corner, 1, 1, 0, 2);
    free_field(&corner);
    /* A mine at the edge has five numbers around it, and one in the middle has eight. */
    struct field side = new_field(5, 5);
    side.cells[2] = '*';
    expect_whole(&side, 1, 1, 0, 2);
    free_field(&side);
    struct field middle = new_field(5, 5);
    middle.cells[12] = '*';
    expect_whole(&middle, 1, 1, 0, 1);
    free_field(&middle);
}

static void two_openings_that_share_numbers_are_no_sum(void **state) {
    (void)state;
    /* The only blanks are (0, 0) and (2, 3). */
    struct field field = new_field(3, 4);
    memcpy(field.cells,
           "...*"
           "...."
           "*...",
           12);
    struct reference_mine_counts counts = model_counts(&field);
    assert_true(counts.openings == 2 && counts.shared_numbers > 0);
    expect_whole(&field, counts.openings, counts.three_bv, counts.shared_numbers,
                 reference_mine_nimber(3, 4, field.cells));
    free_field(&field);
}

/* Draw a corridor of blanks that winds from corner to corner: every fourth row is a wall with a gap, at alternating
 * ends. A recursive flood fill would be a quarter of a million calls deep. */
static void draw_serpentine(struct field *field, bool by_columns) {
    unsigned length = field->rows; /* the field is square */
    for (unsigned wall = 3; wall < length; wall += 4) {
        for (unsigned i = 0; i < length; i++) {
            bool gap = wall / 4 % 2 == 0 ? i + 3 >= length : i < 3;
            if (!gap)
                field->cells[by_columns ? (size_t)i * length + wall : (size_t)wall * length + i] = '*';
        }
    }
}

static void a_serpentine_is_one_opening(void **state) {
    (void)state;
    unsigned length = reference_scale_is_quick() ? 203 : 1000;
    for (unsigned by_columns = 0; by_columns < 2; by_columns++) {
        struct field field = new_field(length, length);
        draw_serpentine(&field, by_columns != 0);
        struct reference_mine_counts counts = model_counts(&field);
        assert_int_equal(counts.openings, 1);
        assert_int_equal(counts.three_bv, 1);
        struct reference_mine_graph graph = reference_mine_graph(length, length, field.cells);
        expect_whole(&field, 1, 1, 0, 1 + graph.graph.loops[0] % 2);
        reference_mine_graph_clear(&graph);
        free_field(&field);
    }
}

/* Draw a wall that spirals inwards with three free cells between its turns. It turns right where it would meet
 * itself. */
static void draw_spiral(struct field *field) {
    int length = (int)field->rows; /* the field is square */
    int row = 3, col = 0, row_step = 0, col_step = 1;
    int top = 3, left = 3, bottom = length - 4, right = length - 4;
    while (top <= bottom && left <= right) {
        field->cells[(size_t)row * (size_t)length + (size_t)col] = '*';
        if (col_step == 1 && col == right) {
            row_step = 1;
            col_step = 0;
            right -= 4;
        } else if (row_step == 1 && row == bottom) {
            row_step = 0;
            col_step = -1;
            bottom -= 4;
        } else if (col_step == -1 && col == left) {
            row_step = -1;
            col_step = 0;
            left += 4;
            top += 4;
        } else if (row_step == -1 && row == top) {
            row_step = 0;
            col_step = 1;
        }
        row += row_step;
        col += col_step;
    }
}

static void a_spiral_is_one_opening(void **state) {
    (void)state;
    unsigned length = reference_scale_is_quick() ? 203 : 1000;
    struct field field = new_field(length, length);
    draw_spiral(&field);
    struct reference_mine_counts counts = model_counts(&field);
    assert_int_equal(counts.openings, 1);
    struct reference_mine_graph graph = reference_mine_graph(length, length, field.cells);
    expect_whole(&field, 1, counts.three_bv, 0, (1 + graph.graph.loops[0] % 2) ^ (graph.isolated_numbers % 2));
    reference_mine_graph_clear(&graph);
    free_field(&field);
}

/* Counts on the largest fields: sparse ones have a single opening, dense ones a hundred thousand isolated numbers. */
static void the_largest_fields_are_counted_right(void **state) {
    (void)state;
    static const unsigned densities[] = {1, 20, 60, 100, 150, 200, 300, 500};
    unsigned side = reference_scale_is_quick() ? 150 : 1000;
    struct reference_random random = {1000};
    struct arena arena;
    arena_init(&arena, ARENA_NO_CAP);
    struct field field = new_field(side, side);
    for (unsigned i = 0; i < sizeof(densities) / sizeof(densities[0]); i++) {
        scatter_mines(&field, densities[i], &random);
        struct mine_verdict verdict = solve(&field, 0, &arena);
        expect_counts(&field, &verdict, model_counts(&field));
    }
    free_field(&field);
    arena_clear(&arena);
}

/* Is the number of edges between the two openings odd? The model keeps the edges that cancel in the solver. */
static bool edges_are_odd(const struct reference_graph *graph, unsigned a, unsigned b) {
    bool odd = false;
    for (unsigned i = 0; i < graph->edge_count; i++) {
        struct reference_edge edge = graph->edges[i];
        odd ^= (edge.a == a && edge.b == b) || (edge.a == b && edge.b == a);
    }
    return odd;
}

/* A cluster of openings, after equal numbers have cancelled. */
struct cluster {
    unsigned first, vertices, numbers;
    bool known_without_search;
};

/* Get the cluster that begins with opening `first`. Its openings are marked in `member`, which later calls use, too. */
static struct cluster find_cluster(const struct reference_graph *graph, unsigned first, bool *member,
                                   struct arena *arena) {
    unsigned *openings = calloc(graph->vertices, sizeof(*openings));
    bool *loop = calloc(graph->vertices, sizeof(*loop));
    struct mine_edge *edges = calloc((size_t)graph->vertices * graph->vertices, sizeof(*edges));
    if (openings == NULL || loop == NULL || edges == NULL)
        abort();
    struct cluster cluster = {.first = first};
    struct mine_graph cut = {.loop = loop, .edges = edges};
    openings[cluster.vertices++] = first;
    member[first] = true;
    for (unsigned i = 0; i < cluster.vertices; i++) {
        for (unsigned other = 0; other < graph->vertices; other++) {
            if (!member[other] && edges_are_odd(graph, openings[i], other)) {
                member[other] = true;
                openings[cluster.vertices++] = other;
            }
        }
    }
    for (unsigned i = 0; i < cluster.vertices; i++) {
        loop[i] = graph->loops[openings[i]] % 2 != 0;
        cluster.numbers += loop[i];
        for (unsigned k = 0; k < i; k++) {
            if (edges_are_odd(graph, openings[i], openings[k]))
                edges[cut.edge_count++] = (struct mine_edge){i, k};
        }
    }
    cluster.numbers += cut.edge_count;
    cut.vertices = cluster.vertices;
    struct work work = {.left = WORK_UNBOUNDED};
    struct mine_nimber nimber;
    arena_reset(arena);
    assert_int_equal(mine_graph_value(&cut, MINE_NIMBER, MINE_ALL_SHORTCUTS, 0, arena, &work, &nimber), OUTCOME_DONE);
    cluster.known_without_search = nimber.known;
    free(openings);
    free(loop);
    free(edges);
    return cluster;
}

/* With no states allowed, the answer names the first cluster that needs search by its first blank, and counts its
 * openings and numbers. The graph solver decides whether a single cluster needs search. */
static void an_unknown_field_names_its_first_unsolved_cluster(void **state) {
    (void)state;
    unsigned fields = reference_scale_is_quick() ? 30 : 2000, unknown = 0;
    struct reference_random random = {88};
    struct arena arena;
    arena_init(&arena, ARENA_NO_CAP);
    for (unsigned i = 0; i < fields; i++) {
        unsigned rows = 5 + reference_random_below(&random, 30);
        unsigned cols = 5 + reference_random_below(&random, 30);
        struct field field = new_field(rows, cols);
        scatter_mines(&field, 60 + reference_random_below(&random, 120), &random);
        struct mine_verdict verdict = solve(&field, 0, &arena);
        struct reference_mine_graph model = reference_mine_graph(field.rows, field.cols, field.cells);
        bool *member = calloc((size_t)model.graph.vertices + 1, sizeof(*member));
        if (member == NULL)
            abort();
        struct cluster found = {.known_without_search = true};
        for (unsigned first = 0; first < model.graph.vertices && found.known_without_search; first++) {
            if (!member[first])
                found = find_cluster(&model.graph, first, member, &arena);
        }
        bool right = verdict.known == found.known_without_search;
        if (right && !verdict.known) {
            unsigned blank = verdict.unsolved.row * field.cols + verdict.unsolved.col;
            right = blank == model.first_blank[found.first] && verdict.unsolved.openings == found.vertices &&
                    verdict.unsolved.numbers == found.numbers;
            unknown++;
        }
        if (!right) {
            print_field(&field);
            fail_msg("%s, unsolved at %u, %u: %u openings, %u numbers", verdict.known ? "known" : "unknown",
                     verdict.unsolved.row, verdict.unsolved.col, verdict.unsolved.openings, verdict.unsolved.numbers);
        }
        free(member);
        reference_mine_graph_clear(&model);
        free_field(&field);
    }
    arena_clear(&arena);
    print_message("%u of %u fields are unknown without search\n", unknown, fields);
    assert_true(unknown > fields / 10);
}

static void more_states_turn_unknown_into_the_right_answer(void **state) {
    (void)state;
    struct reference_random random = {11};
    struct field field = new_field(20, 20);
    struct arena arena;
    arena_init(&arena, ARENA_NO_CAP);
    do
        scatter_mines(&field, 110, &random);
    while (solve(&field, 20, &arena).known);
    struct mine_verdict right = solve(&field, NO_LIMIT, &arena);
    unsigned unknown = 0;
    bool known = false;
    for (uint64_t limit = 0; !known; limit += 1 + limit / 4) {
        struct mine_verdict verdict = solve(&field, limit, &arena);
        known = verdict.known;
        unknown += !known;
        assert_true(!known || verdict.nimber == right.nimber);
        assert_int_equal(verdict.openings, right.openings);
        assert_int_equal(verdict.three_bv, right.three_bv);
        assert_int_equal(verdict.shared_numbers, right.shared_numbers);
    }
    assert_true(unknown > 5);
    arena_clear(&arena);
    free_field(&field);
}

/* Make a field that needs every kind of work and memory. */
static struct field demanding_field(struct arena *arena) {
    struct reference_random random = {12};
    struct field field = new_field(20, 70);
    do
        scatter_mines(&field, 130, &random);
    while (solve(&field, 10, arena).known);
    return field;
}

static enum outcome try_to_solve(const struct field *field, struct arena *arena, struct work *work,
                                 struct mine_verdict *ret_verdict) {
    struct mine_field program = {.rows = field->rows, .cols = field->cols, .mines = field->mines};
    return mine_solve(&program, MINE_NIMBER, NO_LIMIT, arena, work, ret_verdict);
}

static void too_little_work_is_no_answer(void **state) {
    (void)state;
    struct arena arena;
    arena_init(&arena, ARENA_NO_CAP);
    struct field field = demanding_field(&arena);
    struct mine_verdict right = solve(&field, NO_LIMIT, &arena);
    unsigned starved = 0;
    enum outcome outcome = OUTCOME_MORE_WORK;
    for (uint64_t units = 0; outcome != OUTCOME_DONE; units = units * 9 / 8 + 1) {
        struct work work = {.left = units};
        struct mine_verdict verdict = {.nimber = 12345};
        arena_reset(&arena);
        outcome = try_to_solve(&field, &arena, &work, &verdict);
        assert_true(outcome == OUTCOME_DONE || outcome == OUTCOME_MORE_WORK);
        assert_int_equal(verdict.nimber, outcome == OUTCOME_DONE ? right.nimber : 12345);
        starved += outcome == OUTCOME_MORE_WORK;
    }
    assert_true(starved > 5);
    arena_clear(&arena);
    free_field(&field);
}

static void a_stopped_account_ends_the_search(void **state) {
    (void)state;
    struct arena arena;
    arena_init(&arena, ARENA_NO_CAP);
    struct field field = demanding_field(&arena);
    atomic_bool stop = true;
    struct work work = {.left = WORK_UNBOUNDED, .stop = &stop};
    struct mine_verdict verdict = {.nimber = 12345};
    arena_reset(&arena);
    assert_int_equal(try_to_solve(&field, &arena, &work, &verdict), OUTCOME_CANCELLED);
    assert_int_equal(verdict.nimber, 12345);
    arena_clear(&arena);
    free_field(&field);
}

static void too_little_memory_is_no_answer(void **state) {
    (void)state;
    struct arena arena;
    arena_init(&arena, ARENA_NO_CAP);
    struct field field = demanding_field(&arena);
    struct mine_verdict right = solve(&field, NO_LIMIT, &arena);
    arena_clear(&arena);
    unsigned refused = 0, answered = 0;
    for (size_t cap = 0; answered < 3; cap = cap * 17 / 16 + 16) {
        arena_init(&arena, cap);
        struct work work = {.left = WORK_UNBOUNDED};
        struct mine_verdict verdict = {.nimber = 12345};
        enum outcome outcome = try_to_solve(&field, &arena, &work, &verdict);
        assert_true(outcome == OUTCOME_DONE || (outcome == OUTCOME_NO_MEMORY && answered == 0));
        assert_int_equal(verdict.nimber, outcome == OUTCOME_DONE ? right.nimber : 12345);
        answered += outcome == OUTCOME_DONE;
        refused += outcome == OUTCOME_NO_MEMORY;
        arena_clear(&arena);
    }
    assert_true(refused > 5);
    free_field(&field);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_field_of_at_most_sixteen_cells_agrees_with_play_by_cells),
        cmocka_unit_test(every_field_that_shares_numbers_agrees_with_play_by_cells),
        cmocka_unit_test(random_fields_that_share_numbers_agree_with_play_by_cells),
        cmocka_unit_test(random_fields_agree_with_the_unreduced_graph),
        cmocka_unit_test(large_fields_of_small_clusters_agree_with_the_unreduced_graph),
        cmocka_unit_test(counts_are_right_at_every_seam_of_the_words),
        cmocka_unit_test(a_shape_is_the_same_in_every_column),
        cmocka_unit_test(a_field_without_mines_is_one_opening),
        cmocka_unit_test(a_field_of_mines_is_lost),
        cmocka_unit_test(a_number_next_to_no_opening_is_worth_one),
        cmocka_unit_test(an_opening_counts_by_the_parity_of_its_numbers),
        cmocka_unit_test(two_openings_that_share_numbers_are_no_sum),
        cmocka_unit_test(a_serpentine_is_one_opening),
        cmocka_unit_test(a_spiral_is_one_opening),
        cmocka_unit_test(the_largest_fields_are_counted_right),
        cmocka_unit_test(an_unknown_field_names_its_first_unsolved_cluster),
        cmocka_unit_test(more_states_turn_unknown_into_the_right_answer),
        cmocka_unit_test(too_little_work_is_no_answer),
        cmocka_unit_test(a_stopped_account_ends_the_search),
        cmocka_unit_test(too_little_memory_is_no_answer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
