/* How games make random cases: the cases are what was ordered, every part of them is equally likely, and failed
 * allocations are reported. tests/command/make.test.mjs tests the command, and pins its bytes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "api/go/make.h"
#include "api/mine/make.h"
#include "api/pawn/make.h"
#include "api/request/games.h"
#include "reference/go.h"

#include <stdlib.h>
#include <string.h>

static unsigned count_of(char what, const char *cells, unsigned cell_count) {
    unsigned count = 0;
    for (unsigned cell = 0; cell < cell_count; cell++)
        count += cells[cell] == what;
    return count;
}

static void boards_have_their_pieces_and_obstacles_on_different_squares(void **state) {
    (void)state;
    unsigned boards = 0;
    struct random random = {.seed = 1};
    for (unsigned rows = 2; rows <= 9; rows++)
        for (unsigned cols = 1; cols <= 9; cols++)
            for (unsigned obstacles = 0; obstacles + 3 <= rows * cols; obstacles++, boards++) {
                char board[81];
                pawn_make_board(rows, cols, obstacles, &random, board);
                assert_int_equal(count_of('O', board, rows * cols), 2);
                assert_int_equal(count_of('X', board, rows * cols), 1);
                assert_int_equal(count_of('X', board, cols), 0);
                assert_int_equal(count_of('#', board, rows * cols), obstacles);
                assert_int_equal(count_of('.', board, rows * cols), rows * cols - obstacles - 3);
            }
    assert_int_equal(boards, 1836);
}

/* 2 x 3 with one obstacle: the pawn has 3 squares, the red pieces two of the other five, the obstacle one of three;
 * that makes 3 * 10 * 3 = 90 boards, each expected 1,000 times in 90,000, with a standard deviation of 31. */
static void every_small_board_is_made_equally_often(void **state) {
    (void)state;
    static unsigned times[1 << 12]; /* by the board: two bits for each square */
    unsigned boards = 0;
    struct random random = {.seed = 2};
    for (unsigned n = 0; n < 90000; n++) {
        char board[6];
        unsigned key = 0;
        pawn_make_board(2, 3, 1, &random, board);
        for (unsigned cell = 0; cell < 6; cell++)
            key = key << 2 | (board[cell] == 'X' ? 3u : board[cell] == 'O' ? 2u : board[cell] == '#');
        boards += times[key]++ == 0;
    }
    assert_int_equal(boards, 90);
    for (unsigned key = 0; key < 1 << 12; key++)
        assert_true(times[key] == 0 || (times[key] > 850 && times[key] < 1150));
}

static void fields_have_as_many_mines_as_ordered(void **state) {
    (void)state;
    enum { MOST = 3000 };
    char field[MOST];
    struct random random = {.seed = 3};
    for (uint32_t count = 1; count <= MOST; count += 1 + count / 3)
        for (uint32_t mines = 0; mines <= count; mines += 1 + count / 50) {
            mine_make_cells(count, mines, &random, field);
            assert_int_equal(count_of('*', field, count), mines);
            assert_int_equal(count_of('.', field, count), count - mines);
        }
}

/* Moves of a game, by their results. */
struct results {
    unsigned codes[4], games, ended; /* `ended`: games that are shorter than ordered */
};

/* The model judges the moves. A game that ended early has no legal move left. */
static void judge(unsigned size, const struct go_move *moves, size_t count, size_t ordered, bool legal,
                  struct results *results) {
    struct reference_go *game = reference_go_new(size, REFERENCE_GO_POSITIONAL, false);
    for (size_t m = 0; m < count; m++) {
        assert_int_equal(moves[m].color, m % 2 == 0 ? GO_BLACK : GO_WHITE);
        char color = moves[m].color == GO_BLACK ? 'B' : 'W';
        unsigned code = reference_go_play(game, color, moves[m].row, moves[m].col).code;
        assert_true(!legal || code == 0);
        results->codes[code]++;
    }
    results->games++;
    results->ended += count < ordered;
    assert_true(legal || count == ordered);
    for (unsigned point = 0; count < ordered && point < size * size; point++)
        assert_int_not_equal(reference_go_play(game, count % 2 == 0 ? 'B' : 'W', point / size, point % size).code, 0);
    reference_go_free(game);
}

static void expect_games(bool legal, struct results expected) {
    enum { ORDERED = 60 };
    struct go_move moves[ORDERED];
    struct results results = {0};
    struct random random = {.seed = 4};
    struct arena arena;
    arena_init(&arena, ARENA_NO_CAP);
    for (unsigned n = 0; n < 20; n++)
        for (unsigned size = 1; size <= 7; size++) {
            size_t count;
            arena_reset(&arena);
            assert_int_equal(go_make_moves(size, legal, ORDERED, &random, &arena, moves, &count), OUTCOME_DONE);
            judge(size, moves, count, ORDERED, legal, &results);
        }
    arena_clear(&arena);
    print_message("{{%u, %u, %u, %u}, %u, %u}\n", results.codes[0], results.codes[1], results.codes[2],
                  results.codes[3], results.games, results.ended);
    assert_memory_equal(&results, &expected, sizeof expected);
}

static void games_are_judged_by_the_model_as_ordered(void **state) {
    (void)state;
    expect_games(false, (struct results){{5396, 285, 2227, 492}, 140, 0});
    expect_games(true, (struct results){{3926, 0, 0, 0}, 140, 116});
}

/* Make a case with so much memory. */
static enum outcome make_within(const struct game *game, enum format format, size_t cap, size_t max) {
    struct maker_order order = game->maker->defaults;
    struct random random = {.seed = 5};
    struct arena arena;
    struct buffer out;
    order.legal = true;
    order.obstacles = order.mines = 5;
    arena_init(&arena, cap);
    buffer_init(&out, max, NULL);
    enum outcome outcome = game->maker->make(&order, format, &random, &arena, &out);
    assert_true(outcome != OUTCOME_DONE || out.length > 5);
    arena_clear(&arena);
    buffer_clear(&out);
    return outcome;
}

static void too_little_memory_is_no_case(void **state) {
    (void)state;
    static const enum format formats[] = {FORMAT_LINES, FORMAT_TEXT, FORMAT_SGF, FORMAT_DRAWING};
    unsigned refused = 0;
    for (size_t g = 0; g < game_count; g++)
        for (size_t f = 0; f < sizeof formats / sizeof *formats; f++) {
            enum outcome outcome = OUTCOME_NO_MEMORY;
            for (size_t cap = 0; outcome != OUTCOME_DONE; cap = cap * 5 / 4 + 16, refused++)
                assert_true((outcome = make_within(games[g], formats[f], cap, SIZE_MAX / 2)) == OUTCOME_DONE ||
                            outcome == OUTCOME_NO_MEMORY);
            assert_int_equal(make_within(games[g], formats[f], ARENA_NO_CAP, 5), OUTCOME_TOO_LARGE);
        }
    assert_true(refused > 50);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boards_have_their_pieces_and_obstacles_on_different_squares),
        cmocka_unit_test(every_small_board_is_made_equally_often),
        cmocka_unit_test(fields_have_as_many_mines_as_ordered),
        cmocka_unit_test(games_are_judged_by_the_model_as_ordered),
        cmocka_unit_test(too_little_memory_is_no_case),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
