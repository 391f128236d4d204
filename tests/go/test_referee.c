/* What a referee says about a position: legal points, repetitions that are only reported, chains, the score with dead
 * chains and points in seki, and unconditional life. Compared with the slow models in random games of all sizes and
 * rules; unconditional life also with trying everything, on all positions of small boards. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "go/alive.h"
#include "go/board.h"
#include "go/score.h"
#include "go/tables.h"
#include "reference/go_referee.h"
#include "reference/scale.h"

#include <stdlib.h>
#include <string.h>

/* What happened in a set of games, according to the models. */
struct coverage {
    unsigned legal, suicides, repetitions;         /* points */
    unsigned dead, in_seki, owned, neutral, draws; /* points; draws are counts without a winner */
    unsigned chains, liberties;
    unsigned alive, vital; /* stones and points */
    struct reference_random random;
};

static void expect_marks(const struct table *table, const char *what, const uint8_t *marks, const char *letters,
                         const char *right) {
    unsigned size = table->size;
    for (unsigned at = 0; at < size * size; at++)
        if (letters[marks[at]] != right[at]) {
            print_boards(table);
            fail_msg("%s: the point at %u, %u is %c; right is %c", what, at / size, at % size, letters[marks[at]],
                     right[at]);
        }
}

static void expect_legal(const struct table *table, char color, struct coverage *coverage) {
    struct work work = {.left = WORK_UNBOUNDED};
    uint8_t marks[GO_POINTS];
    char right[GO_POINTS];
    unsigned count, expected = reference_go_legal(table->model, color, right);
    assert_int_equal(go_game_legal(table->game, color_of(color), &work, marks, &count), OUTCOME_DONE);
    expect_marks(table, "legal", marks, ".BW23", right);
    if (count != expected) {
        print_boards(table);
        fail_msg("%u points are legal; right is %u", count, expected);
    }
    coverage->legal += count;
    for (unsigned at = 0; at < table->size * table->size; at++) {
        coverage->suicides += right[at] == '2';
        coverage->repetitions += right[at] == '3';
    }
    compare_boards(table);
}

/* Choose points for which `wanted` or, of stones, anything but '.' is on the board. */
static size_t choose(const struct table *table, bool stones, unsigned percent, struct reference_random *random,
                     struct go_move *ret_points, bool *ret_flags) {
    size_t count = 0;
    for (unsigned at = 0; at < table->size * table->size; at++) {
        ret_flags[at] = (table->model->board[at] != '.') == stones && reference_random_chance(random, percent);
        if (ret_flags[at])
            ret_points[count++] = (struct go_move){0, (uint8_t)(at / table->size), (uint8_t)(at % table->size)};
    }
    return count;
}

static void expect_score(const struct table *table, struct coverage *coverage) {
    static struct go_score score;
    struct go_move dead[GO_POINTS], seki[GO_POINTS];
    bool is_dead[GO_POINTS], is_seki[GO_POINTS];
    char right[GO_POINTS];
    unsigned prisoners[2] = {table->model->white_prisoners, table->model->black_prisoners};
    unsigned percent = reference_random_below(&coverage->random, 3) * 5;
    struct go_agreement agreement = {
        .scoring = (enum go_scoring)reference_random_below(&coverage->random, 2), .dead = dead, .seki = seki};
    agreement.dead_count = choose(table, true, percent, &coverage->random, dead, is_dead);
    agreement.seki_count = choose(table, false, percent / 2, &coverage->random, seki, is_seki);
    struct reference_go_count count = reference_go_count(table->size, table->model->board, is_dead, is_seki,
                                                         agreement.scoring == GO_SCORING_TERRITORY, prisoners, right);
    go_game_score(table->game, &agreement, &score);
    expect_marks(table, "territory", score.marks, ".BWbw", right);
    assert_int_equal(score.black, count.black);
    assert_int_equal(score.white, count.white);
    assert_int_equal(score.neutral, count.neutral);
    assert_int_equal(score.dead[0], count.dead_black);
    assert_int_equal(score.dead[1], count.dead_white);
    coverage->dead += count.dead_black + count.dead_white;
    coverage->in_seki += (unsigned)agreement.seki_count;
    coverage->neutral += count.neutral;
    coverage->draws += count.black == count.white;
    for (unsigned at = 0; at < table->size * table->size; at++)
        coverage->owned += right[at] == 'b' || right[at] == 'w';
}

