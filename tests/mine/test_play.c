/* Two-player Minesweeper in the middle of a game: which clicks are legal, which cells they reveal, and who wins the
 * rest of the game. Compared with plain cell-by-cell play in every position on small fields, and with the unreduced
 * graph of the face-down cells on larger ones. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "mine/fields.h"
#include "mine/play.h"
#include "reference/mine.h"
#include "reference/scale.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NO_LIMIT UINT64_MAX

/* The size of the largest field in these tests, and of the largest one on which every position is visited. */
enum { MAX_CELLS = 2000, SMALL_CELLS = 12 };

/* A field in the middle of a game, as the model and as the program store it. */
struct table {
    struct field field;
    bool up[MAX_CELLS];        /* face-up cells in the model */
    struct mine_field program; /* the same in the program's form */
    struct mine_play *play;
    struct arena arena, play_arena;
};

static void new_table(struct table *table, unsigned rows, unsigned cols) {
    table->field = new_field(rows, cols);
    table->program = (struct mine_field){.rows = rows, .cols = cols, .mines = table->field.mines};
    table->program.face_up = calloc((size_t)rows * mine_words(cols), sizeof(uint64_t));
    if (table->program.face_up == NULL || rows * cols > MAX_CELLS)
        abort();
    arena_init(&table->arena, ARENA_NO_CAP);
    arena_init(&table->play_arena, ARENA_NO_CAP);
}

static void free_table(struct table *table) {
    free(table->program.face_up);
    free_field(&table->field);
    arena_clear(&table->arena);
    arena_clear(&table->play_arena);
}

/* Make the program continue from the model's face-up cells. */
static void go_on(struct table *table) {
    struct work work = {.left = WORK_UNBOUNDED};
    unsigned cols = table->field.cols;
    set_bits(&table->field);
    memset(table->program.face_up, 0, (size_t)table->field.rows * mine_words(cols) * sizeof(uint64_t));
    for (unsigned cell = 0; cell < table->field.rows * cols; cell++)
        table->program.face_up[(size_t)(cell / cols) * mine_words(cols) + cell % cols / 64] |= (uint64_t)table->up[cell]
                                                                                               << cell % cols % 64;
    arena_reset(&table->play_arena);
    assert_int_equal(mine_play_new(&table->program, &table->play_arena, &work, &table->play), OUTCOME_DONE);
}

static void begin(struct table *table) {
    memset(table->up, 0, sizeof(table->up));
    go_on(table);
}

static bool program_has_up(const struct table *table, unsigned cell) {
    unsigned row = cell / table->field.cols, col = cell % table->field.cols;
    return table->program.face_up[(size_t)row * mine_words(table->field.cols) + col / 64] >> col % 64 & 1;
}

static void print_table(const struct table *table) {
    print_field(&table->field);
    for (unsigned cell = 0; cell < table->field.rows * table->field.cols; cell++)
        if (table->up[cell])
            print_error("face up: %u, %u\n", cell / table->field.cols, cell % table->field.cols);
}

static void expect_face(const struct table *table) {
    for (unsigned cell = 0; cell < table->field.rows * table->field.cols; cell++) {
        if (program_has_up(table, cell) == table->up[cell])
            continue;
        print_table(table);
        fail_msg("%u, %u is wrong", cell / table->field.cols, cell % table->field.cols);
    }
}

/* Click a cell in the program and in the model, which must agree on whether the click is legal and, if not, why.
 * Returns whether it is legal. */
static bool click(struct table *table, unsigned cell) {
    enum mine_click right = table->field.cells[cell] == '*' ? MINE_CLICK_ON_MINE
                            : table->up[cell]               ? MINE_CLICK_FACE_UP
                                                            : MINE_CLICK_LEGAL;
    bool legal = reference_mine_click(table->field.rows, table->field.cols, table->field.cells, cell, table->up);
    assert_int_equal(legal, right == MINE_CLICK_LEGAL);
    enum mine_click what = mine_play_click(table->play, cell / table->field.cols, cell % table->field.cols);
    if (what != right) {
        print_table(table);
        fail_msg("a click on %u, %u is %d; right is %d", cell / table->field.cols, cell % table->field.cols, what,
                 right);
    }
    return legal;
}

/* The program's answer about the rest of the field. */
struct answer {
    struct mine_verdict verdict;
    struct mine_clicks clicks;
};

