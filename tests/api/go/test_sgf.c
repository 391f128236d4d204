/* SGF records: what is read, what is refused and where, and that no bytes at all do harm. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "api/go/sgf.h"

#include <iconv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One reading of a record. */
struct reading {
    enum work_outcome outcome;
    bool good;
    struct go_case the_case;
    struct sgf_fault fault;
    uint64_t units;  /* of work */
    char text[4096]; /* the case as "SIZE MOVES /SETUP": see describe */
};

enum { PLENTY = 1 << 30, MOST_MOVES = 100000 };

/* "9 Bc0 W- /B..,...,..." : size, moves as colour, column, row (or a dash), and the set-up's rows. As much as fits. */
static void describe(const struct go_case *c, char *text, size_t room) {
    size_t used = (size_t)snprintf(text, room, "%d", (int)c->size);
    for (uint32_t m = 0; m < c->move_count && used + 16 < room; m++) {
        const struct go_move *move = &c->moves[m];
        char color = move->color == GO_BLACK ? 'B' : move->color == GO_WHITE ? 'W' : '?';
        if (move->row == GO_PASS)
            used += (size_t)snprintf(text + used, room - used, " %c-", color);
        else
            used += (size_t)snprintf(text + used, room - used, " %c%c%u", color, 'a' + move->col, move->row);
    }
    if (c->setup == NULL || used + 800 > room)
        return;
    used += (size_t)snprintf(text + used, room - used, " /");
    for (int64_t point = 0; point < c->size * c->size; point++) {
        if (point != 0 && point % c->size == 0)
            text[used++] = ',';
        assert_true(c->setup[point] <= GO_WHITE);
        text[used++] = ".BW"[c->setup[point]];
    }
    text[used] = 0;
}

/* What holds of every answer, whatever the record. */
static void check_reading(const struct reading *r, size_t length, uint64_t most_moves) {
    const struct go_case *c = &r->the_case;
    if (r->outcome != WORK_DONE || !r->good) {
        assert_int_equal(c->size, 0);
        assert_null(c->setup);
        assert_null(c->moves);
        assert_int_equal(c->move_count, 0);
    }
    if (r->outcome == WORK_DONE && r->good) {
        assert_in_range(c->size, 1, GO_MAX_SIZE);
        assert_true(c->move_count <= most_moves);
        assert_true((c->moves == NULL) == (c->move_count == 0));
        for (uint32_t m = 0; m < c->move_count; m++) {
            assert_in_range(c->moves[m].color, GO_BLACK, GO_WHITE);
            assert_true(c->moves[m].row == GO_PASS || (c->moves[m].row < c->size && c->moves[m].col < c->size));
        }
    }
    if (r->outcome == WORK_DONE && !r->good) {
        assert_true(r->fault.offset <= length);
        assert_in_range(strnlen(r->fault.detail, sizeof r->fault.detail), 10, sizeof r->fault.detail - 1);
        assert_true(r->fault.malformed == (r->fault.code == FAULT_SYNTAX));
    }
}

/* Read a copy that ends where its block ends, so that a byte too far is seen by AddressSanitizer. */
static struct reading read_with(const char *sgf, size_t length, uint64_t most_moves, size_t cap, uint64_t units) {
    struct reading r = {0};
    struct arena arena;
    struct work work = {.left = units};
    char *copy = malloc(length != 0 ? length : 1);
    assert_non_null(copy);
    memcpy(copy, sgf, length);
    arena_init(&arena, cap);
    r.outcome = sgf_read(copy, length, SGF_AS_WRITTEN, most_moves, &arena, &work, &r.the_case, &r.good, &r.fault);
    assert_memory_equal(copy, sgf, length);
    free(copy);
    check_reading(&r, length, most_moves);
    if (r.outcome == WORK_DONE && r.good)
        describe(&r.the_case, r.text, sizeof r.text);
    r.units = units - work.left;
    arena_clear(&arena);
    return r;
}

static struct reading read_bytes(const char *sgf, size_t length) {
    return read_with(sgf, length, MOST_MOVES, ARENA_NO_CAP, PLENTY);
}

/* A record, and what it is read as. */
struct good {
    const char *sgf, *text;
};

static void assert_reads(const char *sgf, size_t length, const char *text) {
    struct reading r = read_bytes(sgf, length);
    assert_int_equal(r.outcome, WORK_DONE);
    if (!r.good)
        print_error("%s\n%zu: %s\n", sgf, r.fault.offset, r.fault.detail);
    assert_true(r.good);
    if (strcmp(r.text, text) != 0)
        print_error("%s\n", sgf);
    assert_string_equal(r.text, text);
}

static void assert_all_read(const struct good *records, size_t count) {
    for (size_t i = 0; i < count; i++)
        assert_reads(records[i].sgf, strlen(records[i].sgf), records[i].text);
}

/* A literal with zero bytes in it. */
#define READS_BYTES(literal, text) assert_reads(literal, sizeof literal - 1, text)

#define ALL_READ(...)                                                                                                  \
    do {                                                                                                               \
        static const struct good records[] = {__VA_ARGS__};                                                            \
        assert_all_read(records, sizeof records / sizeof *records);                                                    \
    } while (0)

/* A record with its fault, whose place a tilde marks (the tilde is taken out before). */
struct bad {
    const char *sgf;
    enum fault_code code;
    const char *detail; /* NULL: any */
};

static void assert_refused(const struct bad *b) {
    char copy[1024];
    const char *tilde = strchr(b->sgf, '~');
    assert_non_null(tilde);
    size_t offset = (size_t)(tilde - b->sgf), length = strlen(b->sgf) - 1;
    assert_true(length < sizeof copy);
    memcpy(copy, b->sgf, offset);
    memcpy(copy + offset, tilde + 1, length - offset);
    struct reading r = read_bytes(copy, length);
    assert_int_equal(r.outcome, WORK_DONE);
    if (r.good || r.fault.offset != offset || r.fault.code != b->code)
        print_error("%s: %s\n%zu: %d %s\n", b->sgf, r.good ? r.text : "", r.fault.offset, (int)r.fault.code,
                    r.fault.detail);
    assert_false(r.good);
    assert_int_equal(r.fault.offset, offset);
    assert_int_equal(r.fault.code, b->code);
    if (b->detail != NULL)
        assert_string_equal(r.fault.detail, b->detail);
}

