/* SGF records: their syntax, and the deviations that are accepted. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "api/go/sgf_reading.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void records_of_old_programs_are_read(void **state) {
    (void)state;
    ALL_READ({"(GM[1]SZ[9];B[aa])", "9 Ba0"}, {"(B[aa];W[bb])", "19 Ba0 Wb1"}, {"( \nSiZe[5];Black[aa])", "5 Ba0"},
             {"(;B[aa](W[bb];B[cc])(W[dd]))", "19 Ba0 Wb1 Bc2"}, {"(;B[aa]()(;W[bb])( )(;W[cc]))", "19 Ba0 Wb1"},
             {"(;B[aa]();W[bb])", "19 Ba0 Wb1"}, {"(;B[aa]())", "19 Ba0"},
             {"(;B[aa](;W[bb]);W[cc];B[dd])", "19 Ba0 Wb1"}, {"(;B[aa]", "19 Ba0"}, {"(;B[aa] \n", "19 Ba0"},
             {"(;", "19"}, {"(;(;B[aa])", "19 Ba0"}, {"(;B[aa](;W[bb](;B[cc]", "19 Ba0 Wb1 Bc2"},
             {"(;B[aa](", "19 Ba0"}, {"(;B[aa](;W[bb])( ", "19 Ba0 Wb1"});
    ALL_REFUSED({"(;B[aa]()~[bb])", FAULT_SYNTAX, "this value has no property; its name is missing before '['"},
                {"(;B[aa](~()))", FAULT_SYNTAX, NULL}, {"(;(;)~B[aa])", FAULT_SYNTAX, NULL});
}

static void nodes_with_several_children_are_counted(void **state) {
    static const struct {
        const char *sgf;
        size_t variations;
    } records[] = {
        {"(;B[aa];W[bb])", 0},
        {"(;(;B[aa]))", 0},
        {"(;(;)(;))", 1},
        {"(;(;)(;)(;)(;))", 1},
        {"(;(;(;)(;))(;(;)(;)))", 3},
        {"(;(;;(;)(;)(;))(;))", 2},
        {"(;(;);)", 1},
        {"(;(;);;(;)(;))", 2},
        {"(;(;);(;);(;);)", 3},
        {"(;();)", 0},
        {"(;()(;)()(;))", 1},
        {"(;(;)();)", 1},
        {"(;(;)(", 0},
        {"(;(;)(;", 1},
        {"(;(;(;(;)(;", 1},
        {"(;)(;(;)(;))", 0},
    };
    (void)state;
    for (size_t i = 0; i < sizeof records / sizeof *records; i++) {
        struct reading r = read_bytes(records[i].sgf, strlen(records[i].sgf));
        assert_true(r.good);
        if (r.variations != records[i].variations)
            print_error("%s: %zu\n", records[i].sgf, r.variations);
        assert_int_equal(r.variations, records[i].variations);
    }
}

/* Check how many games a collection has, and how each is read. */
static void assert_collection(const char *sgf, const char *const *texts, size_t count) {
    struct arena arena;
    struct work work = {.left = PLENTY};
    struct sgf_record record = {sgf, strlen(sgf), false};
    struct sgf_survey all;
    struct sgf_fault fault;
    bool good;
    arena_init(&arena, ARENA_NO_CAP);
    assert_int_equal(sgf_survey(&record, 0, count, &arena, &work, &all, &good, &fault), OUTCOME_DONE);
    assert_true(good);
    assert_int_equal(all.games, count);
    assert_int_equal(all.kept_count, count);
    for (size_t k = 0; k < count; k++) {
        struct reading r = {0};
        read_game(&record, k + 1, MAX_MOVES, &arena, &work, &r);
        assert_true(r.good && r.games == count);
        describe(&r.the_case, r.text, sizeof r.text);
        assert_string_equal(r.text, texts[k]);
        struct fault_line line = fault_find_line(sgf, all.kept[k].begin, (struct fault_line){1, 1});
        assert_int_equal(all.kept[k].line.line, line.line);
        assert_int_equal(all.kept[k].line.column, line.column);
        struct go_case again = {0};
        assert_int_equal(sgf_read_game(&record, &all.kept[k], MAX_MOVES, &arena, &work, &again, &good, &fault),
                         OUTCOME_DONE);
        describe(&again, r.text, sizeof r.text);
        assert_true(good);
        assert_string_equal(r.text, texts[k]);
    }
    assert_int_equal(sgf_survey(&record, count + 1, 0, &arena, &work, &all, &good, &fault), OUTCOME_DONE);
    assert_true(good && all.games == count && all.kept_count == 0);
    if (count > 1) {
        assert_int_equal(sgf_survey(&record, 0, count - 1, &arena, &work, &all, &good, &fault), OUTCOME_DONE);
        assert_true(!good && fault.code == FAULT_LENGTH && sgf[fault.offset] == '(');
    }
    arena_clear(&arena);
}

