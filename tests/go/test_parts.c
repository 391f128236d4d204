/* The optional parts of a Go answer: the stones that each move took off, the boards, and the area score. They are
 * compared with the slow model in random games under all rules and sizes, and checked in handmade games. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "go/game.h"
#include "go/score.h"
#include "go/tables.h"
#include "reference/scale.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What happened in a set of games, according to the model. */
struct coverage {
    unsigned moves, misses;
    unsigned captures, stones_captured, suicides, stones_suicided;
    unsigned scores, black, white, neutral; /* the number of scores, and the points on all scored boards */
};

static void expect_score(const struct table *table, struct coverage *coverage) {
    struct go_score score;
    go_game_score(table->game, &(struct go_agreement){0}, &score);
    struct reference_go_area right = reference_go_score(table->size, table->model->board);
    if (score.black != right.black || score.white != right.white || score.neutral != right.neutral) {
        print_boards(table);
        fail_msg("the score is %u, %u, neutral %u; right is %u, %u, %u", score.black, score.white, score.neutral,
                 right.black, right.white, right.neutral);
    }
    assert_int_equal(score.black + score.white + score.neutral, table->size * table->size);
    coverage->scores++;
    coverage->black += right.black;
    coverage->white += right.white;
    coverage->neutral += right.neutral;
}

/* Count a reply. Check the score before the first move, after some moves, and after the last move. */
static void count(const struct table *table, const struct reference_go_reply *reply, bool passed,
                  struct coverage *coverage) {
    if (reply == NULL) {
        expect_score(table, coverage);
        return;
    }
    coverage->moves++;
    coverage->misses += reply->code != 0;
    coverage->captures += reply->captured > 0;
    coverage->stones_captured += reply->captured;
    coverage->suicides += reply->suicided > 0;
    coverage->stones_suicided += reply->suicided;
    if (!passed && (table->model->moves - 1) % (1 + table->size * 2) == 0)
        expect_score(table, coverage);
}

/* Play games of every size from 1 to 25, with more games for small sizes. */
static void play_random_games(const char *what, enum go_ko ko, bool suicide, struct coverage pinned) {
    struct reference_random random = {1000 + (uint64_t)ko * 2 + suicide};
    struct coverage coverage = {0};
    for (unsigned size = 1; size <= GO_MAX_SIZE; size++) {
        unsigned games = reference_scale_is_quick() ? 1 : size < 6 ? 100 : size < 12 ? 10 : 2;
        unsigned max_moves = reference_scale_is_quick() ? 60 : size < 10 ? 40 + 20 * size : 600;
        for (unsigned game = 0; game < games; game++) {
            unsigned moves = max_moves / 2 + reference_random_below(&random, max_moves / 2);
            play_random_game(size, ko, suicide, false, moves, &random, count, &coverage);
            play_random_game(size, ko, suicide, true, moves, &random, count, &coverage);
        }
    }
    print_message("%s: {%u, %u, %u, %u, %u, %u, %u, %u, %u, %u}\n", what, coverage.moves, coverage.misses,
                  coverage.captures, coverage.stones_captured, coverage.suicides, coverage.stones_suicided,
                  coverage.scores, coverage.black, coverage.white, coverage.neutral);
    assert_int_equal(coverage.moves, pinned.moves);
    assert_int_equal(coverage.misses, pinned.misses);
    assert_int_equal(coverage.captures, pinned.captures);
    assert_int_equal(coverage.stones_captured, pinned.stones_captured);
    assert_int_equal(coverage.suicides, pinned.suicides);
    assert_int_equal(coverage.stones_suicided, pinned.stones_suicided);
    assert_int_equal(coverage.scores, pinned.scores);
    assert_int_equal(coverage.black, pinned.black);
    assert_int_equal(coverage.white, pinned.white);
    assert_int_equal(coverage.neutral, pinned.neutral);
}

static void games_under_positional_superko_without_suicide_agree_with_the_model(void **state) {
    (void)state;
    play_random_games("positional, without suicide", GO_KO_POSITIONAL, false,
                      reference_scale_is_quick()
                          ? (struct coverage){2216, 893, 85, 145, 0, 0, 273, 9198, 8388, 23579}
                          : (struct coverage){127974, 83208, 7071, 22327, 0, 0, 15916, 178701, 175633, 177112});
}

