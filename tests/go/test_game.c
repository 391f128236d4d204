/* Go games: every reply, every board and all prisoners are compared with the slow model in random games under all
 * rules. Handmade games check where the rules differ. Another build has a four-bit hash, so that almost every look-up
 * finds positions that only appear to be the same. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "go/game.h"
#include "go/tables.h"
#include "reference/scale.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Set up stones drawn row by row: '.', 'B', 'W'. */
static void set_up(struct table *table, const char *stones) {
    lay_stones(table, stones);
    compare_boards(table);
}

/* Play a move, and also check that the reply is the one that the test expects. */
static void expect_played(struct table *table, char color, unsigned row, unsigned col) {
    assert_int_equal(play(table, color, row, col).code, GO_PLAYED);
}

static void expect_miss(struct table *table, char color, unsigned row, unsigned col, enum go_miss miss) {
    assert_int_equal(play(table, color, row, col).code, miss);
}

static void expect_repetition(struct table *table, char color, unsigned row, unsigned col, unsigned repeats) {
    struct reference_go_reply reply = play(table, color, row, col);
    assert_int_equal(reply.code, GO_MISS_REPETITION);
    assert_int_equal(reply.repeats, repeats);
}

static void expect_board(const struct table *table, const char *stones) {
    compare_boards(table);
    assert_memory_equal(table->model->board, stones, (size_t)table->size * table->size);
}

/* What happened in a set of games, according to the model. */
struct coverage {
    unsigned moves, passes, occupied, suicides_refused, repetitions, start_repeated;
    unsigned captures, stones_captured, suicides, stones_suicided;
};

static void count(const struct table *table, const struct reference_go_reply *reply, bool passed,
                  struct coverage *coverage) {
    (void)table;
    if (reply == NULL)
        return;
    coverage->moves++;
    coverage->passes += passed;
    coverage->occupied += reply->code == GO_MISS_OCCUPIED;
    coverage->suicides_refused += reply->code == GO_MISS_SUICIDE;
    coverage->repetitions += reply->code == GO_MISS_REPETITION;
    coverage->start_repeated += reply->code == GO_MISS_REPETITION && reply->repeats == 0;
    coverage->captures += reply->captured > 0;
    coverage->stones_captured += reply->captured;
    coverage->suicides += reply->suicided > 0;
    coverage->stones_suicided += reply->suicided;
}

struct games {
    unsigned size, games, max_moves;
};

static const struct games full_games[] = {{1, 100, 30},  {2, 1000, 60}, {3, 1000, 80}, {4, 1000, 120},
                                          {5, 800, 200}, {9, 50, 500},  {19, 8, 1500}, {25, 4, 2500}};
static const struct games quick_games[] = {{1, 5, 30},  {2, 20, 60}, {3, 20, 80},  {4, 10, 120},
                                           {5, 5, 200}, {9, 1, 300}, {19, 1, 300}, {25, 1, 100}};

/* The model's counts in these games, by ko rule and by suicide. */
static const struct coverage full_coverage[][2] = {
    [GO_KO_POSITIONAL] = {{471770, 18790, 228873, 41004, 8693, 762, 36290, 118913, 0, 0},
                          {472666, 18786, 219473, 0, 41635, 7962, 32699, 103956, 7452, 34583}},
    [GO_KO_SITUATIONAL] = {{476712, 19079, 232952, 41471, 8005, 342, 36676, 118807, 0, 0},
                           {479258, 18983, 224218, 0, 25068, 5011, 31985, 97405, 23949, 58591}},
    [GO_KO_SIMPLE] = {{455868, 18041, 215647, 39731, 493, 13, 40909, 126986, 0, 0},
                      {474820, 18972, 214284, 0, 8526, 2070, 37498, 107782, 29968, 72130}},
    [GO_KO_NONE] = {{478568, 19020, 230030, 40553, 0, 0, 43100, 133581, 0, 0},
                    {482770, 19359, 218206, 0, 0, 0, 38704, 109433, 38704, 83144}},
};