static struct answer solve(struct table *table) {
    struct work work = {.left = WORK_UNBOUNDED};
    struct answer answer = {0};
    arena_reset(&table->arena);
    assert_int_equal(mine_solve_with_lists(&table->program, NO_LIMIT, MAX_CELLS, &table->arena, &work, &answer.verdict,
                                           &answer.clicks, NULL),
                     OUTCOME_DONE);
    return answer;
}

static void expect_counts(const struct table *table, const struct mine_verdict *verdict) {
    struct reference_mine_counts right =
        reference_mine_count_left(table->field.rows, table->field.cols, table->field.cells, table->up);
    if (verdict->openings == right.openings && verdict->three_bv == right.three_bv &&
        verdict->shared_numbers == right.shared_numbers && right.crowded_numbers == 0)
        return;
    print_table(table);
    fail_msg("openings %u, 3BV %u, shared numbers %u; right is %u, %u, %u", verdict->openings, verdict->three_bv,
             verdict->shared_numbers, right.openings, right.three_bv, right.shared_numbers);
}

static void expect_wins(const struct table *table, const struct answer *answer, const bool *wins) {
    unsigned total = 0;
    bool same = answer->clicks.known;
    for (unsigned cell = 0; cell < table->field.rows * table->field.cols && same; cell++) {
        if (wins[cell])
            same = total < answer->clicks.count && answer->clicks.cells[total++] == cell;
    }
    if (same && answer->clicks.total == total)
        return;
    print_table(table);
    fail_msg("%s, %u winning clicks; the nimber is %u", answer->clicks.known ? "known" : "unknown",
             answer->clicks.total, answer->verdict.nimber);
}

/* Totals of what a test has covered. */
struct coverage {
    unsigned positions, sharing, won; /* `won`: by the player whose turn it is */
    unsigned clicks, refused;         /* clicks tried, and the illegal ones among them */
};

static void expect_coverage(const char *what, const struct coverage *coverage, struct coverage pinned) {
    print_message("%s: {%u, %u, %u, %u, %u}\n", what, coverage->positions, coverage->sharing, coverage->won,
                  coverage->clicks, coverage->refused);
    assert_int_equal(coverage->positions, pinned.positions);
    assert_int_equal(coverage->sharing, pinned.sharing);
    assert_int_equal(coverage->won, pinned.won);
    assert_int_equal(coverage->clicks, pinned.clicks);
    assert_int_equal(coverage->refused, pinned.refused);
}

static void add_times(struct coverage *coverage, const struct coverage *added, unsigned times) {
    coverage->positions += added->positions * times;
    coverage->sharing += added->sharing * times;
    coverage->won += added->won * times;
    coverage->clicks += added->clicks * times;
    coverage->refused += added->refused * times;
}

/* Set the mines of a field that is equivalent to field number `number` of the shape. Which equivalent field is chosen
 * varies with the number. Returns the size of the class, or 0 if an equivalent field has a smaller number. */
static unsigned set_mines_of_class(struct field *field, unsigned number) {
    struct image images[MAX_IMAGES];
    unsigned size = count_same_shape(images, images_of(field->rows, field->cols, number, images));
    if (size > 0)
        set_mines(field, images[number % size].number);
    return size;
}

/* Check a position: what is visible, the counts, who wins, and with which clicks. `face_down` is the position's number
 * in the model. */
static void check_position(struct table *table, const struct reference_mine_play *model, uint32_t face_down,
                           struct coverage *coverage) {
    char face[SMALL_CELLS], shown[SMALL_CELLS];
    bool wins[SMALL_CELLS];
    unsigned rows = table->field.rows, cols = table->field.cols;
    const char *cells = table->field.cells;
    struct answer answer = solve(table);
    if (!answer.verdict.known || answer.verdict.nimber != model->values[face_down]) {
        print_table(table);
        fail_msg("the nimber is %u; right is %u", answer.verdict.nimber, model->values[face_down]);
    }
    expect_counts(table, &answer.verdict);
    reference_mine_wins_among(rows, cols, cells, model, face_down, wins);
    expect_wins(table, &answer, wins);
    mine_show_face(&table->program, face);
    reference_mine_show(rows, cols, cells, shown);
    for (unsigned cell = 0; cell < rows * cols; cell++)
        assert_int_equal(face[cell], table->up[cell] ? shown[cell] : '#');
    coverage->positions++;
    coverage->sharing += answer.verdict.shared_numbers != 0;
    coverage->won += answer.verdict.nimber != 0;
}

/* Get the model's number for the set of face-down cells. */
static uint32_t face_down_in(const struct table *table, const struct reference_mine_play *model) {
    uint32_t face_down = 0;
    for (unsigned cell = 0; cell < table->field.rows * table->field.cols; cell++)
        if (table->field.cells[cell] != '*' && !table->up[cell])
            face_down |= (uint32_t)1 << model->bit_of_cell[cell];
    return face_down;
}

