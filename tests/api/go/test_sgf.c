/* SGF records: how games are interpreted, and which faults are reported where. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "api/go/sgf_reading.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void moves_are_those_of_the_nodes_in_order(void **state) {
    (void)state;
    ALL_READ({"(;)", "19"}, {"(;;;)", "19"}, {"(;B[aa])", "19 Ba0"}, {"(;SZ[9];B[ab];W[ba])", "9 Ba1 Wb0"},
             {"(;GM[1]FF[4]SZ[19];B[sa];B[as];W[ss];W[jj])", "19 Bs0 Ba18 Ws18 Wj9"},
             {"(;SZ[5]B[aa]C[x];C[y]W[ee]BL[1])", "5 Ba0 We4"}, {"(;SZ[25];B[yy];W[ya])", "25 By24 Wy0"});
}

static void a_pass_is_empty_or_tt_up_to_19(void **state) {
    (void)state;
    ALL_READ({"(;B[];W[tt])", "19 B- W-"}, {"(;SZ[1];B[tt];W[])", "1 B- W-"}, {"(;SZ[9];B[tt])", "9 B-"},
             {"(;SZ[20];B[tt];W[])", "20 Bt19 W-"}, {"(;SZ[25];B[tt])", "25 Bt19"}, {"(;B[tt]SZ[20])", "20 Bt19"});
}

static void sizes_are_1_to_25_and_square(void **state) {
    char sgf[64], text[16];
    (void)state;
    for (int size = 1; size <= 25; size++) {
        snprintf(text, sizeof text, "%d", size);
        snprintf(sgf, sizeof sgf, "(;SZ[%d])", size);
        assert_reads(sgf, strlen(sgf), text);
        snprintf(sgf, sizeof sgf, "(;SZ[%d:%d])", size, size);
        assert_reads(sgf, strlen(sgf), text);
    }
    ALL_READ({"(;SZ[+9])", "9"}, {"(;SZ[009])", "9"}, {"(;SZ[09:9])", "9"}, {"(;SZ[ 9])", "9"}, {"(;SZ[9\n])", "9"},
             {"(;SZ[\t9 : 9 ])", "9"}, {"(;SZ[])", "19"}, {"(;SZ[ \r\n])", "19"}, {"(;SZ[]SZ[9])", "9"},
             {"(;SZ[9][])", "9"});
    ALL_REFUSED({"(;SZ[~0])", FAULT_RANGE, "SZ[0] is out of range; the size must be between 1 and 25"},
                {"(;SZ[~26])", FAULT_RANGE, NULL}, {"(;SZ[~52:52])", FAULT_RANGE, NULL},
                {"(;SZ[~4294967305])", FAULT_RANGE, NULL},
                {"(;SZ[~99999999999999999999999999999999999999999999999999])", FAULT_RANGE, NULL},
                {"(;SZ[~9:13])", FAULT_RANGE, "SZ[9:13] is not a square board; it must have as many rows as columns"},
                {"(;SZ[~9:0])", FAULT_RANGE, NULL},
                {"(;SZ[~-9])", FAULT_VALUE, "SZ[-9] is not a board size; it must be between 1 and 25"},
                {"(;SZ[~1 9])", FAULT_VALUE, NULL}, {"(;SZ[~nine])", FAULT_VALUE, NULL},
                {"(;SZ[~9:])", FAULT_VALUE, NULL}, {"(;SZ[~:9])", FAULT_VALUE, NULL}, {"(;SZ[~:])", FAULT_VALUE, NULL},
                {"(;SZ[~+])", FAULT_VALUE, NULL}, {"(;SZ[~9:9:9])", FAULT_VALUE, NULL},
                {"(;SZ[~9\\:9])", FAULT_VALUE, NULL}, {"(;SZ[~9.0])", FAULT_VALUE, NULL});
}

static void a_size_may_be_repeated_but_not_changed(void **state) {
    (void)state;
    ALL_READ({"(;SZ[9]SZ[9])", "9"}, {"(;SZ[9][9:9])", "9"}, {"(;SZ[9];SZ[9]B[aa])", "9 Ba0"},
             {"(;SZ[9](;B[aa])(;SZ[13]))", "9 Ba0"}, {"(;;SZ[19])", "19"}, {"(;SZ[];SZ[ ];B[aa])", "19 Ba0"},
             {"(;(;B[aa])(;SZ[9]))", "19 Ba0"}, {"(;SZ[9];SZ[x]B[aa])", "9 Ba0"});
    ALL_REFUSED(
        {"(;SZ[9]SZ[~13])", FAULT_CONFLICT, "the game has both SZ[9] and SZ[13]; it can have only one size"},
        {"(;SZ[9][~13])", FAULT_CONFLICT, NULL},
        {"(;FF[4];SZ[~9]B[aa])", FAULT_CONFLICT, "SZ[9] must be in the first node of the game, which has no SZ"},
        {"(;SZ[];SZ[~13])", FAULT_CONFLICT, NULL}, {"(;(;B[aa]SZ[~5])(;W[aa]))", FAULT_CONFLICT, NULL},
        {"(;;SZ[~x])", FAULT_VALUE, NULL}, {"(;SZ[9]SZ[~x])", FAULT_VALUE, NULL});
}

static void the_size_is_read_at_any_place_in_the_root(void **state) {
    (void)state;
    ALL_READ({"(;AB[cc]SZ[3])", "3 /...,...,..B"}, {"(;B[yy]SZ[25])", "25 By24"}, {"(;C[SZ[9\\]]SZ[5])", "5"});
    ALL_REFUSED({"(;AB[~dc]SZ[3])", FAULT_RANGE, "'dc' is not on the 3 x 3 board"},
                {"(;B[~ad]SZ[3])", FAULT_RANGE, NULL}, {"(;AB[zz]SZ[~99])", FAULT_RANGE, NULL});
}

static void set_up_stones_stand_where_they_are_put(void **state) {
    (void)state;
    ALL_READ({"(;SZ[2]AB[ba])", "2 /.B,.."}, {"(;SZ[2]AW[ab])", "2 /..,W."}, {"(;SZ[2]AB[aa][bb][aa])", "2 /B.,.B"},
             {"(;SZ[2]AB[aa]AB[bb]AW[ab])", "2 /B.,WB"}, {"(;SZ[2]AB[aa];AW[bb];AB[ab])", "2 /B.,BW"},
             {"(;SZ[2]AB[aa]AW[aa])", "2 /W.,.."}, {"(;SZ[2]AW[aa]AB[aa])", "2 /B.,.."},
             {"(;SZ[2]AB[aa]AE[aa])", "2 /..,.."}, {"(;SZ[2]AE[aa])", "2"}, {"(;SZ[2]AE[aa]AB[aa])", "2 /B.,.."},
             {"(;SZ[2]AB[aa];AE[aa]AW[bb])", "2 /..,.W"}, {"(;SZ[2]AB[aa]\n[bb] [ab]\r\n[ba])", "2 /BB,BB"},
             {"(;SZ[2]AB[aa](;AW[bb];B[ba])(;AW[ab]))", "2 Bb0 /B.,.W"});
}

static void rectangles_name_all_their_points(void **state) {
    (void)state;
    ALL_READ({"(;SZ[3]AB[aa:cc])", "3 /BBB,BBB,BBB"}, {"(;SZ[3]AB[ba:bc])", "3 /.B.,.B.,.B."},
             {"(;SZ[3]AW[ab:cb])", "3 /...,WWW,..."}, {"(;SZ[3]AB[bb:bb])", "3 /...,.B.,..."},
             {"(;SZ[3]AB[aa:cc]AE[bb:cc]AW[cc])", "3 /BBB,B..,B.W"}, {"(;SZ[3]AB[aa:bb][bb:cc])", "3 /BB.,BBB,.BB"},
             {"(;SZ[25]AE[aa:yy])", "25"});
    ALL_REFUSED({"(;SZ[3]AB[~cc:aa])", FAULT_VALUE, NULL}, {"(;SZ[3]AB[~ca:ac])", FAULT_VALUE, NULL},
                {"(;SZ[3]AB[~ac:ca])", FAULT_VALUE, NULL}, {"(;SZ[3]AB[aa:~dc])", FAULT_RANGE, NULL},
                {"(;SZ[3]AB[~da:cc])", FAULT_RANGE, NULL}, {"(;SZ[3]AE[aa:~cd])", FAULT_RANGE, NULL},
                {"(;SZ[3]AB[~aa:])", FAULT_VALUE, NULL}, {"(;SZ[3]AB[~aa:c])", FAULT_VALUE, NULL},
                {"(;SZ[3]AB[~aa:ccc])", FAULT_VALUE, NULL}, {"(;SZ[3]AB[~aa;cc])", FAULT_VALUE, NULL},
                {"(;SZ[3]AB[~:aacc])", FAULT_VALUE, NULL}, {"(;SZ[3]AB[~aa:1c])", FAULT_VALUE, NULL},
                {"(;SZ[3];B[~aa:bb])", FAULT_VALUE, NULL});
}

static void a_point_is_two_letters_on_the_board(void **state) {
    (void)state;
    ALL_REFUSED(
        {"(;B[~a])", FAULT_VALUE, "'a' is not a point; a point has two letters, such as 'pd'"},
        {"(;B[~aaa])", FAULT_VALUE, NULL}, {"(;B[~a1])", FAULT_VALUE, NULL}, {"(;B[~Q16])", FAULT_VALUE, NULL},
        {"(;B[~pass])", FAULT_VALUE, NULL}, {"(;B[~ aa])", FAULT_VALUE, NULL}, {"(;B[~aa ])", FAULT_VALUE, NULL},
        {"(;B[~ ])", FAULT_VALUE, NULL}, {"(;B[~\\aa])", FAULT_VALUE, NULL},
        {"(;B[~\xe3\x81])", FAULT_VALUE, "'<byte E3><byte 81>' is not a point; a point has two letters, such as 'pd'"},
        {"(;AB[~])", FAULT_VALUE, NULL}, {"(;AE[~])", FAULT_VALUE, NULL}, {"(;AW[aa][~b])", FAULT_VALUE, NULL},
        {"(;B[~ta])", FAULT_RANGE, "'ta' is not on the 19 x 19 board"}, {"(;B[~at])", FAULT_RANGE, NULL},
        {"(;AB[~tt])", FAULT_RANGE, NULL}, {"(;AE[~tt])", FAULT_RANGE, NULL}, {"(;W[~zz])", FAULT_RANGE, NULL},
        {"(;W[~AA])", FAULT_RANGE, NULL}, {"(;SZ[25];W[~za])", FAULT_RANGE, NULL},
        {"(;SZ[25];W[~az])", FAULT_RANGE, NULL}, {"(;SZ[25];W[~aA])", FAULT_RANGE, NULL},
        {"(;SZ[9];B[aa];W[~ja])", FAULT_RANGE, NULL}, {"(;SZ[20];B[~uu])", FAULT_RANGE, NULL});
}

static void a_long_value_is_quoted_in_part(void **state) {
    char sgf[4200] = "(;B[";
    (void)state;
    for (int i = 0; i < 1000; i++)
        memcpy(sgf + 4 + 4 * i, "\xf0\x9f\x98\x80", 4);
    memcpy(sgf + 4004, "])", 2);
    struct reading r = read_bytes(sgf, 4006);
    assert_false(r.good);
    assert_int_equal(r.fault.code, FAULT_VALUE);
    assert_true(strstr(r.fault.detail, "...' is not a point; a point has two letters, such as 'pd'") != NULL);
}

static void moves_of_a_node_are_played_in_their_order(void **state) {
    (void)state;
    ALL_READ({"(;B[aa]W[bb])", "19 Ba0 Wb1"}, {"(;B[aa]B[aa])", "19 Ba0 Ba0"}, {"(;B[]C[x]W[])", "19 B- W-"},
             {"(;B[aa][bb];W[cc])", "19 Ba0 Bb1 Wc2"}, {"(;W[] [])", "19 W- W-"},
             {"(;W[aa]\nBlack[bb]W[cc])", "19 Wa0 Bb1 Wc2"});
}

static void set_up_changes_the_board_at_its_place_in_the_record(void **state) {
    (void)state;
    ALL_READ({"(;SZ[2]AB[aa];AW[bb]B[ab])", "2 Ba1 /B.,.W"}, {"(;SZ[2];AE[aa]B[])", "2 B-"},
             {"(;SZ[2];B[aa](;W[bb])(;AB[ab]))", "2 Ba0 Wb1"}, {"(;B[aa];AB[bb])", "19 Ba0 {Bb1-b1}"},
             {"(;B[aa]AW[bb])", "19 Ba0 {Wb1-b1}"}, {"(;SZ[2]AW[ba]B[aa]AW[bb]W[ab])", "2 Ba0 {Wb1-b1} Wa1 /.W,.."},
             {"(;B[aa];AE[aa]AB[bb][cc:dd]AW[ee];W[ff])", "19 Ba0 {Ea0-a0 Bb1-b1 Bc2-d3 We4-e4} Wf5"},
             {"(;B[aa];AB[bb]C[x]AW[cc])", "19 Ba0 {Bb1-b1 Wc2-c2}"},
             {"(;B[aa];AB[bb];AW[cc])", "19 Ba0 {Bb1-b1} {Wc2-c2}"},
             {"(;B[aa]AB[bb]W[dd]AW[cc])", "19 Ba0 {Bb1-b1} Wd3 {Wc2-c2}"},
             {"(;B[aa](;AE[aa]W[bb])(;AB[zz]))", "19 Ba0 {Ea0-a0} Wb1"},
             {"(;B[];AddBlack[aa]AddEmpty[bb])", "19 B- {Ba0-a0 Eb1-b1}"});
    ALL_REFUSED({"(;B[aa];AB[~zz])", FAULT_RANGE, NULL}, {"(;B[aa];AE[~])", FAULT_VALUE, NULL},
                {"(;SZ[3];B[aa];AW[~cc:aa])", FAULT_VALUE, NULL});
}

static void the_place_of_a_change_is_its_first_property(void **state) {
    static const char sgf[] = "(;B[aa];C[x]AE[aa]AB[bb];AW[cc])";
    struct arena arena;
    struct work work = {.left = PLENTY};
    struct reading r = {0};
    (void)state;
    arena_init(&arena, ARENA_NO_CAP);
    read_game(&(struct sgf_record){sgf, sizeof sgf - 1, false}, 1, MAX_MOVES, &arena, &work, &r);
    assert_int_equal(r.the_case.change_count, 2);
    assert_int_equal(r.the_case.changes[0].offset, 12);
    assert_int_equal(r.the_case.changes[1].offset, 25);
    arena_clear(&arena);
}

static void another_game_than_go_is_refused(void **state) {
    (void)state;
    ALL_READ({"(;GM[1])", "19"}, {"(;GM[ 1 ])", "19"}, {"(;GM[])", "19"}, {"(;GM[]GM[01])", "19"}, {"(;;GM[2])", "19"},
             {"(;GM[1](;GM[6])(;))", "19"});
    ALL_REFUSED({"(;GM[~6])", FAULT_VALUE, "GM[6] is not Go; Go is GM[1]"}, {"(;GM[~0])", FAULT_VALUE, NULL},
                {"(;SZ[99]B[zz]GM[~11])", FAULT_VALUE, NULL}, {"(;GM[~Go])", FAULT_VALUE, NULL},
                {"(;GM[~1:1])", FAULT_VALUE, NULL}, {"(;GaMe[~2])", FAULT_VALUE, NULL},
                {"(;GM[]GM[~4])", FAULT_VALUE, NULL});
}

static void the_first_fault_of_the_record_is_reported(void **state) {
    (void)state;
    ALL_REFUSED({"(;B[~zz];W[zz];AB[aa])", FAULT_RANGE, NULL}, {"(;B[aa]W[~zz]AB[])", FAULT_RANGE, NULL},
                {"(;AB[aa][~zz][x];B[aa]W[aa])", FAULT_RANGE, NULL});
}

static void moves_are_limited(void **state) {
    const char *sgf = "(;B[aa];W[];B[cc](;W[dd])(;W[ee]))";
    (void)state;
    for (uint64_t max = 1; max <= 6; max++) {
        struct reading r = read_with(sgf, strlen(sgf), max, ARENA_NO_CAP, PLENTY);
        assert_true(r.good == (max >= 4));
        if (r.good)
            continue;
        static const size_t places[] = {0, 8, 12, 19};
        assert_int_equal(r.fault.offset, places[max]);
        assert_int_equal(r.fault.code, FAULT_LENGTH);
        assert_int_not_equal(r.fault.code, FAULT_SYNTAX);
    }
    assert_true(read_with(sgf, strlen(sgf), UINT64_MAX, ARENA_NO_CAP, PLENTY).good);
    struct reading earlier = read_with("(;B[zz];W[aa])", 14, 1, ARENA_NO_CAP, PLENTY);
    assert_int_equal(earlier.fault.code, FAULT_RANGE);
    /* A change of the board counts as a move. */
    static const char changed[] = "(;B[aa];AB[aa]AW[bb];AE[cc];W[aa])";
    for (uint64_t max = 1; max <= 4; max++) {
        static const size_t places[] = {0, 8, 21, 28};
        struct reading r = read_with(changed, sizeof changed - 1, max, ARENA_NO_CAP, PLENTY);
        assert_true(r.good == (max == 4));
        if (!r.good)
            assert_true(r.fault.code == FAULT_LENGTH && r.fault.offset == places[max]);
    }
}