#define COLLECTION(sgf, ...)                                                                                           \
    do {                                                                                                               \
        static const char *const texts[] = {__VA_ARGS__};                                                              \
        assert_collection(sgf, texts, sizeof texts / sizeof *texts);                                                   \
    } while (0)

static void every_game_of_a_collection_is_read_separately(void **state) {
    (void)state;
    COLLECTION("(;B[aa])", "19 Ba0");
    COLLECTION("(;B[aa])(;SZ[9];W[bb])", "19 Ba0", "9 Wb1");
    COLLECTION("From: (x)\r\n (;B[aa])\n\n-- next: (2)\n(SZ[9];W[bb](;B[cc])(;B[dd]))\r(;SZ[5]) the end", "19 Ba0",
               "9 Wb1 Bc2", "5");
    COLLECTION("(;CA[SJIS]C[\x95]];B[aa])(;CA[latin1]C[\x95];B[bb])(;CA[gbk]C[\x95\\];W[])", "19 Ba0", "19 Bb1",
               "19 W-");
    COLLECTION("(;B[aa])(;B[bb]", "19 Ba0", "19 Bb1");
    COLLECTION("(;)(;)(;)(;)(;)", "19", "19", "19", "19", "19");
}

static void syntax_is_checked_in_the_whole_collection(void **state) {
    (void)state;
    ALL_READ({"(;B[aa])(;B[zz]SZ[99]GM[3])", "19 Ba0"}, {"(;B[aa])(;)(x[])", "19 Ba0"});
    ALL_REFUSED({"(;B[aa])(;W~[", FAULT_SYNTAX, NULL}, {"(;B[zz])(;)(;~B)", FAULT_SYNTAX, NULL},
                {"(;B[aa])(;W[bb])(;C[a]~])", FAULT_SYNTAX,
                 "unexpected ']'; expected a property, a node or a variation (inside text, write ']' as '\\]')"});
}

static void the_main_line_is_the_first_child_at_each_branch(void **state) {
    (void)state;
    ALL_READ({"(;B[aa](;W[bb])(;W[cc]))", "19 Ba0 Wb1"},
             {"(;B[aa](;W[bb](;B[cc])(;B[dd]))(;W[ee];B[ff]))", "19 Ba0 Wb1 Bc2"}, {"(;(;(;(;B[aa]))))", "19 Ba0"},
             {"(;B[aa](;)(;W[bb]))", "19 Ba0"}, {"(;B[aa](;W[bb])(;W[zz]W[zz]AB[!]SZ[99]))", "19 Ba0 Wb1"},
             {"( ;B[aa] ( ;W[bb] ) ( ;W[cc] ) )", "19 Ba0 Wb1"});
}

static void text_around_the_first_game_is_skipped(void **state) {
    (void)state;
    ALL_READ({"\xef\xbb\xbf(;B[aa])", "19 Ba0"}, {"\xef\xbb\xbf\r\n(\n;B[aa])\r\n\x1a", "19 Ba0"},
             {"From: a (b) c\n\n( x; (((;B[aa])", "19 Ba0"}, {"(;B[aa])(;B[bb])", "19 Ba0"},
             {"(;B[aa])]])[(;", "19 Ba0"}, {"(see [1], (x[2]) and (B [3]) (;B[aa])", "19 Ba0"}, {"() (;)", "19"},
             {"Game 12 (PB[x]) (;SZ[9];B[aa])", "9 Ba0"}, {"{1} header\n(;SZ[9];B[aa])", "9 Ba0"},
             {"(C[;](KM[x];(1B[x](ABC[x](AB(B(BB[] (;B[aa])", "19 Ba0"});
    ALL_READ({"(B[aa])", "19 Ba0"}, {"( W[aa])", "19 Wa0"}, {"(AB[aa]SZ[1])", "1 /B"}, {"(AW[aa]SZ[1])", "1 /W"},
             {"(AE[aa]SZ[1])", "1"}, {"(SZ[1])", "1"}, {"(GM[1]SZ[1])", "1"}, {"(FF[4]SZ[1])", "1"},
             {"(RU[x]SZ[3]) (SZ[1])", "1"}, {"(CA[x]SZ[1])", "1"}, {"(SiZe[1])", "1"}, {"(;(PB[x]B[aa]))", "19 Ba0"});
    READS_BYTES("\0(\0;(\0(;B[aa])\0(;", "19 Ba0");
}

static void blanks_stand_between_all_pieces(void **state) {
    (void)state;
    ALL_READ({" ( \t\n;\r\n SZ \v [5] \f AB [aa]\n\r [bb] ; B\n[cc]\r(\n;\nW [dd]\r)\r) ",
              "5 Bc2 Wd3 /B....,.B...,.....,.....,....."});
}

