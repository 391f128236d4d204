/* Changes to the board in the middle of a Go game: all changes on a 2 x 2 board and random ones on others, compared
 * with the slow model, and handmade ones where the ko rules differ. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "go/game.h"
#include "go/tables.h"
#include "reference/scale.h"

#include <stdlib.h>
#include <string.h>

static bool is_legal(unsigned size, const char *stones) {
    for (unsigned point = 0; point < size * size; point++)
        if (stones[point] != '.' && !reference_go_has_liberty(size, stones, point / size, point % size))
            return false;
    return true;
}

/* Make the move with this number, which encodes a pass or a stone by Black or White. */
static struct reference_go_reply make_move(struct table *table, unsigned number) {
    char color = number % 2 == 0 ? 'B' : 'W';
    unsigned point = number / 2;
    if (point == table->size * table->size)
        return pass(table, color);
    return play(table, color, point / table->size, point % table->size);
}

/* List the legal 2 x 2 boards. Returns their number. */
static unsigned list_boards(char boards[82][5]) {
    unsigned count = 0;
    for (unsigned number = 0; number < 81; number++) {
        unsigned digits = number;
        for (unsigned point = 0; point < 4; point++, digits /= 3)
            boards[count][point] = ".BW"[digits % 3];
        boards[count][4] = 0;
        count += is_legal(2, boards[count]);
    }
    return count;
}

/* Plays all games on a 2 x 2 board that consist of two moves, a change to any legal board, and two more moves (or every
 * 97th of these games, in the quick test). */
static void every_change_on_the_smallest_board_is_as_the_model_has_it(void **state) {
    enum { MOVES = 10 };
    char boards[82][5];
    unsigned count = list_boards(boards), games = 0, repetitions = 0;
    unsigned all = count * MOVES * MOVES * MOVES * MOVES, step = reference_scale_is_quick() ? 97 : 1;
    (void)state;
    assert_int_equal(count, 57);
    for (unsigned rule = 0; rule < 8; rule++)
        for (unsigned number = rule % step; number < all; number += step, games++) {
            struct table *table = open_table(2, (enum go_ko)(rule / 2), rule % 2 != 0);
            unsigned second = number / MOVES % MOVES;
            make_move(table, number % MOVES);
            make_move(table, second);
            change(table, boards[number / (MOVES * MOVES * MOVES * MOVES)], second % 2 == 0 ? 'B' : 'W');
            for (unsigned digits = number / (MOVES * MOVES), k = 0; k < 2; k++, digits /= MOVES)
                repetitions += make_move(table, digits % MOVES).code == GO_MISS_REPETITION;
            close_table(table);
        }
    print_message("%u games, %u repetitions\n", games, repetitions);
    assert_int_equal(games, reference_scale_is_quick() ? 47016 : 4560000);
    assert_int_equal(repetitions, reference_scale_is_quick() ? 286 : 29200);
}

/* The last 16 boards of a game, including those from before a change. */
struct seen {
    char board[16][GO_MAX_SIZE * GO_MAX_SIZE];
    unsigned count;
};

static void see(struct seen *seen, const struct table *table) {
    memcpy(seen->board[seen->count++ % 16], table->model->board, (size_t)table->size * table->size);
}

/* Choose a random legal board: the current one with some points changed, or an earlier one. */
static void choose_board(const struct table *table, const struct seen *seen, struct reference_random *random,
                         char *stones) {
    unsigned points = table->size * table->size;
    bool earlier = reference_random_chance(random, 40);
    unsigned which = earlier ? reference_random_below(random, seen->count < 16 ? seen->count : 16) : 0;
    memcpy(stones, earlier ? seen->board[which] : table->model->board, points);
    for (unsigned changes = earlier ? 0 : reference_random_below(random, 4); changes > 0; changes--)
        stones[reference_random_below(random, points)] = random_point(50, random);
    for (unsigned point = 0; point < points; point++)
        if (stones[point] != '.' &&
            !reference_go_has_liberty(table->size, stones, point / table->size, point % table->size))
            reference_go_take_off(table->size, stones, point / table->size, point % table->size);
}