static const struct coverage quick_coverage[][2] = {
    [GO_KO_POSITIONAL] = {{7130, 287, 3311, 776, 115, 23, 567, 1732, 0, 0},
                          {5922, 230, 2477, 0, 649, 186, 487, 1542, 88, 425}},
    [GO_KO_SITUATIONAL] = {{6592, 264, 3062, 675, 141, 4, 581, 1787, 0, 0},
                           {5684, 213, 2291, 0, 452, 122, 484, 1352, 315, 786}},
    [GO_KO_SIMPLE] = {{6864, 278, 2995, 715, 3, 0, 672, 1927, 0, 0},
                      {6544, 288, 2607, 0, 236, 100, 588, 1623, 405, 950}},
    [GO_KO_NONE] = {{6348, 260, 2748, 655, 0, 0, 690, 2008, 0, 0}, {5752, 258, 2242, 0, 0, 0, 558, 1354, 614, 1226}},
};

static void play_random_games(enum go_ko ko, bool suicide) {
    static const char *const names[] = {
        [GO_KO_POSITIONAL] = "positional",
        [GO_KO_SITUATIONAL] = "situational",
        [GO_KO_SIMPLE] = "simple",
        [GO_KO_NONE] = "none",
    };
    const struct games *list = reference_scale_is_quick() ? quick_games : full_games;
    struct reference_random random = {(uint64_t)ko * 2 + suicide};
    struct coverage coverage = {0};
    for (unsigned i = 0; i < sizeof(full_games) / sizeof(full_games[0]); i++) {
        for (unsigned game = 0; game < list[i].games; game++) {
            unsigned moves = 1 + reference_random_below(&random, list[i].max_moves);
            play_random_game(list[i].size, ko, suicide, false, moves, &random, count, &coverage);
            play_random_game(list[i].size, ko, suicide, true, moves, &random, count, &coverage);
        }
    }
    print_message("%s, suicide %s: {%u, %u, %u, %u, %u, %u, %u, %u, %u, %u}\n", names[ko],
                  suicide ? "allowed" : "refused", coverage.moves, coverage.passes, coverage.occupied,
                  coverage.suicides_refused, coverage.repetitions, coverage.start_repeated, coverage.captures,
                  coverage.stones_captured, coverage.suicides, coverage.stones_suicided);
    struct coverage pinned = reference_scale_is_quick() ? quick_coverage[ko][suicide] : full_coverage[ko][suicide];
    assert_int_equal(coverage.moves, pinned.moves);
    assert_int_equal(coverage.passes, pinned.passes);
    assert_int_equal(coverage.occupied, pinned.occupied);
    assert_int_equal(coverage.suicides_refused, pinned.suicides_refused);
    assert_int_equal(coverage.repetitions, pinned.repetitions);
    assert_int_equal(coverage.start_repeated, pinned.start_repeated);
    assert_int_equal(coverage.captures, pinned.captures);
    assert_int_equal(coverage.stones_captured, pinned.stones_captured);
    assert_int_equal(coverage.suicides, pinned.suicides);
    assert_int_equal(coverage.stones_suicided, pinned.stones_suicided);
}

static void random_games_under_positional_superko_agree_with_the_model(void **state) {
    (void)state;
    play_random_games(GO_KO_POSITIONAL, false);
    play_random_games(GO_KO_POSITIONAL, true);
}

static void random_games_under_situational_superko_agree_with_the_model(void **state) {
    (void)state;
    play_random_games(GO_KO_SITUATIONAL, false);
    play_random_games(GO_KO_SITUATIONAL, true);
}

static void random_games_under_simple_ko_agree_with_the_model(void **state) {
    (void)state;
    play_random_games(GO_KO_SIMPLE, false);
    play_random_games(GO_KO_SIMPLE, true);
}

static void random_games_without_a_ko_rule_agree_with_the_model(void **state) {
    (void)state;
    play_random_games(GO_KO_NONE, false);
    play_random_games(GO_KO_NONE, true);
}

/* White takes the stone at (1, 2) by playing (1, 1); Black would retake at (1, 2). */
static const char ko_shape[] = ".BW."
                               "B.BW"
                               ".BW."
                               "....";

static void the_start_is_a_position_that_can_be_repeated(void **state) {
    (void)state;
    struct table *table = open_table(4, GO_KO_POSITIONAL, false);
    set_up(table, ko_shape);
    expect_played(table, 'W', 1, 1);
    expect_board(table, ".BW."
                        "BW.W"
                        ".BW."
                        "....");
    expect_repetition(table, 'B', 1, 2, 0);
    /* The miss has been undone: the white stone is still there, and has not become a prisoner. */
    expect_board(table, ".BW."
                        "BW.W"
                        ".BW."
                        "....");
    assert_int_equal(go_game_prisoners(table->game, GO_BLACK), 0);
    assert_int_equal(go_game_prisoners(table->game, GO_WHITE), 1);
    close_table(table);
}