/* Visit every position that can be reached on a field, and try every click in each. */
static void play_field_out(struct table *table, struct coverage *coverage) {
    static bool waiting_up[1u << SMALL_CELLS][SMALL_CELLS];
    bool met[1u << SMALL_CELLS] = {false};
    unsigned cells = table->field.rows * table->field.cols, waiting = 1;
    struct reference_mine_play model;
    reference_mine_play(table->field.rows, table->field.cols, table->field.cells, &model);
    memset(waiting_up[0], 0, sizeof(waiting_up[0]));
    met[((uint32_t)1 << model.safe) - 1] = true;
    while (waiting > 0) {
        bool up[SMALL_CELLS];
        memcpy(up, waiting_up[--waiting], sizeof(up));
        memcpy(table->up, up, sizeof(up));
        go_on(table);
        check_position(table, &model, face_down_in(table, &model), coverage);
        bool moved = false;
        for (unsigned cell = 0; cell < cells; cell++) {
            if (moved) {
                memcpy(table->up, up, sizeof(up));
                go_on(table);
            }
            moved = click(table, cell);
            expect_face(table);
            coverage->clicks++;
            coverage->refused += !moved;
            uint32_t next = face_down_in(table, &model);
            if (met[next])
                continue;
            met[next] = true;
            memcpy(waiting_up[waiting++], table->up, sizeof(up));
        }
    }
}

/* One field of each equivalence class is played. The coverage counts all of them. */
static void every_position_of_every_field_of_at_most_twelve_cells_agrees_with_play_by_cells(void **state) {
    (void)state;
    static struct table table;
    unsigned max_cells = reference_scale_is_quick() ? 10 : SMALL_CELLS;
    struct coverage coverage = {0};
    for (unsigned rows = 1; rows <= max_cells; rows++)
        for (unsigned cols = 1; rows * cols <= max_cells; cols++) {
            new_table(&table, rows, cols);
            for (unsigned number = 0; number < 1u << (rows * cols); number++) {
                struct coverage one = {0};
                unsigned size = set_mines_of_class(&table.field, number);
                if (size == 0)
                    continue;
                play_field_out(&table, &one);
                add_times(&coverage, &one, size);
            }
            free_table(&table);
        }
    expect_coverage("at most twelve cells", &coverage,
                    reference_scale_is_quick() ? (struct coverage){167821, 32, 94498, 1604218, 1118561}
                                               : (struct coverage){1938901, 992, 1093596, 22751944, 15757851});
}

/* Play every sequence of clicks that begins with these, up to the first illegal click. Each sequence is played from the
 * start. */
static void play_sequences(struct table *table, unsigned *clicks, unsigned count, unsigned *ret_sequences) {
    for (unsigned cell = 0; cell < table->field.rows * table->field.cols; cell++) {
        clicks[count] = cell;
        begin(table);
        for (unsigned k = 0; k < count; k++)
            assert_true(click(table, clicks[k]));
        bool legal = click(table, cell);
        expect_face(table);
        ++*ret_sequences;
        if (legal)
            play_sequences(table, clicks, count + 1, ret_sequences);
    }
}

static void every_sequence_of_clicks_is_played_as_by_cells(void **state) {
    (void)state;
    static struct table table;
    unsigned max_cells = reference_scale_is_quick() ? 7 : 9, sequences = 0, clicks[SMALL_CELLS];
    for (unsigned rows = 1; rows <= max_cells; rows++)
        for (unsigned cols = 1; rows * cols <= max_cells; cols++) {
            new_table(&table, rows, cols);
            for (unsigned number = 0; number < 1u << (rows * cols); number++) {
                unsigned size = set_mines_of_class(&table.field, number), played = 0;
                if (size == 0)
                    continue;
                play_sequences(&table, clicks, 0, &played);
                sequences += size * played;
            }
            free_table(&table);
        }
    print_message("%u sequences of clicks\n", sequences);
    assert_int_equal(sequences, reference_scale_is_quick() ? 98163 : 7246467);
}

/* Click random cells this many times, legal or not. */
static void click_at_random(struct table *table, unsigned clicks, struct reference_random *random,
                            struct coverage *coverage) {
    for (unsigned k = 0; k < clicks; k++) {
        bool legal = click(table, reference_random_below(random, table->field.rows * table->field.cols));
        coverage->clicks++;
        coverage->refused += !legal;
    }
    expect_face(table);
}