/* Play a game with changes, and add to the counts. */
static void play_changed_game(unsigned size, enum go_ko ko, bool suicide, unsigned moves,
                              struct reference_random *random, unsigned *changes, unsigned *repetitions) {
    struct table *table = open_table(size, ko, suicide);
    char before[GO_MAX_SIZE * GO_MAX_SIZE], stones[GO_MAX_SIZE * GO_MAX_SIZE];
    char color = 'B';
    struct seen seen = {.count = 0};
    lay_random_stones(table, random);
    memcpy(before, table->model->board, (size_t)size * size);
    for (unsigned move = 0; move < moves; move++) {
        unsigned point = choose_point(table, before, random);
        memcpy(before, table->model->board, (size_t)size * size);
        bool passed = reference_random_chance(random, 5);
        struct reference_go_reply reply = passed ? pass(table, color) : play(table, color, point / size, point % size);
        *repetitions += reply.code == GO_MISS_REPETITION;
        see(&seen, table);
        for (; reference_random_chance(random, 15); (*changes)++) {
            choose_board(table, &seen, random, stones);
            change(table, stones, color);
        }
        if (reference_random_chance(random, 85))
            color = color == 'B' ? 'W' : 'B';
    }
    close_table(table);
}

static void random_games_with_changes_agree_with_the_model(void **state) {
    static const unsigned sizes[] = {1, 2, 3, 4, 5, 9, 19, 25};
    static const unsigned games[] = {20, 400, 400, 300, 200, 30, 6, 3};
    struct reference_random random = {1846};
    unsigned changes = 0, repetitions[4] = {0};
    bool quick = reference_scale_is_quick();
    (void)state;
    for (unsigned rule = 0; rule < 8; rule++)
        for (unsigned s = 0; s < sizeof sizes / sizeof *sizes; s++)
            for (unsigned game = 0; game < (quick ? (games[s] + 19) / 20 : games[s]); game++)
                play_changed_game(sizes[s], (enum go_ko)(rule / 2), rule % 2 != 0,
                                  1 + reference_random_below(&random, 20 + 12 * sizes[s]), &random, &changes,
                                  &repetitions[rule / 2]);
    print_message("%u changes, repetitions %u %u %u\n", changes, repetitions[0], repetitions[1], repetitions[2]);
    assert_true(changes > (quick ? 1000u : 20000u));
    for (enum go_ko ko = GO_KO_POSITIONAL; ko <= GO_KO_SIMPLE; ko++)
        assert_true(repetitions[ko] > (quick ? 5u : 100u));
    assert_int_equal(repetitions[GO_KO_NONE], 0);
}

/* White takes the stone at (1, 2) by playing (1, 1); Black would retake at (1, 2). */
static const char ko_shape[] = ".BW."
                               "B.BW"
                               ".BW."
                               "....";
static const char ko_taken[] = ".BW."
                               "BW.W"
                               ".BW."
                               "....";

/* Play until White has taken the ko, after one other move by Black. */
static struct table *take_ko(enum go_ko ko) {
    struct table *table = open_table(4, ko, false);
    lay_stones(table, ko_shape);
    assert_int_equal(play(table, 'B', 3, 0).code, GO_PLAYED);
    assert_int_equal(play(table, 'W', 1, 1).code, GO_PLAYED);
    return table;
}

static void a_change_lifts_a_simple_ko_even_if_nothing_changes(void **state) {
    (void)state;
    struct table *table = take_ko(GO_KO_SIMPLE);
    assert_int_equal(play(table, 'B', 1, 2).code, GO_MISS_REPETITION);
    change(table, ".BW.BW.W.BW.B...", 'B');
    assert_int_equal(play(table, 'B', 1, 2).code, GO_PLAYED);
    close_table(table);
}

/* The ko rules under which the program keeps all positions. */
static const enum go_ko superko[] = {GO_KO_POSITIONAL, GO_KO_SITUATIONAL};

static void positions_from_before_a_change_do_not_count(void **state) {
    (void)state;
    for (unsigned k = 0; k < 2; k++) {
        struct table *table = open_table(2, superko[k], false);
        assert_int_equal(play(table, 'B', 0, 0).code, GO_PLAYED);
        assert_int_equal(play(table, 'W', 1, 1).code, GO_PLAYED);
        change(table, "....", 'W');
        assert_int_equal(play(table, 'B', 0, 0).code, GO_PLAYED);
        assert_int_equal(play(table, 'W', 1, 1).code, GO_PLAYED);
        close_table(table);
    }
}