static void a_pass_never_repeats_a_position(void **state) {
    (void)state;
    for (enum go_ko ko = GO_KO_POSITIONAL; ko <= GO_KO_NONE; ko++) {
        struct table *table = open_table(2, ko, false);
        expect_played(table, 'B', 0, 0);
        for (unsigned i = 0; i < 5; i++)
            assert_int_equal(pass(table, i % 2 == 0 ? 'W' : 'B').code, GO_PLAYED);
        close_table(table);
    }
}

static void the_earliest_of_equal_positions_is_named(void **state) {
    (void)state;
    struct table *table = open_table(4, GO_KO_POSITIONAL, false);
    set_up(table, ko_shape);
    expect_played(table, 'B', 3, 0);
    pass(table, 'W');
    pass(table, 'B');
    expect_played(table, 'W', 1, 1);
    pass(table, 'B');
    expect_repetition(table, 'B', 1, 2, 1);
    close_table(table);
}

static void a_simple_ko_is_lifted_by_a_pass(void **state) {
    (void)state;
    struct table *table = open_table(4, GO_KO_SIMPLE, false);
    set_up(table, ko_shape);
    expect_played(table, 'W', 1, 1);
    expect_repetition(table, 'B', 1, 2, 0);
    pass(table, 'B');
    expect_played(table, 'B', 1, 2);
    expect_repetition(table, 'W', 1, 1, 1);
    close_table(table);
}

static void a_positional_ko_is_not_lifted_by_a_pass(void **state) {
    (void)state;
    struct table *table = open_table(4, GO_KO_POSITIONAL, false);
    set_up(table, ko_shape);
    expect_played(table, 'W', 1, 1);
    pass(table, 'B');
    pass(table, 'W');
    expect_repetition(table, 'B', 1, 2, 0);
    close_table(table);
}

static void a_simple_ko_bans_only_the_position_before_the_last_stone(void **state) {
    (void)state;
    struct table *table = open_table(4, GO_KO_SIMPLE, false);
    set_up(table, ko_shape);
    expect_played(table, 'W', 1, 1);
    expect_played(table, 'B', 3, 0);
    expect_played(table, 'W', 3, 3);
    expect_played(table, 'B', 1, 2);
    /* The move would restore the position after move 3. After a pass, the same move is allowed. */
    expect_repetition(table, 'W', 1, 1, 3);
    expect_miss(table, 'W', 0, 1, GO_MISS_OCCUPIED);
    pass(table, 'W');
    expect_played(table, 'W', 1, 1);
    close_table(table);
}

static void under_simple_ko_the_stone_before_the_last_one_is_named(void **state) {
    (void)state;
    struct table *table = open_table(4, GO_KO_SIMPLE, false);
    set_up(table, ko_shape);
    expect_played(table, 'B', 3, 0);
    pass(table, 'W');
    expect_miss(table, 'W', 3, 0, GO_MISS_OCCUPIED);
    expect_played(table, 'W', 1, 1);
    /* The position also occurred after move 2, a pass, but the reply names the stone before the last one, move 1. */
    expect_repetition(table, 'B', 1, 2, 1);
    /* A miss does not lift the ko. */
    expect_repetition(table, 'B', 1, 2, 1);
    close_table(table);
}

/* Black sacrifices a second stone at (0, 0), White takes both by playing (0, 2), and Black takes that stone by playing
 * (0, 1). After these three moves, the board is the same again. */
static const char two_for_one[] = ".B.B."
                                  "WWBB."
                                  "....."
                                  "....."
                                  ".....";