static void assert_all_refused(const struct bad *records, size_t count) {
    for (size_t i = 0; i < count; i++)
        assert_refused(&records[i]);
}

#define ALL_REFUSED(...)                                                                                               \
    do {                                                                                                               \
        static const struct bad records[] = {__VA_ARGS__};                                                             \
        assert_all_refused(records, sizeof records / sizeof *records);                                                 \
    } while (0)

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
    ALL_READ({"(;SZ[+9])", "9"}, {"(;SZ[009])", "9"}, {"(;SZ[09:9])", "9"});
    ALL_REFUSED({"(;SZ[~0])", FAULT_RANGE, "size '0' is not from 1 to 25"}, {"(;SZ[~26])", FAULT_RANGE, NULL},
                {"(;SZ[~52:52])", FAULT_RANGE, NULL}, {"(;SZ[~4294967305])", FAULT_RANGE, NULL},
                {"(;SZ[~99999999999999999999999999999999999999999999999999])", FAULT_RANGE, NULL},
                {"(;SZ[~9:13])", FAULT_RANGE, "a board of '9:13' is not square"}, {"(;SZ[~9:0])", FAULT_RANGE, NULL},
                {"(;SZ[~])", FAULT_VALUE, "'' is no size of a board"}, {"(;SZ[~-9])", FAULT_VALUE, NULL},
                {"(;SZ[~nine])", FAULT_VALUE, NULL}, {"(;SZ[~9:])", FAULT_VALUE, NULL},
                {"(;SZ[~:9])", FAULT_VALUE, NULL}, {"(;SZ[~:])", FAULT_VALUE, NULL}, {"(;SZ[~+])", FAULT_VALUE, NULL},
                {"(;SZ[~9:9:9])", FAULT_VALUE, NULL}, {"(;SZ[~9\\:9])", FAULT_VALUE, NULL},
                {"(;SZ[~ 9])", FAULT_VALUE, NULL}, {"(;SZ[~9.0])", FAULT_VALUE, NULL});
}

static void a_size_may_be_repeated_but_not_changed(void **state) {
    (void)state;
    ALL_READ({"(;SZ[9]SZ[9])", "9"}, {"(;SZ[9][9:9])", "9"}, {"(;SZ[9];SZ[9]B[aa])", "9 Ba0"},
             {"(;SZ[9](;B[aa])(;SZ[13]))", "9 Ba0"}, {"(;;SZ[19])", "19"});
    ALL_REFUSED({"(;SZ[9]SZ[~13])", FAULT_CONFLICT, "size 13, where the game's board has size 9"},
                {"(;SZ[9][~13])", FAULT_CONFLICT, NULL}, {"(;SZ[9];SZ[~19])", FAULT_CONFLICT, NULL},
                {"(;;SZ[~9])", FAULT_CONFLICT, NULL}, {"(;SZ[9]SZ[~x])", FAULT_VALUE, NULL},
                {"(;SZ[9];SZ[~9:10])", FAULT_RANGE, NULL});
}