static void a_hundred_thousand_moves_are_read(void **state) {
    enum { MOVES = 100000 };
    char *sgf = malloc(6 * (MOVES + 1) + 3);
    assert_non_null(sgf);
    size_t used = 2;
    (void)state;
    memcpy(sgf, "(;", 2);
    for (int m = 0; m <= MOVES; m++) {
        char node[8];
        snprintf(node, sizeof node, ";%c[%c%c]", "BW"[m % 2], 'a' + m % 19, 'a' + m / 19 % 19);
        memcpy(sgf + used, node, 6);
        used += 6;
    }
    sgf[used] = ')';
    struct reading over = read_bytes(sgf, used + 1);
    assert_int_equal(over.fault.code, FAULT_LENGTH);
    assert_int_equal(over.fault.offset, used - 5);
    sgf[used - 6] = ')';
    struct reading exact = read_bytes(sgf, used - 5);
    assert_true(exact.good);
    assert_int_equal(exact.the_case.move_count, MOVES);
    free(sgf);
}

static void members_that_a_record_does_not_set_stay(void **state) {
    struct work work = {.left = PLENTY};
    struct reading r = {.the_case.asked = {.include = 5, .rules = {.ko = GO_KO_SIMPLE, .suicide = true}}};
    struct arena arena;
    (void)state;
    arena_init(&arena, ARENA_NO_CAP);
    read_game(&(struct sgf_record){"(;SZ[9]B[aa])", 13, false}, 1, MAX_MOVES, &arena, &work, &r);
    assert_true(r.good);
    assert_int_equal(r.the_case.asked.include, 5);
    assert_int_equal(r.the_case.asked.rules.ko, GO_KO_SIMPLE);
    assert_true(r.the_case.asked.rules.suicide);
    assert_int_equal(r.the_case.move_count, 1);
    arena_clear(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moves_are_those_of_the_nodes_in_order),
        cmocka_unit_test(a_pass_is_empty_or_tt_up_to_19),
        cmocka_unit_test(sizes_are_1_to_25_and_square),
        cmocka_unit_test(a_size_may_be_repeated_but_not_changed),
        cmocka_unit_test(the_size_is_read_at_any_place_in_the_root),
        cmocka_unit_test(set_up_stones_stand_where_they_are_put),
        cmocka_unit_test(rectangles_name_all_their_points),
        cmocka_unit_test(a_point_is_two_letters_on_the_board),
        cmocka_unit_test(a_long_value_is_quoted_in_part),
        cmocka_unit_test(moves_of_a_node_are_played_in_their_order),
        cmocka_unit_test(set_up_changes_the_board_at_its_place_in_the_record),
        cmocka_unit_test(the_place_of_a_change_is_its_first_property),
        cmocka_unit_test(another_game_than_go_is_refused),
        cmocka_unit_test(the_first_fault_of_the_record_is_reported),
        cmocka_unit_test(moves_are_limited),
        cmocka_unit_test(a_hundred_thousand_moves_are_read),
        cmocka_unit_test(members_that_a_record_does_not_set_stay),
    };
    return cmocka_run_group_tests_name("sgf", tests, NULL, NULL);
}