static void simple_ko_lets_a_longer_cycle_go_on_and_superko_does_not(void **state) {
    (void)state;
    struct table *simple = open_table(5, GO_KO_SIMPLE, false);
    set_up(simple, two_for_one);
    for (unsigned round = 0; round < 3; round++) {
        expect_played(simple, 'B', 0, 0);
        expect_played(simple, 'W', 0, 2);
        expect_played(simple, 'B', 0, 1);
        expect_board(simple, two_for_one);
        pass(simple, 'W');
    }
    assert_int_equal(go_game_prisoners(simple->game, GO_BLACK), 3);
    assert_int_equal(go_game_prisoners(simple->game, GO_WHITE), 6);
    close_table(simple);

    struct table *positional = open_table(5, GO_KO_POSITIONAL, false);
    set_up(positional, two_for_one);
    expect_played(positional, 'B', 0, 0);
    expect_played(positional, 'W', 0, 2);
    expect_repetition(positional, 'B', 0, 1, 0);
    close_table(positional);

    /* The start counts as left by White, so Black may leave the same position once, with move 3. */
    struct table *situational = open_table(5, GO_KO_SITUATIONAL, false);
    set_up(situational, two_for_one);
    expect_played(situational, 'B', 0, 0);
    expect_played(situational, 'W', 0, 2);
    expect_played(situational, 'B', 0, 1);
    pass(situational, 'W');
    expect_repetition(situational, 'B', 0, 0, 1);
    close_table(situational);
}

static void situational_superko_depends_on_the_color_that_left_the_position(void **state) {
    (void)state;
    /* The position after White's move 2 would occur again after Black's move 4. Because a different colour leaves it,
     * only the positional rule refuses the move. */
    struct table *situational = open_table(4, GO_KO_SITUATIONAL, false);
    struct table *positional = open_table(4, GO_KO_POSITIONAL, false);
    struct table *tables[] = {situational, positional};
    for (unsigned i = 0; i < 2; i++) {
        set_up(tables[i], ko_shape);
        expect_played(tables[i], 'B', 3, 0);
        expect_played(tables[i], 'W', 3, 3);
        expect_played(tables[i], 'W', 1, 1);
    }
    expect_played(situational, 'B', 1, 2);
    expect_repetition(positional, 'B', 1, 2, 2);
    close_table(situational);
    close_table(positional);
}

static void the_start_was_left_by_the_opponent_of_the_first_move_s_colour(void **state) {
    (void)state;
    struct table *white_first = open_table(4, GO_KO_SITUATIONAL, false);
    set_up(white_first, ko_shape);
    expect_played(white_first, 'W', 1, 1);
    expect_repetition(white_first, 'B', 1, 2, 0);
    close_table(white_first);
    /* Black's first move is a miss, but it is still the first move, so the start counts as left by White. */
    struct table *black_first = open_table(4, GO_KO_SITUATIONAL, false);
    set_up(black_first, ko_shape);
    expect_miss(black_first, 'B', 0, 1, GO_MISS_OCCUPIED);
    expect_played(black_first, 'W', 1, 1);
    expect_played(black_first, 'B', 1, 2);
    close_table(black_first);
}

static void under_situational_superko_a_pass_leaves_the_position_again(void **state) {
    (void)state;
    struct table *table = open_table(4, GO_KO_SITUATIONAL, false);
    set_up(table, ko_shape);
    pass(table, 'B');
    pass(table, 'B');
    expect_played(table, 'W', 1, 1);
    /* The position was left by White at the start (0), and by Black with moves 1 and 2. */
    expect_repetition(table, 'B', 1, 2, 1);
    close_table(table);
}

static void without_a_ko_rule_everything_may_repeat(void **state) {
    (void)state;
    struct table *table = open_table(4, GO_KO_NONE, false);
    set_up(table, ko_shape);
    for (unsigned i = 0; i < 5; i++) {
        expect_played(table, 'W', 1, 1);
        expect_played(table, 'B', 1, 2);
    }
    assert_int_equal(go_game_prisoners(table->game, GO_BLACK), 5);
    assert_int_equal(go_game_prisoners(table->game, GO_WHITE), 5);
    close_table(table);
}

static void a_stone_on_a_stone_is_occupied_whatever_else_is_wrong_with_it(void **state) {
    (void)state;
    struct table *table = open_table(2, GO_KO_POSITIONAL, false);
    set_up(table, "BB"
                  "B.");
    expect_miss(table, 'W', 0, 0, GO_MISS_OCCUPIED);
    expect_miss(table, 'B', 0, 0, GO_MISS_OCCUPIED);
    expect_miss(table, 'B', 1, 1, GO_MISS_SUICIDE);
    expect_played(table, 'W', 1, 1);
    expect_board(table, ".."
                        ".W");
    close_table(table);
}