/* Check a chain against the points that can be reached from its first stone. */
static void expect_chain(const struct table *table, unsigned first, bool *seen, struct coverage *coverage) {
    static struct go_chain chain;
    unsigned size = table->size, next = 0;
    char *without = malloc((size_t)size * size);
    const char *board = table->model->board;
    if (without == NULL)
        abort();
    memcpy(without, board, (size_t)size * size);
    unsigned stones = reference_go_take_off(size, without, first / size, first % size);
    go_game_chain(table->game, first / size, first % size, &chain);
    assert_int_equal(letter_of(chain.color), board[first]);
    assert_int_equal(chain.stone_count, stones);
    for (unsigned at = 0; at < size * size; at++)
        if (board[at] != without[at]) {
            assert_int_equal(chain.stones[next++], at);
            seen[at] = true;
        }
    next = 0;
    for (unsigned at = 0; at < size * size; at++) {
        bool liberty = (at % size != 0 && board[at - 1] != without[at - 1]) ||
                       (at % size + 1 != size && board[at + 1] != without[at + 1]) ||
                       (at >= size && board[at - size] != without[at - size]) ||
                       (at + size < size * size && board[at + size] != without[at + size]);
        if (liberty && board[at] == '.')
            assert_int_equal(chain.liberties[next++], at);
    }
    assert_int_equal(chain.liberty_count, next);
    coverage->chains++;
    coverage->liberties += next;
    free(without);
}

static void expect_alive(const struct table *table, struct coverage *coverage) {
    uint8_t marks[GO_POINTS];
    char right[GO_POINTS];
    for (unsigned suicide = 0; suicide < 2; suicide++) {
        reference_go_alive(table->size, table->size, table->model->board, suicide != 0, right);
        go_game_alive(table->game, suicide != 0, marks);
        expect_marks(table, suicide ? "alive, with suicide" : "alive", marks, ".BWbw", right);
        for (unsigned at = 0; at < table->size * table->size; at++) {
            coverage->alive += right[at] == 'B' || right[at] == 'W';
            coverage->vital += right[at] == 'b' || right[at] == 'w';
        }
    }
}

/* Check everything before the first move, after some moves, and after the last move. */
static void check(const struct table *table, const struct reference_go_reply *reply, bool passed,
                  struct coverage *coverage) {
    bool seen[GO_POINTS] = {false};
    if (reply != NULL && (passed || table->model->moves % (1 + 3 * table->size) != 0))
        return;
    /* Before the first move, whoever is judged has to move first. play_random_game lets either colour begin. */
    if (table->model->moves != 0) {
        expect_legal(table, 'B', coverage);
        expect_legal(table, 'W', coverage);
    }
    expect_score(table, coverage);
    expect_alive(table, coverage);
    for (unsigned at = 0; at < table->size * table->size; at++)
        if (table->model->board[at] != '.' && !seen[at])
            expect_chain(table, at, seen, coverage);
}

static void games_agree_with_the_models(void **state) {
    struct coverage coverage = {.random = {5}};
    struct reference_random random = {77};
    bool quick = reference_scale_is_quick();
    (void)state;
    for (unsigned size = 1; size <= GO_MAX_SIZE; size += size < 9 ? 1 : 4)
        for (unsigned rules = 0; rules < 8; rules++) {
            unsigned games = size > 9 ? 1 : quick ? 2 : 20;
            for (unsigned game = 0; game < games; game++)
                play_random_game(size, (enum go_ko)(rules / 2), rules % 2 != 0, game % 2 != 0 || size > 9,
                                 size < 10 ? 30 + 8 * size : 60, &random, check, &coverage);
        }
    print_message("legal %u, suicides %u, repetitions %u, dead %u, seki %u, owned %u, neutral %u, draws %u, chains %u, "
                  "liberties %u, alive %u, vital %u\n",
                  coverage.legal, coverage.suicides, coverage.repetitions, coverage.dead, coverage.in_seki,
                  coverage.owned, coverage.neutral, coverage.draws, coverage.chains, coverage.liberties, coverage.alive,
                  coverage.vital);
    assert_true(coverage.suicides > 500 && coverage.repetitions > 50 && coverage.dead > 500 && coverage.in_seki > 100);
    assert_true(coverage.owned > 1000 && coverage.neutral > 1000 && coverage.draws > 10);
    assert_true(coverage.alive > 100 && coverage.vital > 100);
}