static void games_under_positional_superko_with_suicide_agree_with_the_model(void **state) {
    (void)state;
    play_random_games("positional, with suicide", GO_KO_POSITIONAL, true,
                      reference_scale_is_quick()
                          ? (struct coverage){2100, 862, 71, 136, 23, 78, 259, 10432, 8348, 20175}
                          : (struct coverage){129816, 81605, 6317, 19199, 1405, 6399, 15807, 188967, 182225, 182918});
}

static void games_under_situational_superko_without_suicide_agree_with_the_model(void **state) {
    (void)state;
    play_random_games("situational, without suicide", GO_KO_SITUATIONAL, false,
                      reference_scale_is_quick()
                          ? (struct coverage){2262, 909, 92, 214, 0, 0, 265, 9000, 9681, 21223}
                          : (struct coverage){128744, 84767, 6785, 21294, 0, 0, 15826, 184583, 190519, 179032});
}

static void games_under_situational_superko_with_suicide_agree_with_the_model(void **state) {
    (void)state;
    play_random_games("situational, with suicide", GO_KO_SITUATIONAL, true,
                      reference_scale_is_quick()
                          ? (struct coverage){2148, 833, 71, 113, 68, 117, 240, 11040, 7829, 19308}
                          : (struct coverage){126318, 75288, 6078, 17900, 4883, 11054, 15727, 179286, 178072, 172197});
}

static void games_under_simple_ko_without_suicide_agree_with_the_model(void **state) {
    (void)state;
    play_random_games("simple, without suicide", GO_KO_SIMPLE, false,
                      reference_scale_is_quick()
                          ? (struct coverage){2358, 1005, 115, 262, 0, 0, 270, 9884, 10360, 22058}
                          : (struct coverage){129122, 80955, 8486, 25322, 0, 0, 15810, 184738, 177790, 183112});
}

static void games_under_simple_ko_with_suicide_agree_with_the_model(void **state) {
    (void)state;
    play_random_games("simple, with suicide", GO_KO_SIMPLE, true,
                      reference_scale_is_quick()
                          ? (struct coverage){2152, 794, 75, 137, 83, 164, 262, 9884, 8792, 22235}
                          : (struct coverage){127450, 69993, 7614, 20909, 6534, 14433, 15816, 176049, 180860, 183117});
}

static void games_without_a_ko_rule_without_suicide_agree_with_the_model(void **state) {
    (void)state;
    play_random_games("none, without suicide", GO_KO_NONE, false,
                      reference_scale_is_quick()
                          ? (struct coverage){2258, 862, 110, 241, 0, 0, 255, 7872, 9807, 23355}
                          : (struct coverage){130654, 81453, 8857, 26139, 0, 0, 16009, 183316, 181983, 185259});
}

static void games_without_a_ko_rule_with_suicide_agree_with_the_model(void **state) {
    (void)state;
    play_random_games("none, with suicide", GO_KO_NONE, true,
                      reference_scale_is_quick()
                          ? (struct coverage){2282, 797, 88, 157, 156, 206, 267, 10809, 9212, 22338}
                          : (struct coverage){130522, 62530, 7851, 21505, 16009, 23796, 16067, 183439, 178396, 190882});
}

/* Check which stones the last move took off. Each is given by the letter of its point, in row-major order: "a" is (0,
 * 0). */
static void expect_gone(const struct table *table, const char *right) {
    char gone[GO_MAX_SIZE * GO_MAX_SIZE + 1] = {0};
    uint16_t points[GO_POINTS];
    unsigned count = go_game_captured(table->game, points);
    for (unsigned k = 0; k < count; k++)
        gone[k] = (char)('a' + points[k]);
    assert_string_equal(gone, right);
}

static void a_move_may_take_four_chains_at_once(void **state) {
    (void)state;
    struct table *table = open_table(5, GO_KO_POSITIONAL, false);
    lay_stones(table, "..B.."
                      ".BWB."
                      "BW.WB"
                      ".BWB."
                      "..B..");
    assert_int_equal(play(table, 'B', 2, 2).captured, 4);
    expect_gone(table, "hlnr");
    close_table(table);
}