/* Compare with the graph of the face-down cells if plain mex can handle each of its parts. */
static void compare_with_graph(struct table *table, uint64_t max_positions, struct coverage *coverage) {
    static bool wins[MAX_CELLS];
    struct reference_mine_graph model =
        reference_mine_graph_left(table->field.rows, table->field.cols, table->field.cells, table->up);
    struct answer answer = solve(table);
    unsigned right;
    expect_counts(table, &answer.verdict);
    if (reference_graph_nimber_by_parts(&model.graph, max_positions, &right)) {
        assert_true(answer.verdict.known);
        assert_int_equal(answer.verdict.nimber, right ^ model.isolated_numbers % 2);
        assert_true(reference_mine_clicks_left(table->field.rows, table->field.cols, table->field.cells, table->up,
                                               max_positions, wins));
        expect_wins(table, &answer, wins);
        coverage->positions++;
        coverage->sharing += answer.verdict.shared_numbers != 0;
        coverage->won += answer.verdict.nimber != 0;
    }
    reference_mine_graph_clear(&model);
}

static void random_games_agree_with_the_graph_of_what_is_face_down(void **state) {
    (void)state;
    static struct table table;
    unsigned games = reference_scale_is_quick() ? 60 : 3000;
    struct reference_random random = {1311};
    struct coverage coverage = {0};
    for (unsigned game = 0; game < games; game++) {
        unsigned rows = 7 + reference_random_below(&random, 6), cols = 7 + reference_random_below(&random, 6);
        new_table(&table, rows, cols);
        scatter_mines(&table.field, 60 + reference_random_below(&random, 160), &random);
        begin(&table);
        for (unsigned stop = 0; stop < 4; stop++) {
            click_at_random(&table, reference_random_below(&random, 6), &random, &coverage);
            compare_with_graph(&table, (uint64_t)1 << 11, &coverage);
        }
        free_table(&table);
    }
    expect_coverage("random games", &coverage,
                    reference_scale_is_quick() ? (struct coverage){231, 15, 140, 610, 329}
                                               : (struct coverage){11513, 1343, 7954, 30051, 15827});
}

/* These fields are so wide that openings cross word boundaries. Only the counts are compared. */
static void wide_fields_are_uncovered_as_cell_by_cell(void **state) {
    (void)state;
    static struct table table;
    unsigned games = reference_scale_is_quick() ? 60 : 2000;
    struct reference_random random = {1312};
    struct coverage coverage = {0};
    for (unsigned game = 0; game < games; game++) {
        unsigned rows = 1 + reference_random_below(&random, 8), cols = 60 + reference_random_below(&random, 190);
        new_table(&table, rows, cols);
        scatter_mines(&table.field, reference_random_below(&random, 200), &random);
        begin(&table);
        for (unsigned stop = 0; stop < 4; stop++) {
            click_at_random(&table, reference_random_below(&random, 40), &random, &coverage);
            struct work work = {.left = WORK_UNBOUNDED};
            struct mine_verdict verdict;
            arena_reset(&table.arena);
            assert_int_equal(mine_solve(&table.program, MINE_NIMBER, 0, &table.arena, &work, &verdict), OUTCOME_DONE);
            expect_counts(&table, &verdict);
            coverage.positions++;
            coverage.sharing += verdict.shared_numbers != 0;
            coverage.won += verdict.known && verdict.nimber != 0;
        }
        free_table(&table);
    }
    expect_coverage("wide fields", &coverage,
                    reference_scale_is_quick() ? (struct coverage){240, 108, 135, 4693, 3140}
                                               : (struct coverage){8000, 2863, 4187, 156166, 107301});
}

/* Click a random legal cell. */
static void click_somewhere(struct table *table, struct reference_random *random) {
    while (!click(table, reference_random_below(random, table->field.rows * table->field.cols)))
        ;
}