static void a_stone_that_captures_is_no_suicide(void **state) {
    (void)state;
    for (unsigned suicide = 0; suicide < 2; suicide++) {
        struct table *table = open_table(3, GO_KO_POSITIONAL, suicide != 0);
        set_up(table, ".BW"
                      "BW."
                      "W..");
        /* The stone has no liberty until the two black stones have been taken off. */
        expect_played(table, 'W', 0, 0);
        expect_board(table, "W.W"
                            ".W."
                            "W..");
        assert_int_equal(go_game_prisoners(table->game, GO_WHITE), 2);
        close_table(table);
    }
}

static void several_chains_are_captured_at_once(void **state) {
    (void)state;
    struct table *table = open_table(5, GO_KO_POSITIONAL, false);
    set_up(table, "..B.."
                  ".BWB."
                  "BW.WB"
                  ".BWB."
                  "..B..");
    expect_played(table, 'B', 2, 2);
    expect_board(table, "..B.."
                        ".B.B."
                        "B.B.B"
                        ".B.B."
                        "..B..");
    assert_int_equal(go_game_prisoners(table->game, GO_BLACK), 4);
    close_table(table);
}

/* Two white walls; Black dies by playing (0, 0) and (1, 0). */
static const char pocket[] = ".W.."
                             ".W.."
                             "W..."
                             "....";

static void a_suicide_of_several_stones_takes_them_all_off(void **state) {
    (void)state;
    struct table *table = open_table(4, GO_KO_POSITIONAL, true);
    set_up(table, pocket);
    expect_played(table, 'B', 0, 0);
    expect_played(table, 'B', 3, 3);
    expect_played(table, 'B', 1, 0);
    expect_board(table, ".W.."
                        ".W.."
                        "W..."
                        "...B");
    assert_int_equal(go_game_prisoners(table->game, GO_WHITE), 2);
    assert_int_equal(go_game_prisoners(table->game, GO_BLACK), 0);
    close_table(table);
}

static void a_stone_that_captures_nothing_can_repeat_a_position(void **state) {
    (void)state;
    /* The suicide of two stones restores the start. */
    struct table *table = open_table(4, GO_KO_POSITIONAL, true);
    set_up(table, pocket);
    expect_played(table, 'B', 0, 0);
    expect_repetition(table, 'B', 1, 0, 0);
    close_table(table);

    /* The suicide of one stone repeats the current position. */
    table = open_table(3, GO_KO_POSITIONAL, true);
    set_up(table, ".W."
                  "W.."
                  "...");
    expect_repetition(table, 'B', 0, 0, 0);
    expect_played(table, 'W', 2, 2);
    pass(table, 'W');
    expect_repetition(table, 'B', 0, 0, 2);
    close_table(table);
}

static void a_suicide_of_several_stones_is_refused_where_suicide_is(void **state) {
    (void)state;
    struct table *table = open_table(4, GO_KO_POSITIONAL, false);
    set_up(table, pocket);
    expect_played(table, 'B', 0, 0);
    expect_miss(table, 'B', 1, 0, GO_MISS_SUICIDE);
    close_table(table);
}

static void a_lone_suicide_depends_on_the_ko_rule(void **state) {
    (void)state;
    /* The board has only one point: each stone is a suicide, and the position does not change. */
    struct table *positional = open_table(1, GO_KO_POSITIONAL, true);
    expect_repetition(positional, 'B', 0, 0, 0);
    close_table(positional);

    /* The start counts as left by White, so Black may leave the same position once, but White may not. */
    struct table *situational = open_table(1, GO_KO_SITUATIONAL, true);
    expect_played(situational, 'B', 0, 0);
    expect_repetition(situational, 'B', 0, 0, 1);
    expect_repetition(situational, 'W', 0, 0, 0);
    assert_int_equal(go_game_prisoners(situational->game, GO_WHITE), 1);
    close_table(situational);

    /* Before the first stone, there is no last stone, so it is allowed. A second stone would repeat the position before
     * the first. */
    struct table *simple = open_table(1, GO_KO_SIMPLE, true);
    expect_played(simple, 'B', 0, 0);
    expect_repetition(simple, 'W', 0, 0, 0);
    pass(simple, 'W');
    expect_played(simple, 'W', 0, 0);
    expect_repetition(simple, 'W', 0, 0, 1);
    close_table(simple);

    struct table *none = open_table(1, GO_KO_NONE, true);
    expect_played(none, 'B', 0, 0);
    expect_played(none, 'W', 0, 0);
    assert_int_equal(go_game_prisoners(none->game, GO_BLACK), 1);
    assert_int_equal(go_game_prisoners(none->game, GO_WHITE), 1);
    close_table(none);

    struct table *refused = open_table(1, GO_KO_NONE, false);
    expect_miss(refused, 'B', 0, 0, GO_MISS_SUICIDE);
    close_table(refused);
}