static void a_suicide_takes_its_own_stone_too(void **state) {
    (void)state;
    struct table *table = open_table(3, GO_KO_POSITIONAL, true);
    lay_stones(table, ".BW"
                      "WWW"
                      "...");
    assert_int_equal(play(table, 'B', 0, 0).suicided, 2);
    expect_gone(table, "ab");
    close_table(table);
    /* A single stone is taken off as soon as it is played. */
    table = open_table(3, GO_KO_NONE, true);
    lay_stones(table, ".W."
                      "W.."
                      "...");
    assert_int_equal(play(table, 'B', 0, 0).suicided, 1);
    expect_gone(table, "a");
    close_table(table);
}

static void a_capture_without_liberties_is_no_suicide(void **state) {
    (void)state;
    struct table *table = open_table(3, GO_KO_POSITIONAL, true);
    lay_stones(table, ".WB"
                      "WWB"
                      "BB.");
    struct reference_go_reply reply = play(table, 'B', 0, 0);
    assert_int_equal(reply.captured, 3);
    assert_int_equal(reply.suicided, 0);
    expect_gone(table, "bde");
    close_table(table);
}

static void a_refused_move_takes_nothing(void **state) {
    (void)state;
    struct table *table = open_table(4, GO_KO_POSITIONAL, false);
    lay_stones(table, ".BW."
                      "BW.W"
                      ".BW."
                      "....");
    struct coverage coverage = {0};
    assert_int_equal(play(table, 'B', 1, 2).captured, 1);
    expect_gone(table, "f");
    /* Retaking would repeat the start; play() checks that no stone is reported as captured. */
    assert_int_equal(play(table, 'W', 1, 1).code, GO_MISS_REPETITION);
    assert_int_equal(play(table, 'W', 1, 1).code, GO_MISS_REPETITION);
    assert_int_equal(pass(table, 'W').captured, 0);
    expect_score(table, &coverage);
    close_table(table);
}

static void expect_area(unsigned size, const char *stones, unsigned black, unsigned white, unsigned neutral) {
    struct table *table = open_table(size, GO_KO_POSITIONAL, false);
    struct coverage coverage = {0};
    lay_stones(table, stones);
    expect_score(table, &coverage);
    struct go_score score;
    go_game_score(table->game, &(struct go_agreement){0}, &score);
    assert_int_equal(score.black, black);
    assert_int_equal(score.white, white);
    assert_int_equal(score.neutral, neutral);
    close_table(table);
}

static void area_is_what_only_one_colour_reaches(void **state) {
    (void)state;
    expect_area(1, ".", 0, 0, 1);
    expect_area(3, ".........", 0, 0, 9);
    expect_area(3, "....B....", 9, 0, 0);
    expect_area(3, "....W....", 0, 9, 0);
    expect_area(3, "B.......W", 1, 1, 7);
    expect_area(4,
                ".B.W"
                "BB.W"
                "..WW"
                "WWW.",
                4, 8, 4);
    /* The end of a row is not adjacent to the beginning of the next row. */
    expect_area(3,
                ".BW"
                "BWW"
                "BW.",
                4, 5, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(games_under_positional_superko_without_suicide_agree_with_the_model),
        cmocka_unit_test(games_under_positional_superko_with_suicide_agree_with_the_model),
        cmocka_unit_test(games_under_situational_superko_without_suicide_agree_with_the_model),
        cmocka_unit_test(games_under_situational_superko_with_suicide_agree_with_the_model),
        cmocka_unit_test(games_under_simple_ko_without_suicide_agree_with_the_model),
        cmocka_unit_test(games_under_simple_ko_with_suicide_agree_with_the_model),
        cmocka_unit_test(games_without_a_ko_rule_without_suicide_agree_with_the_model),
        cmocka_unit_test(games_without_a_ko_rule_with_suicide_agree_with_the_model),
        cmocka_unit_test(a_move_may_take_four_chains_at_once),
        cmocka_unit_test(a_suicide_takes_its_own_stone_too),
        cmocka_unit_test(a_capture_without_liberties_is_no_suicide),
        cmocka_unit_test(a_refused_move_takes_nothing),
        cmocka_unit_test(area_is_what_only_one_colour_reaches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