/* The player who can win clicks a winning cell, the other player any legal cell, until none are left. */
static void a_player_that_follows_the_winning_clicks_makes_the_last_click(void **state) {
    (void)state;
    static struct table table;
    unsigned games = reference_scale_is_quick() ? 10 : 200, wins = 0;
    struct reference_random random = {1313};
    for (unsigned game = 0; game < games; game++) {
        unsigned cols = 9 + reference_random_below(&random, 60), rows = 9 + reference_random_below(&random, 12);
        new_table(&table, rows, cols);
        scatter_mines(&table.field, 150 + reference_random_below(&random, 150), &random);
        begin(&table);
        bool wins_now = solve(&table).verdict.nimber != 0;
        for (;; wins_now = !wins_now) {
            struct answer answer = solve(&table);
            assert_int_equal(answer.verdict.nimber != 0, wins_now);
            assert_int_equal(answer.clicks.total != 0, wins_now);
            if (answer.verdict.three_bv == 0)
                break;
            if (!wins_now)
                click_somewhere(&table, &random);
            else
                assert_true(click(&table, answer.clicks.cells[reference_random_below(&random, answer.clicks.count)]));
            wins += wins_now;
        }
        assert_false(wins_now);
        for (unsigned cell = 0; cell < table.field.rows * table.field.cols; cell++)
            assert_int_equal(program_has_up(&table, cell), table.field.cells[cell] != '*');
        free_table(&table);
    }
    print_message("%u winning clicks were followed\n", wins);
    assert_int_equal(wins, reference_scale_is_quick() ? 1258 : 24909);
}

static void too_little_work_or_memory_is_no_game(void **state) {
    (void)state;
    static struct table table;
    struct reference_random random = {1314};
    new_table(&table, 20, 70);
    scatter_mines(&table.field, 90, &random);
    set_bits(&table.field);
    unsigned starved = 0, refused = 0;
    enum outcome outcome = OUTCOME_MORE_WORK;
    for (uint64_t units = 0; outcome != OUTCOME_DONE; units = units * 9 / 8 + 1) {
        struct work work = {.left = units};
        struct mine_play *play = NULL;
        arena_reset(&table.arena);
        outcome = mine_play_new(&table.program, &table.arena, &work, &play);
        assert_true(outcome == OUTCOME_DONE || outcome == OUTCOME_MORE_WORK);
        assert_int_equal(play != NULL, outcome == OUTCOME_DONE);
        starved += outcome == OUTCOME_MORE_WORK;
    }
    outcome = OUTCOME_NO_MEMORY;
    for (size_t cap = 0; outcome != OUTCOME_DONE; cap = cap * 17 / 16 + 16) {
        struct arena small;
        struct work work = {.left = WORK_UNBOUNDED};
        struct mine_play *play = NULL;
        arena_init(&small, cap);
        outcome = mine_play_new(&table.program, &small, &work, &play);
        assert_true(outcome == OUTCOME_DONE || outcome == OUTCOME_NO_MEMORY);
        assert_int_equal(play != NULL, outcome == OUTCOME_DONE);
        refused += outcome == OUTCOME_NO_MEMORY;
        arena_clear(&small);
    }
    free_table(&table);
    assert_true(starved > 5 && refused > 5);
}

/* mine_field_is_valid must check everything that the engine asserts about a field. */
static void invalid_fields_are_recognised(void **state) {
    (void)state;
    uint64_t mines[2 * 2] = {1, 0, 0, 0}, face_up[2 * 2] = {2, 0, 0, 0};
    const struct mine_field good = {.rows = 2, .cols = 70, .mines = mines, .face_up = face_up};
    const unsigned wrong_sides[] = {0, MINE_MAX_SIDE + 1};
    assert_true(mine_field_is_valid(&good));
    for (size_t s = 0; s < sizeof wrong_sides / sizeof *wrong_sides; s++) {
        struct mine_field field = good;
        field.rows = wrong_sides[s];
        assert_false(mine_field_is_valid(&field));
        field = good;
        field.cols = wrong_sides[s];
        assert_false(mine_field_is_valid(&field));
    }
    mines[1] = 1 << 6; /* column 71 of the first row, which has only 70 */
    assert_false(mine_field_is_valid(&good));
    mines[1] = 1 << 5;
    assert_true(mine_field_is_valid(&good));
    face_up[3] = 1 << 6; /* column 71 of the second row */
    assert_false(mine_field_is_valid(&good));
    face_up[3] = 1 << 5;
    assert_true(mine_field_is_valid(&good));
    face_up[0] |= 1; /* this cell is a mine */
    assert_false(mine_field_is_valid(&good));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_position_of_every_field_of_at_most_twelve_cells_agrees_with_play_by_cells),
        cmocka_unit_test(every_sequence_of_clicks_is_played_as_by_cells),
        cmocka_unit_test(random_games_agree_with_the_graph_of_what_is_face_down),
        cmocka_unit_test(wide_fields_are_uncovered_as_cell_by_cell),
        cmocka_unit_test(a_player_that_follows_the_winning_clicks_makes_the_last_click),
        cmocka_unit_test(too_little_work_or_memory_is_no_game),
        cmocka_unit_test(invalid_fields_are_recognised),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