static void colours_need_not_alternate(void **state) {
    (void)state;
    struct table *table = open_table(3, GO_KO_POSITIONAL, false);
    expect_played(table, 'W', 0, 0);
    expect_played(table, 'B', 0, 1);
    expect_played(table, 'B', 1, 0);
    expect_board(table, ".B."
                        "B.."
                        "...");
    expect_miss(table, 'W', 0, 0, GO_MISS_SUICIDE);
    expect_played(table, 'B', 0, 0);
    close_table(table);
}

/* A whole game in contest format (colour, row and column counted from 1), and its answer. */
static void a_judged_game_prints_its_misses_and_its_board(void **state) {
    (void)state;
    static const char moves[] = "B 1 2 W 1 3 B 2 1 W 2 4 B 3 2 W 3 3 B 2 3 W 2 2 " /* White takes the ko */
                                "B 2 3 "                                           /* Black may not retake it */
                                "W 3 3 "                                           /* there is already a stone */
                                "B 19 18 W 10 10 B 18 19 W 19 19 "                 /* White dies in the corner */
                                "B 19 19 "                                         /* Black may fill its own eye */
                                "B 2 3";                                           /* now Black can retake the ko */
    static const unsigned misses[] = {3, 1, 2};
    static const char *const rows[] = {".BW................", "B.BW...............", ".BW................"};
    struct table *table = open_table(19, GO_KO_POSITIONAL, false);
    unsigned miss_count = 0, row, col;
    char color;
    int length = 0;
    for (const char *rest = moves; sscanf(rest, " %c %u %u%n", &color, &row, &col, &length) == 3; rest += length) {
        struct reference_go_reply reply = play(table, color, row - 1, col - 1);
        if (reply.code != GO_PLAYED)
            assert_int_equal(reply.code, misses[miss_count++]);
    }
    assert_int_equal(table->model->moves, 16);
    assert_int_equal(miss_count, 3);
    for (unsigned i = 0; i < 3; i++)
        assert_memory_equal(table->model->board + (size_t)19 * i, rows[i], 19);
    assert_int_equal(go_game_prisoners(table->game, GO_BLACK), 1);
    assert_int_equal(go_game_prisoners(table->game, GO_WHITE), 1);
    close_table(table);
}

/* Play a fixed 9 x 9 game under superko, comparing it with the model move by move, until it ends or the outcome is not
 * OUTCOME_DONE. Stores the number of moves made in *ret_moves, and returns the last outcome. */
static enum outcome play_until_refused(size_t cap, struct work *work, unsigned *ret_moves) {
    enum { MOVES = 300 };
    struct reference_random random = {9};
    struct reference_go *model = reference_go_new(9, REFERENCE_GO_POSITIONAL, false);
    struct arena arena;
    arena_init(&arena, cap);
    struct go_game *game = NULL;
    struct go_rules rules = {.ko = GO_KO_POSITIONAL, .suicide = false};
    enum outcome outcome = go_game_new(9, rules, 0, 0, &arena, work, &game);
    unsigned moves = 0;
    while (outcome == OUTCOME_DONE && moves < MOVES) {
        struct go_move move = {.color = (uint8_t)(moves % 2 == 0 ? GO_BLACK : GO_WHITE)};
        move.row = (uint8_t)reference_random_below(&random, 9);
        move.col = (uint8_t)reference_random_below(&random, 9);
        struct go_reply reply = {0};
        outcome = go_game_play(game, move, work, &reply);
        if (outcome != OUTCOME_DONE)
            break;
        struct reference_go_reply expected = reference_go_play(model, moves % 2 == 0 ? 'B' : 'W', move.row, move.col);
        assert_int_equal(reply.miss, expected.code);
        moves++;
    }
    arena_clear(&arena);
    reference_go_free(model);
    *ret_moves = moves;
    return outcome;
}