static void a_change_that_changes_nothing_begins_a_new_history_too(void **state) {
    (void)state;
    for (unsigned k = 0; k < 2; k++) {
        struct table *table = open_table(4, superko[k], false);
        lay_stones(table, ko_shape);
        pass(table, 'B');
        assert_int_equal(play(table, 'W', 1, 1).code, GO_PLAYED);
        change(table, ko_taken, 'W');
        assert_int_equal(play(table, 'B', 1, 2).code, GO_PLAYED);
        close_table(table);
    }
}

static void a_changed_position_is_named_by_the_last_move_before_it(void **state) {
    (void)state;
    static const enum go_ko rules[] = {GO_KO_POSITIONAL, GO_KO_SITUATIONAL, GO_KO_SIMPLE};
    for (unsigned k = 0; k < 3; k++) {
        struct table *table = open_table(4, rules[k], false);
        assert_int_equal(play(table, 'B', 3, 0).code, GO_PLAYED);
        assert_int_equal(play(table, 'W', 3, 0).code, GO_MISS_OCCUPIED);
        pass(table, 'B');
        change(table, ko_shape, 'B');
        assert_int_equal(play(table, 'W', 1, 1).code, GO_PLAYED);
        struct reference_go_reply reply = play(table, 'B', 1, 2);
        assert_int_equal(reply.code, GO_MISS_REPETITION);
        assert_int_equal(reply.repeats, 3);
        close_table(table);
    }
}

static void a_changed_position_was_left_by_the_colour_that_is_named(void **state) {
    (void)state;
    for (unsigned white = 0; white < 2; white++) {
        struct table *table = take_ko(GO_KO_SITUATIONAL);
        change(table, ko_shape, white != 0 ? 'W' : 'B');
        assert_int_equal(play(table, 'W', 1, 1).code, GO_PLAYED);
        assert_int_equal(play(table, 'B', 1, 2).code, white != 0 ? GO_PLAYED : GO_MISS_REPETITION);
        close_table(table);
    }
}

static void removed_stones_are_not_prisoners(void **state) {
    (void)state;
    struct table *table = take_ko(GO_KO_NONE);
    uint32_t black = go_game_prisoners(table->game, GO_BLACK), white = go_game_prisoners(table->game, GO_WHITE);
    change(table, "................", 'W');
    assert_int_equal(go_game_prisoners(table->game, GO_BLACK), black);
    assert_int_equal(go_game_prisoners(table->game, GO_WHITE), white);
    close_table(table);
}

static void a_change_may_leave_chains_without_liberties_to_be_found(void **state) {
    (void)state;
    struct work work = {.left = WORK_UNBOUNDED};
    struct table *table = open_table(2, GO_KO_POSITIONAL, false);
    static const uint8_t full[] = {GO_BLACK, GO_WHITE, GO_WHITE, GO_BLACK};
    uint16_t first[GO_MAX_SIZE * GO_MAX_SIZE];
    pass(table, 'B');
    assert_int_equal(go_game_change(table->game, full, GO_BLACK, &work), OUTCOME_DONE);
    assert_int_equal(go_game_find_without_liberty(table->game, first), 4);
    close_table(table);
}

static void too_little_work_is_no_change(void **state) {
    (void)state;
    static const uint8_t empty[GO_POINTS];
    unsigned exhausted = 0;
    for (uint64_t units = 0; units < 2000; units += 10) {
        struct table *table = open_table(19, GO_KO_POSITIONAL, false);
        struct work work = {.left = units};
        pass(table, 'B');
        exhausted += go_game_change(table->game, empty, GO_BLACK, &work) == OUTCOME_MORE_WORK;
        close_table(table);
    }
    assert_in_range(exhausted, 50, 150);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_change_on_the_smallest_board_is_as_the_model_has_it),
        cmocka_unit_test(random_games_with_changes_agree_with_the_model),
        cmocka_unit_test(a_change_lifts_a_simple_ko_even_if_nothing_changes),
        cmocka_unit_test(positions_from_before_a_change_do_not_count),
        cmocka_unit_test(a_change_that_changes_nothing_begins_a_new_history_too),
        cmocka_unit_test(a_changed_position_is_named_by_the_last_move_before_it),
        cmocka_unit_test(a_changed_position_was_left_by_the_colour_that_is_named),
        cmocka_unit_test(removed_stones_are_not_prisoners),
        cmocka_unit_test(a_change_may_leave_chains_without_liberties_to_be_found),
        cmocka_unit_test(too_little_work_is_no_change),
    };
    return cmocka_run_group_tests_name("change", tests, NULL, NULL);
}