/* ---- legal points before the first move ---- */

static void before_the_first_move_the_start_counts_as_left_by_the_other_colour(void **state) {
    static const char *const right[] = {
        [GO_KO_POSITIONAL] = "3WW", [GO_KO_SITUATIONAL] = ".WW", [GO_KO_SIMPLE] = ".WW", [GO_KO_NONE] = ".WW"};
    (void)state;
    for (unsigned ko = GO_KO_POSITIONAL; ko <= GO_KO_NONE; ko++) {
        struct table *table = open_table(3, (enum go_ko)ko, true);
        struct coverage coverage = {0};
        struct work work = {.left = WORK_UNBOUNDED};
        uint8_t marks[GO_POINTS];
        unsigned count;
        lay_stones(table, ".WW"
                          "W.."
                          "...");
        expect_legal(table, 'B', &coverage);
        assert_int_equal(go_game_legal(table->game, GO_BLACK, &work, marks, &count), OUTCOME_DONE);
        for (unsigned col = 0; col < 3; col++)
            assert_int_equal(".BW23"[marks[col]], right[ko][col]);
        play(table, 'B', 2, 2);
        play(table, 'W', 0, 0);
        expect_legal(table, 'B', &coverage);
        close_table(table);
    }
}

/* ---- repetitions that are only reported ---- */

static void repetitions_are_played_and_reported(void **state) {
    unsigned repetitions = 0, misses = 0;
    struct reference_random random = {11};
    (void)state;
    for (unsigned game = 0; game < 400; game++) {
        static const enum reference_go_ko model_ko[] = {REFERENCE_GO_POSITIONAL, REFERENCE_GO_SITUATIONAL,
                                                        REFERENCE_GO_SIMPLE, REFERENCE_GO_NONE};
        unsigned size = 2 + game % 3;
        struct table *table = open_table(size, (enum go_ko)(game / 2 % 4), game % 2 != 0);
        struct work work = {.left = WORK_UNBOUNDED};
        struct go_rules rules = {(enum go_ko)(game / 2 % 4), game % 2 != 0, true};
        struct reference_go *model = reference_go_new(size, model_ko[game / 2 % 4], game % 2 != 0);
        struct coverage coverage = {0};
        model->reports = true;
        reference_go_free(table->model);
        table->model = model;
        assert_int_equal(go_game_new(size, rules, 0, 0, &table->arena, &work, &table->game), OUTCOME_DONE);
        for (unsigned m = 0; m < 60; m++) {
            unsigned point = reference_random_below(&random, size * size);
            char color = reference_random_chance(&random, 80) == (m % 2 == 0) ? 'B' : 'W';
            struct go_move move = {(uint8_t)color_of(color), (uint8_t)(point / size), (uint8_t)(point % size)};
            struct go_reply reply;
            struct reference_go_reply right = reference_go_play(model, color, move.row, move.col);
            assert_int_equal(go_game_play(table->game, move, &work, &reply), OUTCOME_DONE);
            assert_int_equal(reply.miss, right.code);
            assert_int_equal(reply.repeated, right.repeated);
            if (right.repeated)
                assert_int_equal(reply.repeats, right.repeats);
            compare_boards(table);
            repetitions += right.repeated;
            misses += right.code != 0;
        }
        expect_legal(table, 'B', &coverage);
        assert_int_equal(coverage.repetitions, 0);
        close_table(table);
    }
    print_message("%u repetitions, %u misses\n", repetitions, misses);
    assert_true(repetitions > 500 && misses > 500);
}

/* ---- unconditional life on all positions of small boards ---- */