static void escapes_and_line_ends_stay_inside_values(void **state) {
    (void)state;
    ALL_READ({"(;C[\\];B[zz\\]];B[aa])", "19 Ba0"}, {"(;C[\\\\];B[aa])", "19 Ba0"}, {"(;C[\\\\\\]];B[aa])", "19 Ba0"},
             {"(;C[a\\:b:c\\];\\)];B[aa])", "19 Ba0"}, {"(;C[(;[[[B(;W[];B[aa])", "19 Ba0"},
             {"(;C[a\nb\r\nc\n\rd\re\\\nf\\\r\ng\\\n\rh\\\ri\\\r];B[aa])", "19 Ba0"});
    READS_BYTES("(;CA[latin1]C[\0\\\0\xff\x80\\\xff\xc3];B[aa])", "19 Ba0");
}

static void old_names_lose_their_small_letters(void **state) {
    (void)state;
    ALL_READ(
        {"(;SiZe[5]AddBlack[ba]AddWhite[aa]AddEmpty[ba];Black[cc];White[])", "5 Bc2 W- /W....,.....,.....,.....,....."},
        {"(;FileFormat[3]GaMe[1]SiZe[9]\n;Black[aa]\n;White[bb])", "9 Ba0 Wb1"}, {"(;aBa[aa])", "19 Ba0"},
        {"(;SZ2[7]B1[zz]BL[zz]BB[zz]ABC[zz]KGSDE[zz]SIZE[4]Z[1]S[2];B[aa])", "19 Ba0"});
    ALL_REFUSED({"(;~black[aa])", FAULT_SYNTAX,
                 "'black' is not a property; a property name needs a capital letter (inside text, write ']' as '\\]')"},
                {"(;B[aa]~c[x])", FAULT_SYNTAX, NULL}, {"(;~sz", FAULT_SYNTAX, NULL});
}

static void other_properties_are_skipped(void **state) {
    (void)state;
    ALL_READ({"(;FF[4]GM[1]AP[CGoban:3]ST[2]RU[Japanese]KM[6.50]PW[a]PB[b]RE[W+R]TM[900]\n"
              ";B[pd]BL[898.9]MN[1]TR[aa][bb]LB[aa:1]VW[]DD[aa:ss]PL[W];W[dp]CR[zz])",
              "19 Bp3 Wd15"},
             {"(;PL[W]HA[99]KO[]KM[])", "19"});
}

static void a_broken_structure_is_malformed_at_its_place(void **state) {
    char long_name[400];
    (void)state;
    ALL_REFUSED(
        {"~", FAULT_SYNTAX, "no game found; an SGF record looks like \"(;SZ[19];B[pd];W[dp])\""},
        {"~(", FAULT_SYNTAX, NULL}, {"~( ", FAULT_SYNTAX, NULL}, {"~no game", FAULT_SYNTAX, NULL},
        {"~\xef\xbb\xbf", FAULT_SYNTAX, NULL}, {"~;B[aa]", FAULT_SYNTAX, NULL}, {"~(b[aa])", FAULT_SYNTAX, NULL},
        {"~(PB[x];B[aa])", FAULT_SYNTAX, NULL}, {"~(B)", FAULT_SYNTAX, NULL}, {"~()", FAULT_SYNTAX, NULL},
        {"~(((", FAULT_SYNTAX, NULL}, {"(;B~[aa", FAULT_SYNTAX, "the value that begins here has no closing ']'"},
        {"(;B~[", FAULT_SYNTAX, NULL}, {"(;C~[a\\])", FAULT_SYNTAX, NULL}, {"(;C~[a\\", FAULT_SYNTAX, NULL},
        {"(;C[a]~[\\", FAULT_SYNTAX, NULL},
        {"(;~[aa])", FAULT_SYNTAX, "this value has no property; its name is missing before '['"},
        {"(;B[aa];~[bb])", FAULT_SYNTAX, NULL},
        {"(;~B)", FAULT_SYNTAX, "the property 'B' has no value; values are in brackets, as in B[pd]"},
        {"(;~B W[aa])", FAULT_SYNTAX, NULL}, {"(;~A B[aa])", FAULT_SYNTAX, NULL}, {"(;~B", FAULT_SYNTAX, NULL},
        {"(;~Black ", FAULT_SYNTAX, NULL}, {"(;~B;W[aa])", FAULT_SYNTAX, NULL}, {"(;~B{aa})", FAULT_SYNTAX, NULL},
        {"(;B[aa]~])", FAULT_SYNTAX, NULL}, {"(;~1B[aa])", FAULT_SYNTAX, NULL}, {"(;B[aa]~,W[bb])", FAULT_SYNTAX, NULL},
        {"(;~\xc3\xa9[aa])", FAULT_SYNTAX, NULL}, {"(;~\xff)", FAULT_SYNTAX, NULL},
        {"(;~\xef\xbb\xbf)", FAULT_SYNTAX, NULL},
        {"(;B[aa](~]))", FAULT_SYNTAX, "unexpected ']' after '('; a variation begins with ';'"},
        {"(;(~(;)))", FAULT_SYNTAX, NULL},
        {"(;(;)~B[aa])", FAULT_SYNTAX, "unexpected 'B' after a variation; expected '(', ')' or ';'"},
        {"(;(;)~[aa])", FAULT_SYNTAX, NULL}, {"(;(;)~]", FAULT_SYNTAX, NULL});
    struct reading zero = read_bytes("(;\0)", 4);
    assert_true(zero.fault.code == FAULT_SYNTAX && zero.fault.offset == 2);
    snprintf(long_name, sizeof long_name, "(;%0300d", 0);
    memset(long_name + 2, 'K', 300);
    struct reading name = read_bytes(long_name, 302);
    assert_true(name.fault.code == FAULT_SYNTAX && name.fault.offset == 2);
    assert_string_equal(name.fault.detail,
                        "the property 'KKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKK...' has no value; values are "
                        "in brackets, as in B[pd]");
}