static void too_little_memory_is_no_answer(void **state) {
    (void)state;
    unsigned refused = 0, answered = 0, moves;
    for (size_t cap = 0; answered < 3; cap = cap * 9 / 8 + 16) {
        struct work work = {.left = WORK_UNBOUNDED};
        enum outcome outcome = play_until_refused(cap, &work, &moves);
        assert_true(outcome == OUTCOME_DONE || outcome == OUTCOME_NO_MEMORY);
        assert_true(outcome == OUTCOME_DONE || answered == 0);
        refused += outcome == OUTCOME_NO_MEMORY;
        answered += outcome == OUTCOME_DONE;
    }
    assert_true(refused > 5);
}

static void too_little_work_is_no_answer(void **state) {
    (void)state;
    unsigned refused = 0, max_moves = 0, moves;
    enum outcome outcome = OUTCOME_MORE_WORK;
    for (uint64_t units = 0; outcome != OUTCOME_DONE; units = units * 5 / 4 + 1) {
        struct work work = {.left = units};
        outcome = play_until_refused(ARENA_NO_CAP, &work, &moves);
        assert_true(outcome == OUTCOME_DONE || outcome == OUTCOME_MORE_WORK);
        assert_true(moves >= max_moves);
        max_moves = moves;
        refused += outcome == OUTCOME_MORE_WORK;
    }
    assert_true(refused > 5);
}

static void a_stopped_account_ends_the_game(void **state) {
    (void)state;
    atomic_bool stop = true;
    struct work work = {.left = WORK_UNBOUNDED, .stop = &stop};
    unsigned moves;
    assert_int_equal(play_until_refused(ARENA_NO_CAP, &work, &moves), OUTCOME_CANCELLED);
    assert_true(moves < 300);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_games_under_positional_superko_agree_with_the_model),
        cmocka_unit_test(random_games_under_situational_superko_agree_with_the_model),
        cmocka_unit_test(random_games_under_simple_ko_agree_with_the_model),
        cmocka_unit_test(random_games_without_a_ko_rule_agree_with_the_model),
        cmocka_unit_test(the_start_is_a_position_that_can_be_repeated),
        cmocka_unit_test(a_pass_never_repeats_a_position),
        cmocka_unit_test(the_earliest_of_equal_positions_is_named),
        cmocka_unit_test(a_simple_ko_is_lifted_by_a_pass),
        cmocka_unit_test(a_positional_ko_is_not_lifted_by_a_pass),
        cmocka_unit_test(a_simple_ko_bans_only_the_position_before_the_last_stone),
        cmocka_unit_test(under_simple_ko_the_stone_before_the_last_one_is_named),
        cmocka_unit_test(simple_ko_lets_a_longer_cycle_go_on_and_superko_does_not),
        cmocka_unit_test(situational_superko_depends_on_the_color_that_left_the_position),
        cmocka_unit_test(the_start_was_left_by_the_opponent_of_the_first_move_s_colour),
        cmocka_unit_test(under_situational_superko_a_pass_leaves_the_position_again),
        cmocka_unit_test(without_a_ko_rule_everything_may_repeat),
        cmocka_unit_test(a_stone_on_a_stone_is_occupied_whatever_else_is_wrong_with_it),
        cmocka_unit_test(a_stone_that_captures_is_no_suicide),
        cmocka_unit_test(several_chains_are_captured_at_once),
        cmocka_unit_test(a_suicide_of_several_stones_takes_them_all_off),
        cmocka_unit_test(a_stone_that_captures_nothing_can_repeat_a_position),
        cmocka_unit_test(a_suicide_of_several_stones_is_refused_where_suicide_is),
        cmocka_unit_test(a_lone_suicide_depends_on_the_ko_rule),
        cmocka_unit_test(colours_need_not_alternate),
        cmocka_unit_test(a_judged_game_prints_its_misses_and_its_board),
        cmocka_unit_test(too_little_memory_is_no_answer),
        cmocka_unit_test(too_little_work_is_no_answer),
        cmocka_unit_test(a_stopped_account_ends_the_game),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