/* Set up a board of `rows` rows in a game: the rows below become its border. */
static void set_up(struct go_game *game, unsigned rows, const char *stones) {
    struct go_board *board = (struct go_board *)go_game_board(game);
    for (unsigned at = 0; at < board->size * board->size; at++) {
        unsigned row = at / board->size, col = at % board->size;
        uint16_t point = go_board_point(board, row, col);
        if (row >= rows)
            board->cell[point] = (uint16_t)(point * 4 + GO_BORDER);
        else if (stones[at] != '.')
            go_game_set_up(game, row, col, color_of(stones[at]));
    }
}

struct lives {
    unsigned positions, alive;
};

/* Compare a position with trying everything, and with the definition. Returns the number of stones alive. */
static unsigned compare_life(struct arena *arena, unsigned rows, unsigned cols, bool suicide, const char *board,
                             const uint32_t losses[2]) {
    struct work work = {.left = WORK_UNBOUNDED};
    struct go_game *game;
    char right[GO_POINTS];
    uint8_t marks[GO_POINTS];
    unsigned count = 0;
    arena_reset(arena);
    assert_int_equal(go_game_new(cols, (struct go_rules){0}, 0, 0, arena, &work, &game), OUTCOME_DONE);
    set_up(game, rows, board);
    go_game_alive(game, suicide, marks);
    reference_go_alive(rows, cols, board, suicide, right);
    for (unsigned at = 0; at < rows * cols; at++) {
        bool lost = board[at] != '.' && losses[board[at] == 'W'] >> (rows * cols - 1 - at) & 1;
        bool alive = marks[at] == GO_MARK_BLACK || marks[at] == GO_MARK_WHITE;
        if (board[at] != '.' && alive == lost)
            fail_msg("%.*s: the stone at %u is %s", (int)(rows * cols), board, at, lost ? "lost" : "alive");
        assert_int_equal(".BWbw"[marks[at]], right[at]);
        count += alive;
    }
    return count;
}

/* Do so for all positions of a board. It has at least as many columns as rows. */
static struct lives compare_lives(unsigned rows, unsigned cols, bool suicide) {
    uint32_t(*losses)[2] = reference_go_losses(rows, cols, suicide), count = 1;
    struct lives lives = {0};
    struct arena arena;
    arena_init(&arena, ARENA_NO_CAP);
    for (unsigned at = 0; at < rows * cols; at++)
        count *= 3;
    for (uint32_t number = 0; number < count; number++) {
        char board[GO_POINTS];
        uint32_t left = number;
        if (losses[number][0] == UINT32_MAX)
            continue;
        for (unsigned at = rows * cols; at-- > 0; left /= 3)
            board[at] = ".BW"[left % 3];
        lives.alive += compare_life(&arena, rows, cols, suicide, board, losses[number]);
        lives.positions++;
    }
    arena_clear(&arena);
    free(losses);
    return lives;
}

static void chains_live_unconditionally_if_nothing_captures_them(void **state) {
    /* The numbers of legal positions are those of J. Tromp, "Combinatorics of Go". */
    static const struct {
        unsigned rows, cols, positions, alive[2];
    } boards[] = {{1, 1, 1, {0, 0}},  {1, 2, 5, {0, 0}},       {1, 3, 15, {2, 2}},         {1, 5, 113, {24, 10}},
                  {2, 2, 57, {8, 8}}, {2, 3, 489, {224, 184}}, {2, 4, 4125, {2240, 1384}}, {3, 3, 12675, {7848, 5896}}};
    (void)state;
    for (size_t b = 0; b < sizeof boards / sizeof *boards; b++)
        for (unsigned suicide = 0; suicide < 2; suicide++) {
            struct lives lives = compare_lives(boards[b].rows, boards[b].cols, suicide != 0);
            assert_int_equal(lives.positions, boards[b].positions);
            assert_int_equal(lives.alive, boards[b].alive[suicide]);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(games_agree_with_the_models),
        cmocka_unit_test(before_the_first_move_the_start_counts_as_left_by_the_other_colour),
        cmocka_unit_test(repetitions_are_played_and_reported),
        cmocka_unit_test(chains_live_unconditionally_if_nothing_captures_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