static void the_size_counts_wherever_in_the_root_it_stands(void **state) {
    (void)state;
    ALL_READ({"(;AB[cc]SZ[3])", "3 /...,...,..B"}, {"(;B[yy]SZ[25])", "25 By24"}, {"(;C[SZ[9\\]]SZ[5])", "5"});
    ALL_REFUSED({"(;AB[~dc]SZ[3])", FAULT_RANGE, "'dc' is not on a board of size 3"},
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
    ALL_REFUSED({"(;B[~a])", FAULT_VALUE, "'a' is no point of two letters"}, {"(;B[~aaa])", FAULT_VALUE, NULL},
                {"(;B[~a1])", FAULT_VALUE, NULL}, {"(;B[~Q16])", FAULT_VALUE, NULL}, {"(;B[~pass])", FAULT_VALUE, NULL},
                {"(;B[~ aa])", FAULT_VALUE, NULL}, {"(;B[~aa ])", FAULT_VALUE, NULL}, {"(;B[~ ])", FAULT_VALUE, NULL},
                {"(;B[~\\aa])", FAULT_VALUE, NULL},
                {"(;B[~\xe3\x81])", FAULT_VALUE,
                 "'?"
                 "?' is no point of two letters"},
                {"(;AB[~])", FAULT_VALUE, NULL}, {"(;AE[~])", FAULT_VALUE, NULL}, {"(;AW[aa][~b])", FAULT_VALUE, NULL},
                {"(;B[~ta])", FAULT_RANGE, "'ta' is not on a board of size 19"}, {"(;B[~at])", FAULT_RANGE, NULL},
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
    assert_true(strstr(r.fault.detail, "...' is no point of two letters") != NULL);
}

static void a_node_has_one_move(void **state) {
    (void)state;
    ALL_REFUSED({"(;B[aa]~W[bb])", FAULT_CONFLICT, "a second move in the same node"},
                {"(;B[aa]~B[aa])", FAULT_CONFLICT, NULL}, {"(;B[]C[x]~W[])", FAULT_CONFLICT, NULL},
                {"(;B[aa][~bb])", FAULT_CONFLICT, NULL}, {"(;W[] [~])", FAULT_CONFLICT, NULL},
                {"(;;W[aa]\n~Black[bb])", FAULT_CONFLICT, NULL});
}

static void set_up_comes_before_the_first_move(void **state) {
    (void)state;
    ALL_READ({"(;SZ[2]AB[aa];AW[bb]B[ab])", "2 Ba1 /B.,.W"}, {"(;SZ[2];AE[aa]B[])", "2 B-"},
             {"(;SZ[2];B[aa](;W[bb])(;AB[ab]))", "2 Ba0 Wb1"});
    ALL_REFUSED({"(;B[aa];~AB[bb])", FAULT_CONFLICT, "set-up after the first move"},
                {"(;B[aa]~AB[bb])", FAULT_CONFLICT, NULL}, {"(;W[];~AW[bb])", FAULT_CONFLICT, NULL},
                {"(;B[aa];~AE[bb])", FAULT_CONFLICT, NULL}, {"(;B[aa];;~AddBlack[zz])", FAULT_CONFLICT, NULL},
                {"(;B[aa](;~AE[bb])(;W[bb]))", FAULT_CONFLICT, NULL});
}

static void the_main_line_is_the_first_child_at_each_branch(void **state) {
    (void)state;
    ALL_READ({"(;B[aa](;W[bb])(;W[cc]))", "19 Ba0 Wb1"},
             {"(;B[aa](;W[bb](;B[cc])(;B[dd]))(;W[ee];B[ff]))", "19 Ba0 Wb1 Bc2"}, {"(;(;(;(;B[aa]))))", "19 Ba0"},
             {"(;B[aa](;)(;W[bb]))", "19 Ba0"}, {"(;B[aa](;W[bb])(;W[zz]W[zz]AB[!]SZ[99]))", "19 Ba0 Wb1"},
             {"( ;B[aa] ( ;W[bb] ) ( ;W[cc] ) )", "19 Ba0 Wb1"});
}

static void what_stands_around_the_first_game_is_skipped(void **state) {
    (void)state;
    ALL_READ({"\xef\xbb\xbf(;B[aa])", "19 Ba0"}, {"\xef\xbb\xbf\r\n(\n;B[aa])\r\n\x1a", "19 Ba0"},
             {"From: a (b) c\n\n( x; (((;B[aa])", "19 Ba0"}, {"(;B[aa])(;B[bb])", "19 Ba0"},
             {"(;B[aa])]])[(;", "19 Ba0"}, {"(B[cc](;B[aa])", "19 Ba0"}, {"() (;)", "19"});
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
    READS_BYTES("(;C[\0\\\0\xff\x80\\\xff\xc3];B[aa])", "19 Ba0");
}

static void old_names_lose_their_small_letters(void **state) {
    (void)state;
    ALL_READ(
        {"(;SiZe[5]AddBlack[ba]AddWhite[aa]AddEmpty[ba];Black[cc];White[])", "5 Bc2 W- /W....,.....,.....,.....,....."},
        {"(;FileFormat[3]GaMe[1]SiZe[9]\n;Black[aa]\n;White[bb])", "9 Ba0 Wb1"}, {"(;aBa[aa])", "19 Ba0"},
        {"(;SZ2[7]B1[zz]BL[zz]BB[zz]ABC[zz]KGSDE[zz]SIZE[4]Z[1]S[2];B[aa])", "19 Ba0"});
    ALL_REFUSED({"(;~black[aa])", FAULT_SYNTAX, "'black' is no property: no capital letter"},
                {"(;B[aa]~c[x])", FAULT_SYNTAX, NULL}, {"(;~sz", FAULT_SYNTAX, NULL});
}

static void other_properties_are_skipped(void **state) {
    (void)state;
    ALL_READ({"(;FF[4]GM[1]AP[CGoban:3]ST[2]RU[Japanese]KM[6.50]PW[a]PB[b]RE[W+R]TM[900]\n"
              ";B[pd]BL[898.9]MN[1]TR[aa][bb]LB[aa:1]VW[]DD[aa:ss]PL[W];W[dp]CR[zz])",
              "19 Bp3 Wd15"},
             {"(;GM[2]PL[W]HA[99]KO[]KM[])", "19"});
}

static void a_broken_structure_is_malformed_at_its_place(void **state) {
    char long_name[400];
    (void)state;
    ALL_REFUSED(
        {"~", FAULT_SYNTAX, "there is no game: nothing begins with \"(;\""}, {"~(", FAULT_SYNTAX, NULL},
        {"~( ", FAULT_SYNTAX, NULL}, {"~no game", FAULT_SYNTAX, NULL}, {"~\xef\xbb\xbf", FAULT_SYNTAX, NULL},
        {"~;B[aa]", FAULT_SYNTAX, NULL}, {"~(B[aa])", FAULT_SYNTAX, NULL}, {"~()", FAULT_SYNTAX, NULL},
        {"(;~", FAULT_SYNTAX, "the record ends inside the game: ')' is missing"}, {"(;B[aa]~", FAULT_SYNTAX, NULL},
        {"(;B[aa] \n~", FAULT_SYNTAX, NULL}, {"(;(;B[aa])~", FAULT_SYNTAX, NULL}, {"(;B[aa](~", FAULT_SYNTAX, NULL},
        {"(;B~[aa", FAULT_SYNTAX, "the value that begins here has no ']'"}, {"(;B~[", FAULT_SYNTAX, NULL},
        {"(;C~[a\\])", FAULT_SYNTAX, NULL}, {"(;C~[a\\", FAULT_SYNTAX, NULL}, {"(;C[a]~[\\", FAULT_SYNTAX, NULL},
        {"(;~[aa])", FAULT_SYNTAX, "a value without a property"}, {"(;B[aa];~[bb])", FAULT_SYNTAX, NULL},
        {"(;~B)", FAULT_SYNTAX, "the property 'B' has no value"}, {"(;~B W[aa])", FAULT_SYNTAX, NULL},
        {"(;~A B[aa])", FAULT_SYNTAX, NULL}, {"(;~B", FAULT_SYNTAX, NULL}, {"(;~Black ", FAULT_SYNTAX, NULL},
        {"(;~B;W[aa])", FAULT_SYNTAX, NULL}, {"(;~B{aa})", FAULT_SYNTAX, NULL},
        {"(;B[aa]~])", FAULT_SYNTAX, "']' where a property, a node or a variation is needed"},
        {"(;~1B[aa])", FAULT_SYNTAX, NULL}, {"(;B[aa]~,W[bb])", FAULT_SYNTAX, NULL},
        {"(;~\xc3\xa9[aa])", FAULT_SYNTAX, NULL}, {"(;~\xff)", FAULT_SYNTAX, NULL},
        {"(;~\xef\xbb\xbf)", FAULT_SYNTAX, NULL},
        {"(;B[aa](~))", FAULT_SYNTAX, "')' after '('; a variation begins with ';'"},
        {"(;B[aa](~W[bb]))", FAULT_SYNTAX, NULL}, {"(;(~(;)))", FAULT_SYNTAX, NULL},
        {"(;(;)~;B[aa])", FAULT_SYNTAX, "';' after a variation; only '(' or ')' may follow one"},
        {"(;(;)~B[aa])", FAULT_SYNTAX, NULL}, {"(;(;)~[aa])", FAULT_SYNTAX, NULL}, {"(;(;)~]", FAULT_SYNTAX, NULL});
    struct reading zero = read_bytes("(;\0)", 4);
    assert_true(zero.fault.malformed && zero.fault.offset == 2);
    snprintf(long_name, sizeof long_name, "(;%0300d", 0);
    memset(long_name + 2, 'K', 300);
    struct reading name = read_bytes(long_name, 302);
    assert_true(name.fault.malformed && name.fault.offset == 2);
    assert_string_equal(name.fault.detail, "the property 'KKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKK...' has no value");
}

static void what_cannot_be_read_is_never_called_not_allowed(void **state) {
    (void)state;
    ALL_REFUSED({"(;SZ[99]B[zz]B[zz]~", FAULT_SYNTAX, NULL}, {"(;B[zz](;W[aa])(;~B))", FAULT_SYNTAX, NULL},
                {"(;SZ[99];C~[)", FAULT_SYNTAX, NULL}, {"(;B[aa](;~[zz]))", FAULT_SYNTAX, NULL});
}

static void the_first_fault_of_the_record_is_told(void **state) {
    (void)state;
    ALL_REFUSED({"(;B[~zz];W[zz];AB[aa])", FAULT_RANGE, NULL}, {"(;B[aa]~W[zz])", FAULT_CONFLICT, NULL},
                {"(;AB[aa][~zz][x];B[aa]W[aa])", FAULT_RANGE, NULL});
}

static void moves_are_limited(void **state) {
    const char *sgf = "(;B[aa];W[];B[cc](;W[dd])(;W[ee]))";
    (void)state;
    for (uint64_t most = 1; most <= 6; most++) {
        struct reading r = read_with(sgf, strlen(sgf), most, ARENA_NO_CAP, PLENTY);
        assert_true(r.good == (most >= 4));
        if (r.good)
            continue;
        static const size_t places[] = {0, 8, 12, 19};
        assert_int_equal(r.fault.offset, places[most]);
        assert_int_equal(r.fault.code, FAULT_LENGTH);
        assert_false(r.fault.malformed);
    }
    assert_true(read_with(sgf, strlen(sgf), UINT64_MAX, ARENA_NO_CAP, PLENTY).good);
    struct reading earlier = read_with("(;B[zz];W[aa])", 14, 1, ARENA_NO_CAP, PLENTY);
    assert_int_equal(earlier.fault.code, FAULT_RANGE);
    struct reading setup = read_with("(;B[aa];AB[aa];W[aa])", 21, 1, ARENA_NO_CAP, PLENTY);
    assert_int_equal(setup.fault.code, FAULT_CONFLICT);
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

/* Is the value of a comment with these bytes read as one value, under this name of a character set? */
static bool reads_comment(const char *name, const unsigned char *bytes, size_t length) {
    char sgf[128];
    size_t used = (size_t)snprintf(sgf, sizeof sgf, "(;CA[%s]C[", name);
    memcpy(sgf + used, bytes, length);
    used += length;
    memcpy(sgf + used, "];B[aa])", 8);
    struct reading r = read_bytes(sgf, used + 8);
    return r.good && r.the_case.move_count == 1;
}

/* iconv knows which bytes are characters. */
static bool is_one_character(iconv_t descriptor, const unsigned char *bytes, size_t length) {
    char in[4], out[16];
    for (size_t part = 1; part <= length; part++) {
        char *from = in, *to = out;
        size_t left = part, room = sizeof out;
        memcpy(in, bytes, part);
        iconv(descriptor, NULL, NULL, NULL, NULL);
        size_t result = iconv(descriptor, &from, &left, &to, &room);
        /* Big5-HKSCS holds a letter back until it knows what follows. */
        bool whole = result != (size_t)-1 && left == 0;
        if (whole != (part == length))
            return false;
    }
    return true;
}

static void no_character_ends_or_escapes_a_value(void **state) {
    static const struct {
        const char *name, *iconv;
        unsigned special; /* how many characters have ']' or '\' for a second byte */
    } sets[] = {
        {"GB18030", "GB18030", 200},       {"GBK", "GBK", 150},        {"GB2312", "GBK", 150},
        {"CP936", "CP936", 150},           {"Big5", "BIG5", 100},      {"BIG5", "CP950", 100},
        {"big5-hkscs", "BIG5-HKSCS", 150}, {"Shift_JIS", "CP932", 80}, {"SJIS", "SHIFT_JIS", 70},
    };
    (void)state;
    for (size_t s = 0; s < sizeof sets / sizeof *sets; s++) {
        iconv_t descriptor = iconv_open("UTF-8", sets[s].iconv);
        if (descriptor == (iconv_t)-1) {
            print_message("no %s here\n", sets[s].iconv);
            continue;
        }
        unsigned special = 0, all = 0;
        for (unsigned lead = 0x80; lead <= 0xff; lead++) {
            unsigned char one[1] = {(unsigned char)lead};
            if (is_one_character(descriptor, one, 1))
                assert_true(reads_comment(sets[s].name, one, 1));
            for (unsigned trail = 0x30; trail <= 0xff; trail++) {
                unsigned char two[2] = {(unsigned char)lead, (unsigned char)trail};
                if (!is_one_character(descriptor, two, 2))
                    continue;
                all++;
                special += trail == '\\' || trail == ']';
                if (!reads_comment(sets[s].name, two, 2))
                    print_error("%s %02x %02x\n", sets[s].name, lead, trail);
                assert_true(reads_comment(sets[s].name, two, 2));
                if (trail == ']' || trail == '\\')
                    assert_false(reads_comment("UTF-8", two, 2) && reads_comment("x", two, 2));
            }
        }
        iconv_close(descriptor);
        assert_true(all > 6000);
        assert_true(special >= sets[s].special);
    }
}

static void gb18030_has_characters_of_four_bytes(void **state) {
    iconv_t descriptor = iconv_open("UTF-8", "GB18030");
    unsigned all = 0;
    (void)state;
    if (descriptor == (iconv_t)-1)
        skip();
    for (unsigned first = 0x81; first <= 0xfe; first++)
        for (unsigned second = '0'; second <= '9'; second++)
            for (unsigned third = 0x81; third <= 0xfe; third += 25)
                for (unsigned fourth = '0'; fourth <= '9'; fourth++) {
                    unsigned char four[4] = {(unsigned char)first, (unsigned char)second, (unsigned char)third,
                                             (unsigned char)fourth};
                    if (!is_one_character(descriptor, four, 4))
                        continue;
                    all++;
                    assert_true(reads_comment("GB18030", four, 4));
                }
    iconv_close(descriptor);
    assert_true(all > 1000);
}

static void without_such_a_set_bytes_are_bytes(void **state) {
    static const char *const names[] = {"UTF-8",
                                        "ISO-8859-1",
                                        "Latin1",
                                        "EUC-JP",
                                        "",
                                        "Big",
                                        "BIG5X",
                                        "GB",
                                        "windows1252",
                                        "Shift",
                                        "]JIS",
                                        " ",
                                        "gb 18030 of no known kind"};
    (void)state;
    for (size_t n = 0; n < sizeof names / sizeof *names; n++)
        for (unsigned lead = 0; lead <= 0xff; lead++) {
            unsigned char ends[2] = {(unsigned char)lead, ']'}, escapes[3] = {(unsigned char)lead, '\\', ']'};
            if (names[n][0] == ']' || lead == '\\' || lead == ']')
                continue;
            assert_false(reads_comment(names[n], ends, 2));
            assert_true(reads_comment(names[n], ends, 1));
            assert_true(reads_comment(names[n], escapes, 3));
        }
}

static void names_of_sets_are_known_by_many_spellings(void **state) {
    static const char *const names[] = {
        "GB18030",    "gb18030",   "GB-18030",   "gb_18030",  "GBK",         "gb2312",    "GB_2312",     "GB-2312",
        "GB_2312-80", "x-gbk",     "EUC-CN",     "cp936",     "CP-936",      "MS936",     "Windows-936", "Big5",
        "BIG-5",      "big5",      "Big_5",      "x-x-big5",  "csBig5",      "CN-Big5",   "CP950",       "windows-950",
        "Big5-HKSCS", "Big5-ETEN", "Shift_JIS",  "SHIFT-JIS", "ShiftJIS",    "shift_jis", "SJIS",        "S-JIS",
        "x-sjis",     "MS_Kanji",  "csShiftJIS", "CP932",     "Windows-31J", "MS932",     " Big5 ",      "shift jis\n"};
    (void)state;
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        assert_true(reads_comment(names[n], (const unsigned char *)"\x95\x5d", 2));
        assert_true(reads_comment(names[n], (const unsigned char *)"\x95\x5c", 2));
        /* An escaped character is escaped whole, and what is no character is bytes. */
        assert_true(reads_comment(names[n], (const unsigned char *)"\\\x95\x5d", 3));
        assert_false(reads_comment(names[n], (const unsigned char *)"\x95\x20\x5d", 3));
        assert_false(reads_comment(names[n], (const unsigned char *)"\xff\x5d", 2));
        assert_true(reads_comment(names[n], (const unsigned char *)"\x95", 1) == false);
    }
    /* 0x85 is a second byte in GBK only; in Big5 it begins the next character. */
    assert_false(reads_comment("GBK", (const unsigned char *)"\x95\x85\x5d", 3));
    assert_true(reads_comment("Big5", (const unsigned char *)"\x95\x85\x5d", 3));
    /* Halfwidth katakana are characters of one byte. */
    assert_true(reads_comment("Shift_JIS", (const unsigned char *)"\xb1", 1));
    assert_false(reads_comment("Shift_JIS", (const unsigned char *)"\xb1\x5d", 2));
}

static void the_roots_ca_holds_from_there_on(void **state) {
    (void)state;
    ALL_READ({"(;C[\x95]CA[SJIS]GC[\x95]];C[\x95\\];B[aa])", "19 Ba0"},  /* before it: a byte */
             {"(;CA[SJIS]C[\x95]]CA[UTF-8]N[\x95];B[aa])", "19 Ba0"},    /* the last one counts */
             {"(;CA[SJIS][x]C[\x95];B[aa])", "19 Ba0"},                  /* of several values too */
             {"(;CA[SJIS];CA[UTF-8]C[\x95]];B[aa])", "19 Ba0"},          /* only the root's */
             {"(;;CA[SJIS]C[\x95];B[aa])", "19 Ba0"},                    /* only the root's */
             {"(;CA[SJIS](;C[\x95]])(;C[\x95\\](;C[\x95]])))", "19"},    /* in variations too */
             {"(;ChAracter[x]CharAcset[SJIS]C[\x95]];B[aa])", "19 Ba0"}, /* in old names too */
             {"(;CA[UTF-8]C[\xe3\x81\x82\\]\xf0\x9f\x98\x80];B[aa])", "19 Ba0"});
}

static const char famous[] = "\xef\xbb\xbf"
                             "(;FF[4]GM[1]CA[Shift_JIS]AB[dd:ee][pp]C[\x95\\ \\] \x95] (;]SZ[19]\r\n"
                             ";AW[aa]AE[dd]\n;B[qd]C[x\\\\];White[](;B[tt];W[ab](;B[ss])(;B[rr]))(;B[cc]C[;\\]]))";

static void every_prefix_of_a_record_is_refused(void **state) {
    size_t length = sizeof famous - 1;
    (void)state;
    for (size_t l = 0; l < length; l++) {
        struct reading r = read_bytes(famous, l);
        assert_int_equal(r.outcome, WORK_DONE);
        assert_false(r.good);
        assert_true(r.fault.malformed);
    }
    struct reading r = read_bytes(famous, length);
    assert_true(r.good);
    assert_int_equal(r.the_case.move_count, 5);
    /* And what is cut off in front leaves a game within the game, or none. */
    for (size_t l = 0; l <= length; l++)
        read_bytes(famous + l, length - l);
}

/* A fixed sequence of numbers (xorshift). */
static uint32_t draw(uint64_t *seed, uint32_t below) {
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return (uint32_t)((*seed >> 32) % below);
}

/* Change some bytes of a record in place: flips, exchanges for marks that matter, moved and doubled stretches. */
static size_t mutate(char *sgf, size_t length, uint64_t *seed) {
    static const char marks[] = "()[];\\:BWSZCAE atz19\0\x81\xff\n\r";
    for (uint32_t changes = 1 + draw(seed, 3); changes > 0 && length > 2; changes--) {
        size_t at = draw(seed, (uint32_t)length);
        size_t to = draw(seed, (uint32_t)length), most = length - (at > to ? at : to);
        switch (draw(seed, 4)) {
        case 0:
            sgf[at] = (char)(sgf[at] ^ (1 << draw(seed, 8)));
            break;
        case 1:
            sgf[at] = marks[draw(seed, sizeof marks)];
            break;
        case 2:
            memmove(sgf + to, sgf + at, draw(seed, (uint32_t)most + 1));
            break;
        default:
            memmove(sgf + at, sgf + at + 1, --length - at);
            break;
        }
    }
    return length;
}

static void mutated_records_do_no_harm(void **state) {
    static const char *const seeds[] = {
        famous,
        "(;SZ[3]AB[aa:cc]AE[bb];B[bb];W[tt](;B[aa])(;W[ab]))",
        "(;CA[GB18030]PW[\x81\x30\x81\x30\x81]\x81\\]SZ[25:25]AW[yy]\n(;B[aa];W[](;B[bb];W[cc])(;B[]))(;B[dd]))",
        "(;Ca[Big5]SiZe[9]C[\xa4]\\]\xa4\\];Black[aa];White[bb]AddBlack[cc])",
        "(;(;(;(;B[aa](;W[bb])(;W[cc](;B[dd]))))))",
    };
    unsigned good = 0, malformed = 0, refused = 0;
    uint64_t seed = 20240717;
    (void)state;
    for (unsigned round = 0; round < 200000; round++) {
        const char *from = seeds[round % (sizeof seeds / sizeof *seeds)];
        char sgf[sizeof famous + 200];
        size_t length = strlen(from);
        memcpy(sgf, from, length);
        length = mutate(sgf, length, &seed);
        struct reading r = read_bytes(sgf, length);
        assert_int_equal(r.outcome, WORK_DONE);
        good += r.good;
        malformed += !r.good && r.fault.malformed;
        refused += !r.good && !r.fault.malformed;
    }
    assert_true(good > 20000);
    assert_true(malformed > 20000);
    assert_true(refused > 5000);
}

/* A record as it grows. */
struct writer {
    char text[1 << 14];
    size_t used;
    uint64_t seed;
    bool old; /* names with small letters */
};

static void put(struct writer *w, const char *piece) {
    static const char *const blanks[] = {"", "", "", "", "", " ", "\n", "\r\n", "\t \n\r", "\v\f"};
    w->used += (size_t)snprintf(w->text + w->used, sizeof w->text - w->used, "%s%s",
                                blanks[draw(&w->seed, sizeof blanks / sizeof *blanks)], piece);
}

static void put_name(struct writer *w, const char *name, const char *old) { put(w, w->old ? old : name); }

/* Something that has no meaning, sometimes. */
static void put_noise(struct writer *w) {
    static const char *const noise[] = {
        "C[;B[zz\\]\\\\]", "N[\xe3\x81\x82]",    "KM[6.5]", "LB[aa:(][bb:)]", "TR[aa] [bb]",
        "BL[900]",         "XyZ[\\\n\\]\\\r\n]", "B2[zz]",  "PC[\\\\\\\\]",   "AN[][][]"};
    for (uint32_t n = draw(&w->seed, 3); n > 0; n--)
        put(w, noise[draw(&w->seed, sizeof noise / sizeof *noise)]);
}

/* Variations that are not the main line, with faults that only a main line has. */
static void put_variations(struct writer *w, unsigned depth) {
    for (uint32_t n = draw(&w->seed, 3); n > 0 && depth < 3; n--) {
        put(w, "(");
        for (uint32_t nodes = 1 + draw(&w->seed, 3); nodes > 0; nodes--) {
            put(w, ";");
            put(w, draw(&w->seed, 2) == 0 ? "B[zz]W[!]AB[]" : "SZ[77]W[aa][bb]");
            put_noise(w);
        }
        put_variations(w, depth + 1);
        put(w, ")");
    }
}

/* One random record, and the case it must give as describe() writes it. */
static void write_game(struct writer *w, char *expected, size_t room) {
    unsigned size = 1 + draw(&w->seed, 25), open = 1;
    struct go_case c = {.size = size};
    uint8_t setup[GO_MAX_SIZE * GO_MAX_SIZE] = {0};
    struct go_move moves[64];
    char piece[64];
    bool late = draw(&w->seed, 2) == 0;
    put(w, "(");
    put(w, ";");
    snprintf(piece, sizeof piece, draw(&w->seed, 2) == 0 ? "[%u]" : "[%u:%u]", size, size);
    if (!late) {
        put_name(w, "SZ", "SiZe");
        put(w, piece);
    }
    for (uint32_t n = draw(&w->seed, 6); n > 0; n--) {
        static const char *const names[] = {"AE", "AB", "AW"}, *const old[] = {"AddEmpty", "AddBlack", "AddWhite"};
        uint8_t color = (uint8_t)draw(&w->seed, 3);
        put_noise(w);
        if (n == 1 && late) {
            put_name(w, "SZ", "SZize");
            put(w, piece);
            late = false;
        }
        put_name(w, names[color], old[color]);
        for (uint32_t values = 1 + draw(&w->seed, 3); values > 0; values--) {
            unsigned row = draw(&w->seed, size), col = draw(&w->seed, size);
            unsigned down = row + draw(&w->seed, size - row), right = col + draw(&w->seed, size - col);
            char value[16];
            if (draw(&w->seed, 2) == 0) {
                down = row;
                right = col;
                snprintf(value, sizeof value, "[%c%c]", 'a' + col, 'a' + row);
            } else {
                snprintf(value, sizeof value, "[%c%c:%c%c]", 'a' + col, 'a' + row, 'a' + right, 'a' + down);
            }
            put(w, value);
            if (color != GO_EMPTY)
                c.setup = setup;
            for (unsigned r = row; r <= down; r++)
                for (unsigned k = col; k <= right; k++)
                    setup[r * size + k] = color;
        }
        if (!late && draw(&w->seed, 4) == 0)
            put(w, ";");
    }
    if (late) {
        put_name(w, "SZ", "SZ");
        put(w, piece);
    }
    for (uint32_t n = draw(&w->seed, 60); n > 0; n--) {
        struct go_move *to = &moves[c.move_count++];
        bool pass = draw(&w->seed, 8) == 0;
        *to = (struct go_move){(uint8_t)(1 + draw(&w->seed, 2)), (uint8_t)draw(&w->seed, size),
                               (uint8_t)draw(&w->seed, size)};
        if (draw(&w->seed, 10) == 0) {
            put(w, "(");
            open++;
        }
        put(w, ";");
        put_noise(w);
        put_name(w, to->color == GO_BLACK ? "B" : "W", to->color == GO_BLACK ? "Black" : "White");
        snprintf(piece, sizeof piece, "[%c%c]", 'a' + to->col, 'a' + to->row);
        put(w, !pass ? piece : size <= 19 && draw(&w->seed, 2) == 0 ? "[tt]" : "[]");
        if (pass)
            to->row = GO_PASS;
        put_noise(w);
    }
    for (; open > 0; open--) {
        put(w, ")");
        if (open > 1)
            put_variations(w, 0);
    }
    c.moves = moves;
    describe(&c, expected, room);
}

static void random_games_are_read_as_they_were_written(void **state) {
    uint64_t seed = 19;
    (void)state;
    for (unsigned round = 0; round < 20000; round++) {
        struct writer w = {.seed = seed + round * 0x9e3779b97f4a7c15u, .old = round % 3 == 0};
        char expected[4096];
        write_game(&w, expected, sizeof expected);
        assert_true(w.used + 100 < sizeof w.text);
        assert_reads(w.text, w.used, expected);
    }
}

static void depth_costs_nothing(void **state) {
    enum { DEEP = 1000000 };
    char *sgf = malloc(3 * DEEP + 8);
    (void)state;
    for (int i = 0; i < DEEP; i++) {
        memcpy(sgf + 2 * i, "(;", 2);
        sgf[2 * DEEP + i] = ')';
    }
    struct reading good = read_with(sgf, 3 * DEEP, MOST_MOVES, 0, PLENTY);
    assert_true(good.outcome == WORK_DONE && good.good);
    struct reading bad = read_bytes(sgf, 3 * DEEP - 1);
    assert_true(bad.fault.malformed && bad.fault.offset == 3 * DEEP - 1);
    memset(sgf, '(', 3 * DEEP);
    struct reading open = read_bytes(sgf, 3 * DEEP);
    assert_true(open.fault.malformed && open.fault.offset == 0);
    memcpy(sgf + 3 * DEEP, ";B[aa])", 8);
    assert_string_equal(read_bytes(sgf, 3 * DEEP + 7).text, "19 Ba0");
    memset(sgf, ' ', 3 * DEEP);
    memcpy(sgf, "(;B[aa]", 7);
    assert_true(read_bytes(sgf, 3 * DEEP).fault.offset == 3 * DEEP);
    free(sgf);
}

static void a_long_comment_is_passed(void **state) {
    enum { LONG = 5000000 };
    static const char *const names[] = {"UTF-8", "GB18030", "Big5", "Shift_JIS"};
    char *sgf = malloc(LONG + 64);
    (void)state;
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        uint64_t seed = 5;
        size_t used = (size_t)snprintf(sgf, 64, "(;CA[%s]C[", names[n]);
        for (int i = 0; i < LONG; i++) {
            char c = (char)draw(&seed, 256);
            sgf[used++] = c == ']' || c == '\\' ? 'x' : c;
        }
        memcpy(sgf + used, "xx];B[aa])", 11);
        assert_string_equal(read_bytes(sgf, used + 10).text, "19 Ba0");
        assert_true(read_bytes(sgf, used).fault.malformed);
    }
    free(sgf);
}

static void every_cap_on_memory_gives_none_or_the_answer(void **state) {
    size_t length = sizeof famous - 1;
    struct reading right = read_bytes(famous, length);
    unsigned without = 0;
    (void)state;
    for (size_t cap = 0; cap < 1000; cap++) {
        struct reading r = read_with(famous, length, MOST_MOVES, cap, PLENTY);
        assert_true(r.outcome == WORK_DONE || r.outcome == WORK_NO_MEMORY);
        if (r.outcome == WORK_DONE)
            assert_string_equal(r.text, right.text);
        without += r.outcome == WORK_NO_MEMORY;
    }
    assert_in_range(without, 361, 400); /* the set-up, and five moves */
    assert_int_equal(read_with("(;B[aa])", 8, MOST_MOVES, 0, PLENTY).outcome, WORK_NO_MEMORY);
    assert_int_equal(read_with("(;AB[aa])", 9, MOST_MOVES, 0, PLENTY).outcome, WORK_NO_MEMORY);
    assert_int_equal(read_with("(;AE[aa])", 9, MOST_MOVES, 0, PLENTY).outcome, WORK_DONE);
    assert_int_equal(read_with("(;B[aa]", 7, MOST_MOVES, 0, PLENTY).outcome, WORK_DONE);
}

static void every_amount_of_work_is_too_little_or_enough(void **state) {
    size_t length = sizeof famous - 1;
    struct reading right = read_bytes(famous, length);
    (void)state;
    for (uint64_t units = 0; units < right.units + 10; units++) {
        struct reading r = read_with(famous, length, MOST_MOVES, ARENA_NO_CAP, units);
        assert_int_equal(r.outcome, units < right.units ? WORK_EXHAUSTED : WORK_DONE);
        if (r.outcome == WORK_DONE)
            assert_string_equal(r.text, right.text);
    }
}

static void rectangles_are_paid_for(void **state) {
    char sgf[8 * 1000 + 16] = "(;SZ[25]AB";
    size_t used = strlen(sgf);
    (void)state;
    for (int i = 0; i < 1000; i++, used += 7)
        memcpy(sgf + used, "[aa:yy]", 7);
    sgf[used++] = ')';
    struct reading r = read_bytes(sgf, used);
    assert_true(r.good);
    assert_true(r.units > 25 * 1000);
}

static void length_and_moves_are_paid_for(void **state) {
    char sgf[6004];
    (void)state;
    memset(sgf, ' ', sizeof sgf);
    memcpy(sgf, "(;", 2);
    sgf[6003] = ')';
    uint64_t blanks = read_bytes(sgf, sizeof sgf).units;
    assert_in_range(blanks, sizeof sgf / 4, sizeof sgf);
    for (int m = 0; m < 1000; m++)
        memcpy(sgf + 2 + 6 * m, "B[aa];", 6);
    struct reading r = read_bytes(sgf, sizeof sgf);
    assert_int_equal(r.the_case.move_count, 1000);
    assert_true(r.units >= blanks + 1000 / 4);
    assert_int_equal(read_with(sgf, sizeof sgf, MOST_MOVES, 0, blanks - 100).outcome, WORK_EXHAUSTED);
}

static void the_stop_flag_ends_a_reading(void **state) {
    atomic_bool stop = true;
    struct work work = {.left = WORK_UNBOUNDED, .stop = &stop};
    struct go_case the_case = {0};
    struct sgf_fault fault;
    struct arena arena;
    bool good;
    (void)state;
    arena_init(&arena, ARENA_NO_CAP);
    assert_int_equal(sgf_read("(;)", 3, SGF_AS_WRITTEN, MOST_MOVES, &arena, &work, &the_case, &good, &fault),
                     WORK_EXHAUSTED);
    arena_clear(&arena);
}

static void what_is_not_the_records_is_left_alone(void **state) {
    struct work work = {.left = PLENTY};
    struct go_case the_case = {.include = 5, .rules = {.ko = GO_KO_SIMPLE, .suicide = true}};
    struct sgf_fault fault;
    struct arena arena;
    bool good;
    (void)state;
    arena_init(&arena, ARENA_NO_CAP);
    assert_int_equal(sgf_read("(;SZ[9]B[aa])", 13, SGF_AS_WRITTEN, MOST_MOVES, &arena, &work, &the_case, &good, &fault),
                     WORK_DONE);
    assert_true(good);
    assert_int_equal(the_case.include, 5);
    assert_int_equal(the_case.rules.ko, GO_KO_SIMPLE);
    assert_true(the_case.rules.suicide);
    assert_int_equal(the_case.move_count, 1);
    arena_clear(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moves_are_those_of_the_nodes_in_order),
        cmocka_unit_test(a_pass_is_empty_or_tt_up_to_19),
        cmocka_unit_test(sizes_are_1_to_25_and_square),
        cmocka_unit_test(a_size_may_be_repeated_but_not_changed),
        cmocka_unit_test(the_size_counts_wherever_in_the_root_it_stands),
        cmocka_unit_test(set_up_stones_stand_where_they_are_put),
        cmocka_unit_test(rectangles_name_all_their_points),
        cmocka_unit_test(a_point_is_two_letters_on_the_board),
        cmocka_unit_test(a_long_value_is_quoted_in_part),
        cmocka_unit_test(a_node_has_one_move),
        cmocka_unit_test(set_up_comes_before_the_first_move),
        cmocka_unit_test(the_main_line_is_the_first_child_at_each_branch),
        cmocka_unit_test(what_stands_around_the_first_game_is_skipped),
        cmocka_unit_test(blanks_stand_between_all_pieces),
        cmocka_unit_test(escapes_and_line_ends_stay_inside_values),
        cmocka_unit_test(old_names_lose_their_small_letters),
        cmocka_unit_test(other_properties_are_skipped),
        cmocka_unit_test(a_broken_structure_is_malformed_at_its_place),
        cmocka_unit_test(what_cannot_be_read_is_never_called_not_allowed),
        cmocka_unit_test(the_first_fault_of_the_record_is_told),
        cmocka_unit_test(moves_are_limited),
        cmocka_unit_test(a_hundred_thousand_moves_are_read),
        cmocka_unit_test(no_character_ends_or_escapes_a_value),
        cmocka_unit_test(gb18030_has_characters_of_four_bytes),
        cmocka_unit_test(without_such_a_set_bytes_are_bytes),
        cmocka_unit_test(names_of_sets_are_known_by_many_spellings),
        cmocka_unit_test(the_roots_ca_holds_from_there_on),
        cmocka_unit_test(every_prefix_of_a_record_is_refused),
        cmocka_unit_test(mutated_records_do_no_harm),
        cmocka_unit_test(random_games_are_read_as_they_were_written),
        cmocka_unit_test(depth_costs_nothing),
        cmocka_unit_test(a_long_comment_is_passed),
        cmocka_unit_test(every_cap_on_memory_gives_none_or_the_answer),
        cmocka_unit_test(every_amount_of_work_is_too_little_or_enough),
        cmocka_unit_test(rectangles_are_paid_for),
        cmocka_unit_test(length_and_moves_are_paid_for),
        cmocka_unit_test(the_stop_flag_ends_a_reading),
        cmocka_unit_test(what_is_not_the_records_is_left_alone),
    };
    return cmocka_run_group_tests_name("sgf", tests, NULL, NULL);
}