static void a_record_that_cannot_be_read_is_malformed_whatever_rule_it_breaks(void **state) {
    (void)state;
    ALL_REFUSED({"(;SZ[99]B[zz]B[zz]~1", FAULT_SYNTAX, NULL}, {"(;B[zz](;W[aa])(;~B))", FAULT_SYNTAX, NULL},
                {"(;SZ[99];C~[)", FAULT_SYNTAX, NULL}, {"(;B[aa](;~[zz]))", FAULT_SYNTAX, NULL});
}

static void depth_costs_nothing(void **state) {
    enum { DEEP = 1000000 };
    char *sgf = malloc(3 * DEEP + 8);
    (void)state;
    for (int i = 0; i < DEEP; i++) {
        memcpy(sgf + 2 * i, "(;", 2);
        sgf[2 * DEEP + i] = ')';
    }
    struct reading good =
        read_with(sgf, 3 * DEEP, MAX_MOVES, DEEP / 2, PLENTY); /* one bit for each level, in arrays that grow */
    assert_true(good.outcome == OUTCOME_DONE && good.good && good.variations == 0);
    struct reading open = read_bytes(sgf, 2 * DEEP - 1);
    assert_true(open.good && open.variations == 0);
    assert_int_equal(read_with(sgf, 3 * DEEP, MAX_MOVES, DEEP / 20, PLENTY).outcome, OUTCOME_NO_MEMORY);
    memset(sgf, '(', 3 * DEEP);
    struct reading none = read_bytes(sgf, 3 * DEEP);
    assert_true(none.fault.code == FAULT_SYNTAX && none.fault.offset == 0);
    memcpy(sgf + 3 * DEEP, ";B[aa])", 8);
    assert_string_equal(read_bytes(sgf, 3 * DEEP + 7).text, "19 Ba0");
    memset(sgf, ' ', 3 * DEEP);
    memcpy(sgf, "(;B[aa]", 7);
    assert_string_equal(read_bytes(sgf, 3 * DEEP).text, "19 Ba0");
    for (int i = 0; i < DEEP; i++)
        memcpy(sgf + 3 * i, "(;)", 3);
    assert_int_equal(read_bytes(sgf, 3 * DEEP).games, DEEP);
    for (int i = 0; i < DEEP; i++)
        memcpy(sgf + 3 * i, "( B", 3);
    assert_true(read_bytes(sgf, 3 * DEEP).fault.code == FAULT_SYNTAX);
    free(sgf);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(records_of_old_programs_are_read),
        cmocka_unit_test(nodes_with_several_children_are_counted),
        cmocka_unit_test(every_game_of_a_collection_is_read_separately),
        cmocka_unit_test(syntax_is_checked_in_the_whole_collection),
        cmocka_unit_test(the_main_line_is_the_first_child_at_each_branch),
        cmocka_unit_test(text_around_the_first_game_is_skipped),
        cmocka_unit_test(blanks_stand_between_all_pieces),
        cmocka_unit_test(escapes_and_line_ends_stay_inside_values),
        cmocka_unit_test(old_names_lose_their_small_letters),
        cmocka_unit_test(other_properties_are_skipped),
        cmocka_unit_test(a_broken_structure_is_malformed_at_its_place),
        cmocka_unit_test(a_record_that_cannot_be_read_is_malformed_whatever_rule_it_breaks),
        cmocka_unit_test(depth_costs_nothing),
    };
    return cmocka_run_group_tests_name("sgf", tests, NULL, NULL);
}
