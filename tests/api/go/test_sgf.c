/* SGF records: what is read, what is refused and where, and that no bytes at all do harm. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "api/go/sgf.h"
#include "api/go/sgf_charset.h"
#include "api/go/sgf_rules.h"

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
    uint64_t games;
    size_t variations;
    uint64_t units;  /* of work */
    char text[8192]; /* the case as "SIZE MOVES /SETUP": see describe */
};

enum { PLENTY = 1 << 30, MOST_MOVES = 100000 };

/* Append the changes after a move: " {Ba0-b1 Ec2-c2}", the edits by colour (E: empty) and corners. */
static size_t describe_changes(const struct go_case *c, uint32_t after, char *text, size_t used, size_t room) {
    for (uint32_t k = 0; k < c->change_count; k++) {
        size_t end = k + 1 < c->change_count ? c->changes[k + 1].first_edit : c->edit_count;
        if (c->changes[k].after != after)
            continue;
        for (size_t e = c->changes[k].first_edit; e < end && used + 32 < room; e++) {
            const struct go_edit *edit = &c->edits[e];
            used += (size_t)snprintf(text + used, room - used, "%s%c%c%u-%c%u",
                                     e == c->changes[k].first_edit ? " {" : " ", "EBW"[edit->color],
                                     'a' + edit->first_col, edit->first_row, 'a' + edit->last_col, edit->last_row);
        }
        text[used++] = '}';
        text[used] = 0;
    }
    return used;
}

/* "9 Bc0 W- /B..,...,..." : size, moves as colour, column, row (or a dash), and the set-up's rows; changes of the board
 * stand between the moves. As much as fits. */
static void describe(const struct go_case *c, char *text, size_t room) {
    size_t used = (size_t)snprintf(text, room, "%d", (int)c->size);
    for (uint32_t m = 0; m < c->move_count && used + 16 < room; m++) {
        const struct go_move *move = &c->moves[m];
        char color = move->color == GO_BLACK ? 'B' : move->color == GO_WHITE ? 'W' : '?';
        if (move->row == GO_PASS)
            used += (size_t)snprintf(text + used, room - used, " %c-", color);
        else
            used += (size_t)snprintf(text + used, room - used, " %c%c%u", color, 'a' + move->col, move->row);
        used = describe_changes(c, m + 1, text, used, room);
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

/* That the changes are in order, and their edits on the board. */
static void check_changes(const struct go_case *c) {
    assert_true((c->changes == NULL) == (c->change_count == 0));
    for (uint32_t k = 0; k < c->change_count; k++) {
        assert_in_range(c->changes[k].after, k == 0 ? 1 : c->changes[k - 1].after, c->move_count);
        assert_true(c->changes[k].first_edit < c->edit_count);
        assert_true(k == 0 ? c->changes[0].first_edit == 0 : c->changes[k].first_edit > c->changes[k - 1].first_edit);
    }
    for (size_t e = 0; e < c->edit_count; e++) {
        const struct go_edit *edit = &c->edits[e];
        assert_true(edit->color <= GO_WHITE && edit->first_row <= edit->last_row && edit->first_col <= edit->last_col);
        assert_true(edit->last_row < c->size && edit->last_col < c->size);
    }
}

/* What holds of every answer, whatever the record. */
static void check_reading(const struct reading *r, size_t length, uint64_t most_moves) {
    const struct go_case *c = &r->the_case;
    if (r->outcome != WORK_DONE || !r->good) {
        assert_int_equal(c->size, 0);
        assert_null(c->setup);
        assert_null(c->moves);
        assert_int_equal(c->move_count + c->change_count, 0);
    }
    if (r->outcome == WORK_DONE && r->good) {
        assert_in_range(c->size, 1, GO_MAX_SIZE);
        assert_true(c->move_count + c->change_count <= most_moves);
        check_changes(c);
        assert_true((c->moves == NULL) == (c->move_count == 0));
        for (uint32_t m = 0; m < c->move_count; m++) {
            assert_in_range(c->moves[m].color, GO_BLACK, GO_WHITE);
            assert_true(c->moves[m].row == GO_PASS || (c->moves[m].row < c->size && c->moves[m].col < c->size));
        }
    }
    if (r->outcome == WORK_DONE && !r->good) {
        assert_true(r->fault.offset <= length);
        assert_in_range(strnlen(r->fault.detail, sizeof r->fault.detail), 10, sizeof r->fault.detail - 1);
        assert_true(r->fault.code < FAULT_CODES && r->fault.malformed == (r->fault.code == FAULT_SYNTAX));
    }
}

/* Read game `number` of a record, as a request would. */
static void read_game(const struct sgf_record *record, uint64_t number, uint64_t most_moves, struct arena *arena,
                      struct work *work, struct reading *r) {
    struct sgf_survey survey;
    r->outcome = sgf_survey(record, number, 0, arena, work, &survey, &r->good, &r->fault);
    if (r->outcome != WORK_DONE || !r->good)
        return;
    assert_int_equal(survey.kept_count, 1);
    const struct sgf_game *game = survey.kept;
    assert_true(game->begin < game->end && game->end <= record->length && record->text[game->begin] == '(');
    r->games = survey.games;
    r->variations = game->variations;
    r->good = false;
    r->outcome = sgf_read_game(record, game, most_moves, arena, work, &r->the_case, &r->good, &r->fault);
    assert_false(r->outcome == WORK_DONE && !r->good && r->fault.malformed);
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
    struct sgf_record record = {copy, length, SGF_AS_WRITTEN};
    read_game(&record, 1, most_moves, &arena, &work, &r);
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
    ALL_READ({"(;SZ[+9])", "9"}, {"(;SZ[009])", "9"}, {"(;SZ[09:9])", "9"}, {"(;SZ[ 9])", "9"}, {"(;SZ[9\n])", "9"},
             {"(;SZ[\t9 : 9 ])", "9"}, {"(;SZ[])", "19"}, {"(;SZ[ \r\n])", "19"}, {"(;SZ[]SZ[9])", "9"},
             {"(;SZ[9][])", "9"});
    ALL_REFUSED({"(;SZ[~0])", FAULT_RANGE, "size '0' is not from 1 to 25"}, {"(;SZ[~26])", FAULT_RANGE, NULL},
                {"(;SZ[~52:52])", FAULT_RANGE, NULL}, {"(;SZ[~4294967305])", FAULT_RANGE, NULL},
                {"(;SZ[~99999999999999999999999999999999999999999999999999])", FAULT_RANGE, NULL},
                {"(;SZ[~9:13])", FAULT_RANGE, "a board of '9:13' is not square"}, {"(;SZ[~9:0])", FAULT_RANGE, NULL},
                {"(;SZ[~-9])", FAULT_VALUE, "'-9' is no size of a board"}, {"(;SZ[~1 9])", FAULT_VALUE, NULL},
                {"(;SZ[~nine])", FAULT_VALUE, NULL}, {"(;SZ[~9:])", FAULT_VALUE, NULL},
                {"(;SZ[~:9])", FAULT_VALUE, NULL}, {"(;SZ[~:])", FAULT_VALUE, NULL}, {"(;SZ[~+])", FAULT_VALUE, NULL},
                {"(;SZ[~9:9:9])", FAULT_VALUE, NULL}, {"(;SZ[~9\\:9])", FAULT_VALUE, NULL},
                {"(;SZ[~9.0])", FAULT_VALUE, NULL});
}

static void a_size_may_be_repeated_but_not_changed(void **state) {
    (void)state;
    ALL_READ({"(;SZ[9]SZ[9])", "9"}, {"(;SZ[9][9:9])", "9"}, {"(;SZ[9];SZ[9]B[aa])", "9 Ba0"},
             {"(;SZ[9](;B[aa])(;SZ[13]))", "9 Ba0"}, {"(;;SZ[9])", "19"}, {"(;SZ[9];SZ[x]B[aa])", "9 Ba0"});
    ALL_REFUSED({"(;SZ[9]SZ[~13])", FAULT_CONFLICT, "size 13, where the game's board has size 9"},
                {"(;SZ[9][~13])", FAULT_CONFLICT, NULL}, {"(;SZ[9]SZ[~x])", FAULT_VALUE, NULL});
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

static void moves_of_a_node_are_played_in_their_order(void **state) {
    (void)state;
    ALL_READ({"(;B[aa]W[bb])", "19 Ba0 Wb1"}, {"(;B[aa]B[aa])", "19 Ba0 Ba0"}, {"(;B[]C[x]W[])", "19 B- W-"},
             {"(;B[aa][bb];W[cc])", "19 Ba0 Bb1 Wc2"}, {"(;W[] [])", "19 W- W-"},
             {"(;W[aa]\nBlack[bb]W[cc])", "19 Wa0 Bb1 Wc2"});
}

static void set_up_changes_the_board_where_it_stands(void **state) {
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
    read_game(&(struct sgf_record){sgf, sizeof sgf - 1, SGF_AS_WRITTEN}, 1, MOST_MOVES, &arena, &work, &r);
    assert_int_equal(r.the_case.change_count, 2);
    assert_int_equal(r.the_case.changes[0].offset, 12);
    assert_int_equal(r.the_case.changes[1].offset, 25);
    arena_clear(&arena);
}

static void another_game_than_go_is_refused(void **state) {
    (void)state;
    ALL_READ({"(;GM[1])", "19"}, {"(;GM[ 1 ])", "19"}, {"(;GM[])", "19"}, {"(;GM[]GM[01])", "19"}, {"(;;GM[2])", "19"},
             {"(;GM[1](;GM[6])(;))", "19"});
    ALL_REFUSED({"(;GM[~6])", FAULT_VALUE, "GM[6] is another game than Go, which is GM[1]"},
                {"(;GM[~0])", FAULT_VALUE, NULL}, {"(;SZ[99]B[zz]GM[~11])", FAULT_VALUE, NULL},
                {"(;GM[~Go])", FAULT_VALUE, NULL}, {"(;GM[~1:1])", FAULT_VALUE, NULL},
                {"(;GaMe[~2])", FAULT_VALUE, NULL}, {"(;GM[]GM[~4])", FAULT_VALUE, NULL});
}

static void what_old_programs_write_is_read(void **state) {
    (void)state;
    ALL_READ({"(GM[1]SZ[9];B[aa])", "9 Ba0"}, {"(B[aa];W[bb])", "19 Ba0 Wb1"}, {"( \nSiZe[5];Black[aa])", "5 Ba0"},
             {"(;B[aa](W[bb];B[cc])(W[dd]))", "19 Ba0 Wb1 Bc2"}, {"(;B[aa]()(;W[bb])( )(;W[cc]))", "19 Ba0 Wb1"},
             {"(;B[aa]();W[bb])", "19 Ba0 Wb1"}, {"(;B[aa]())", "19 Ba0"},
             {"(;B[aa](;W[bb]);W[cc];B[dd])", "19 Ba0 Wb1"}, {"(;B[aa]", "19 Ba0"}, {"(;B[aa] \n", "19 Ba0"},
             {"(;", "19"}, {"(;(;B[aa])", "19 Ba0"}, {"(;B[aa](;W[bb](;B[cc]", "19 Ba0 Wb1 Bc2"},
             {"(;B[aa](", "19 Ba0"}, {"(;B[aa](;W[bb])( ", "19 Ba0 Wb1"});
    ALL_REFUSED({"(;B[aa]()~[bb])", FAULT_SYNTAX, "a value without a property"}, {"(;B[aa](~()))", FAULT_SYNTAX, NULL},
                {"(;(;)~B[aa])", FAULT_SYNTAX, NULL});
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

/* The games of a collection: as many as a record of this text has, and what each is read as. */
static void assert_collection(const char *sgf, const char *const *texts, size_t count) {
    struct arena arena;
    struct work work = {.left = PLENTY};
    struct sgf_record record = {sgf, strlen(sgf), SGF_AS_WRITTEN};
    struct sgf_survey all;
    struct sgf_fault fault;
    bool good;
    arena_init(&arena, ARENA_NO_CAP);
    assert_int_equal(sgf_survey(&record, 0, count, &arena, &work, &all, &good, &fault), WORK_DONE);
    assert_true(good);
    assert_int_equal(all.games, count);
    assert_int_equal(all.kept_count, count);
    for (size_t k = 0; k < count; k++) {
        struct reading r = {0};
        read_game(&record, k + 1, MOST_MOVES, &arena, &work, &r);
        assert_true(r.good && r.games == count);
        describe(&r.the_case, r.text, sizeof r.text);
        assert_string_equal(r.text, texts[k]);
        struct fault_line line = fault_find_line(sgf, all.kept[k].begin, (struct fault_line){1, 1});
        assert_int_equal(all.kept[k].line.line, line.line);
        assert_int_equal(all.kept[k].line.column, line.column);
        struct go_case again = {0};
        assert_int_equal(sgf_read_game(&record, &all.kept[k], MOST_MOVES, &arena, &work, &again, &good, &fault),
                         WORK_DONE);
        describe(&again, r.text, sizeof r.text);
        assert_true(good);
        assert_string_equal(r.text, texts[k]);
    }
    assert_int_equal(sgf_survey(&record, count + 1, 0, &arena, &work, &all, &good, &fault), WORK_DONE);
    assert_true(good && all.games == count && all.kept_count == 0);
    if (count > 1) {
        assert_int_equal(sgf_survey(&record, 0, count - 1, &arena, &work, &all, &good, &fault), WORK_DONE);
        assert_true(!good && fault.code == FAULT_LENGTH && !fault.malformed && sgf[fault.offset] == '(');
    }
    arena_clear(&arena);
}

#define COLLECTION(sgf, ...)                                                                                           \
    do {                                                                                                               \
        static const char *const texts[] = {__VA_ARGS__};                                                              \
        assert_collection(sgf, texts, sizeof texts / sizeof *texts);                                                   \
    } while (0)

static void every_game_of_a_collection_stands_by_itself(void **state) {
    (void)state;
    COLLECTION("(;B[aa])", "19 Ba0");
    COLLECTION("(;B[aa])(;SZ[9];W[bb])", "19 Ba0", "9 Wb1");
    COLLECTION("From: (x)\r\n (;B[aa])\n\n-- next: (2)\n(SZ[9];W[bb](;B[cc])(;B[dd]))\r(;SZ[5]) the end", "19 Ba0",
               "9 Wb1 Bc2", "5");
    COLLECTION("(;CA[SJIS]C[\x95]];B[aa])(;C[\x95];B[bb])(;CA[gbk]C[\x95\\];W[])", "19 Ba0", "19 Bb1", "19 W-");
    COLLECTION("(;B[aa])(;B[bb]", "19 Ba0", "19 Bb1");
    COLLECTION("(;)(;)(;)(;)(;)", "19", "19", "19", "19", "19");
}

static void syntax_is_checked_in_the_whole_collection(void **state) {
    (void)state;
    ALL_READ({"(;B[aa])(;B[zz]SZ[99]GM[3])", "19 Ba0"}, {"(;B[aa])(;)(x[])", "19 Ba0"});
    ALL_REFUSED({"(;B[aa])(;W~[", FAULT_SYNTAX, NULL}, {"(;B[zz])(;)(;~B)", FAULT_SYNTAX, NULL},
                {"(;B[aa])(;W[bb])(;C[a]~])", FAULT_SYNTAX,
                 "']' where a property, a node or a variation is needed (inside a text ']' is written '\\]')"});
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
             {"(;B[aa])]])[(;", "19 Ba0"}, {"(see [1], (x[2]) and (B [3]) (;B[aa])", "19 Ba0"}, {"() (;)", "19"});
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
    ALL_REFUSED({"(;~black[aa])", FAULT_SYNTAX,
                 "'black' is no property: no capital letter (inside a text ']' is written '\\]')"},
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
        {"~", FAULT_SYNTAX, "there is no game: a record of SGF looks like \"(;SZ[19];B[pd];W[dp])\""},
        {"~(", FAULT_SYNTAX, NULL}, {"~( ", FAULT_SYNTAX, NULL}, {"~no game", FAULT_SYNTAX, NULL},
        {"~\xef\xbb\xbf", FAULT_SYNTAX, NULL}, {"~;B[aa]", FAULT_SYNTAX, NULL}, {"~(b[aa])", FAULT_SYNTAX, NULL},
        {"~(B)", FAULT_SYNTAX, NULL}, {"~()", FAULT_SYNTAX, NULL}, {"~(((", FAULT_SYNTAX, NULL},
        {"(;B~[aa", FAULT_SYNTAX, "the value that begins here has no ']'"}, {"(;B~[", FAULT_SYNTAX, NULL},
        {"(;C~[a\\])", FAULT_SYNTAX, NULL}, {"(;C~[a\\", FAULT_SYNTAX, NULL}, {"(;C[a]~[\\", FAULT_SYNTAX, NULL},
        {"(;~[aa])", FAULT_SYNTAX, "a value without a property"}, {"(;B[aa];~[bb])", FAULT_SYNTAX, NULL},
        {"(;~B)", FAULT_SYNTAX, "the property 'B' has no value: one stands in brackets, as in B[pd]"},
        {"(;~B W[aa])", FAULT_SYNTAX, NULL}, {"(;~A B[aa])", FAULT_SYNTAX, NULL}, {"(;~B", FAULT_SYNTAX, NULL},
        {"(;~Black ", FAULT_SYNTAX, NULL}, {"(;~B;W[aa])", FAULT_SYNTAX, NULL}, {"(;~B{aa})", FAULT_SYNTAX, NULL},
        {"(;B[aa]~])", FAULT_SYNTAX, NULL}, {"(;~1B[aa])", FAULT_SYNTAX, NULL}, {"(;B[aa]~,W[bb])", FAULT_SYNTAX, NULL},
        {"(;~\xc3\xa9[aa])", FAULT_SYNTAX, NULL}, {"(;~\xff)", FAULT_SYNTAX, NULL},
        {"(;~\xef\xbb\xbf)", FAULT_SYNTAX, NULL},
        {"(;B[aa](~]))", FAULT_SYNTAX, "']' after '('; a variation begins with ';'"}, {"(;(~(;)))", FAULT_SYNTAX, NULL},
        {"(;(;)~B[aa])", FAULT_SYNTAX, "'B' after a variation; only '(', ')' or ';' may follow one"},
        {"(;(;)~[aa])", FAULT_SYNTAX, NULL}, {"(;(;)~]", FAULT_SYNTAX, NULL});
    struct reading zero = read_bytes("(;\0)", 4);
    assert_true(zero.fault.malformed && zero.fault.offset == 2);
    snprintf(long_name, sizeof long_name, "(;%0300d", 0);
    memset(long_name + 2, 'K', 300);
    struct reading name = read_bytes(long_name, 302);
    assert_true(name.fault.malformed && name.fault.offset == 2);
    assert_string_equal(name.fault.detail,
                        "the property 'KKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKK...' has no value: one stands "
                        "in brackets, as in B[pd]");
}

static void what_cannot_be_read_is_never_called_not_allowed(void **state) {
    (void)state;
    ALL_REFUSED({"(;SZ[99]B[zz]B[zz]~1", FAULT_SYNTAX, NULL}, {"(;B[zz](;W[aa])(;~B))", FAULT_SYNTAX, NULL},
                {"(;SZ[99];C~[)", FAULT_SYNTAX, NULL}, {"(;B[aa](;~[zz]))", FAULT_SYNTAX, NULL});
}

static void the_first_fault_of_the_record_is_told(void **state) {
    (void)state;
    ALL_REFUSED({"(;B[~zz];W[zz];AB[aa])", FAULT_RANGE, NULL}, {"(;B[aa]W[~zz]AB[])", FAULT_RANGE, NULL},
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
    /* A change of the board counts as a move does. */
    static const char changed[] = "(;B[aa];AB[aa]AW[bb];AE[cc];W[aa])";
    for (uint64_t most = 1; most <= 4; most++) {
        static const size_t places[] = {0, 8, 21, 28};
        struct reading r = read_with(changed, sizeof changed - 1, most, ARENA_NO_CAP, PLENTY);
        assert_true(r.good == (most == 4));
        if (!r.good)
            assert_true(r.fault.code == FAULT_LENGTH && r.fault.offset == places[most]);
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
             {"(CA[SJIS]C[\x95]];C[\x95]];B[aa])", "19 Ba0"},            /* without a semicolon too */
             {"(;ChAracter[x]CharAcset[SJIS]C[\x95]];B[aa])", "19 Ba0"}, /* in old names too */
             {"(;CA[UTF-8]C[\xe3\x81\x82\\]\xf0\x9f\x98\x80];B[aa])", "19 Ba0"});
}

static const char famous[] = "\xef\xbb\xbf"
                             "(;FF[4]GM[1]CA[Shift_JIS]AB[dd:ee][pp]C[\x95\\ \\] \x95] (;]SZ[19]\r\n"
                             ";AW[aa]AE[dd]\n;B[qd]C[x\\\\];White[](;B[tt];W[ab](;B[ss])(;B[rr]))(;B[cc]C[;\\]]))";

static void every_prefix_of_a_record_is_read_or_malformed(void **state) {
    size_t length = sizeof famous - 1, good = 0;
    uint32_t moves = 0;
    (void)state;
    for (size_t l = 0; l <= length; l++) {
        struct reading r = read_bytes(famous, l);
        assert_int_equal(r.outcome, WORK_DONE);
        assert_true(r.good || r.fault.malformed);
        if (!r.good)
            continue;
        assert_true(r.the_case.move_count >= moves);
        moves = r.the_case.move_count;
        good++;
    }
    assert_int_equal(moves, 5);
    assert_in_range(good, 30, length - 30);
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
        "(GM[1]SZ[ 5]RU[jp];B[aa]W[bb];AE[aa]AB[cc:dd]AW[ee];B[](;AB[bb])();W[cc](B[dd])(;AE[aa]",
        "x (;SZ[9];B[aa])\n(;SZ[9]GM[1]AB[aa];W[bb];AE[aa]) y (;CA[big5]C[\xa4]\\];B[cc])",
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
    char text[1 << 15];
    size_t used;
    uint64_t seed;
    bool old; /* names with small letters */
    size_t variations;
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

/* An empty variation, sometimes. */
static void put_nothing(struct writer *w) {
    if (draw(&w->seed, 12) == 0) {
        put(w, "(");
        put(w, ")");
    }
}

/* Variations of a node that has so many children, which are not the main line, with faults that only a main line has;
 * the last of them may be a node behind the others. */
static void put_variations(struct writer *w, unsigned children, unsigned depth) {
    uint32_t more = depth < 3 ? draw(&w->seed, 3) : 0;
    w->variations += children + more > 1 && more != 0;
    put_nothing(w);
    for (; more > 0; more--) {
        bool behind = more == 1 && children != 0 && draw(&w->seed, 4) == 0;
        if (!behind)
            put(w, "(");
        for (uint32_t nodes = 1 + draw(&w->seed, 3); nodes > 0; nodes--) {
            put(w, ";");
            put(w, draw(&w->seed, 2) == 0 ? "B[zz]W[!]AB[]" : "SZ[77]W[aa][bb]GM[9]");
            put_noise(w);
        }
        put_variations(w, 0, depth + 1);
        if (!behind)
            put(w, ")");
        children++;
    }
}

/* A set-up property of a few points or rectangles. Its edits are written to `edits`, up to 3; returns how many. */
static uint32_t put_setup(struct writer *w, unsigned size, struct go_edit *edits) {
    static const char *const names[] = {"AE", "AB", "AW"}, *const old[] = {"AddEmpty", "AddBlack", "AddWhite"};
    uint8_t color = (uint8_t)draw(&w->seed, 3);
    uint32_t count = 1 + draw(&w->seed, 3);
    put_name(w, names[color], old[color]);
    for (uint32_t k = 0; k < count; k++) {
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
        edits[k] = (struct go_edit){color, (uint8_t)row, (uint8_t)col, (uint8_t)down, (uint8_t)right};
    }
    return count;
}

/* What is set up before the first move, and the size, if it comes late. */
static void write_start(struct writer *w, struct go_case *c, uint8_t *setup, const char *size, bool late) {
    for (uint32_t n = draw(&w->seed, 6); n > 0; n--) {
        struct go_edit edits[3];
        put_noise(w);
        if (n == 1 && late) {
            put_name(w, "SZ", "SZize");
            put(w, size);
            late = false;
        }
        for (uint32_t k = 0, count = put_setup(w, (unsigned)c->size, edits); k < count; k++) {
            if (edits[k].color != GO_EMPTY)
                c->setup = setup;
            for (unsigned row = edits[k].first_row; row <= edits[k].last_row; row++)
                memset(setup + row * c->size + edits[k].first_col, edits[k].color,
                       (size_t)edits[k].last_col - edits[k].first_col + 1);
        }
        if (!late && draw(&w->seed, 4) == 0)
            put(w, ";");
    }
    if (late) {
        put_name(w, "SZ", "SZ");
        put(w, size);
    }
}

/* Changes of the board, in the node of the last move or behind it. */
static void write_changes(struct writer *w, struct go_case *c) {
    bool changing = false;
    for (uint32_t n = draw(&w->seed, 4) == 0 ? 1 + draw(&w->seed, 3) : 0; n > 0 && c->change_count < 60; n--) {
        if (draw(&w->seed, 3) == 0) {
            put(w, ";");
            changing = false;
        }
        if (!changing)
            c->changes[c->change_count++] = (struct go_change){.after = c->move_count, .first_edit = c->edit_count};
        changing = true;
        c->edit_count += put_setup(w, (unsigned)c->size, c->edits + c->edit_count);
        put_noise(w);
    }
}

/* A move, in a node of its own or, behind another, in the same. */
static void write_move(struct writer *w, struct go_case *c, bool same_node) {
    char piece[16];
    bool pass = draw(&w->seed, 8) == 0;
    struct go_move *to = &c->moves[c->move_count++];
    *to = (struct go_move){(uint8_t)(1 + draw(&w->seed, 2)), (uint8_t)draw(&w->seed, (uint32_t)c->size),
                           (uint8_t)draw(&w->seed, (uint32_t)c->size)};
    if (!same_node)
        put(w, ";");
    put_noise(w);
    put_name(w, to->color == GO_BLACK ? "B" : "W", to->color == GO_BLACK ? "Black" : "White");
    snprintf(piece, sizeof piece, "[%c%c]", 'a' + to->col, 'a' + to->row);
    put(w, !pass ? piece : c->size <= 19 && draw(&w->seed, 2) == 0 ? "[tt]" : "[]");
    if (pass)
        to->row = GO_PASS;
    put_noise(w);
}

/* One random record, and the case it must give as describe() writes it. */
static void write_game(struct writer *w, char *expected, size_t room) {
    unsigned open = 1;
    uint8_t setup[GO_POINTS] = {0};
    struct go_move moves[64];
    struct go_change changes[64];
    struct go_edit edits[64 * 3];
    struct go_case c = {.size = 1 + draw(&w->seed, 25), .moves = moves, .changes = changes, .edits = edits};
    char size[64];
    bool late = draw(&w->seed, 2) == 0;
    put(w, "(");
    put(w, draw(&w->seed, 4) == 0 ? "GM[1]" : ";");
    snprintf(size, sizeof size, draw(&w->seed, 2) == 0 ? "[%u]" : "[ %u:%u\n]", (unsigned)c.size, (unsigned)c.size);
    if (!late) {
        put_name(w, "SZ", "SiZe");
        put(w, size);
    }
    write_start(w, &c, setup, size, late);
    for (uint32_t n = draw(&w->seed, 60); n > 0; n--) {
        bool deeper = draw(&w->seed, 10) == 0;
        put_nothing(w);
        if (deeper) {
            put(w, "(");
            open++;
        }
        write_move(w, &c, c.move_count != 0 && !deeper && draw(&w->seed, 5) == 0);
        write_changes(w, &c);
    }
    for (unsigned missing = draw(&w->seed, 3) == 0 ? 1 + draw(&w->seed, open) : 0; open > missing; open--) {
        put(w, ")");
        if (open > 1)
            put_variations(w, 1, 0);
    }
    describe(&c, expected, room);
}

static void random_games_are_read_as_they_were_written(void **state) {
    uint64_t seed = 19;
    (void)state;
    for (unsigned round = 0; round < 20000; round++) {
        struct writer w = {.seed = seed + round * 0x9e3779b97f4a7c15u, .old = round % 3 == 0};
        char expected[8192];
        write_game(&w, expected, sizeof expected);
        assert_true(w.used + 100 < sizeof w.text);
        assert_reads(w.text, w.used, expected);
        assert_int_equal(read_bytes(w.text, w.used).variations, w.variations);
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
    struct reading good =
        read_with(sgf, 3 * DEEP, MOST_MOVES, DEEP / 2, PLENTY); /* a bit a level, in arrays that grow */
    assert_true(good.outcome == WORK_DONE && good.good && good.variations == 0);
    struct reading open = read_bytes(sgf, 2 * DEEP - 1);
    assert_true(open.good && open.variations == 0);
    assert_int_equal(read_with(sgf, 3 * DEEP, MOST_MOVES, DEEP / 20, PLENTY).outcome, WORK_NO_MEMORY);
    memset(sgf, '(', 3 * DEEP);
    struct reading none = read_bytes(sgf, 3 * DEEP);
    assert_true(none.fault.malformed && none.fault.offset == 0);
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
    assert_true(read_bytes(sgf, 3 * DEEP).fault.malformed);
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
    for (size_t cap = 0; cap < 4000; cap++) {
        struct reading r = read_with(famous, length, MOST_MOVES, cap, PLENTY);
        assert_true(r.outcome == WORK_DONE || r.outcome == WORK_NO_MEMORY);
        if (r.outcome == WORK_DONE)
            assert_string_equal(r.text, right.text);
        without += r.outcome == WORK_NO_MEMORY;
    }
    assert_in_range(without, 361 + sizeof(struct sgf_game), 3500); /* the set-up, the game, and five moves */
    assert_int_equal(read_with("(;B[aa])", 8, MOST_MOVES, 0, PLENTY).outcome, WORK_NO_MEMORY);
    assert_int_equal(read_with("(;AB[aa])", 9, MOST_MOVES, 0, PLENTY).outcome, WORK_NO_MEMORY);
    assert_int_equal(read_with("(;AE[aa])", 9, MOST_MOVES, 0, PLENTY).outcome, WORK_NO_MEMORY);
    assert_int_equal(read_with("(;B)", 4, MOST_MOVES, 0, PLENTY).outcome, WORK_DONE);
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
    assert_int_equal(read_with(sgf, sizeof sgf, MOST_MOVES, ARENA_NO_CAP, blanks - 100).outcome, WORK_EXHAUSTED);
}

static void the_stop_flag_ends_a_reading(void **state) {
    atomic_bool stop = true;
    struct work work = {.left = WORK_UNBOUNDED, .stop = &stop};
    struct reading r = {0};
    struct arena arena;
    (void)state;
    arena_init(&arena, ARENA_NO_CAP);
    read_game(&(struct sgf_record){"(;)", 3, SGF_AS_WRITTEN}, 1, MOST_MOVES, &arena, &work, &r);
    assert_int_equal(r.outcome, WORK_EXHAUSTED);
    arena_clear(&arena);
}

static void what_is_not_the_records_is_left_alone(void **state) {
    struct work work = {.left = PLENTY};
    struct reading r = {.the_case.asked = {.include = 5, .rules = {.ko = GO_KO_SIMPLE, .suicide = true}}};
    struct arena arena;
    (void)state;
    arena_init(&arena, ARENA_NO_CAP);
    read_game(&(struct sgf_record){"(;SZ[9]B[aa])", 13, SGF_AS_WRITTEN}, 1, MOST_MOVES, &arena, &work, &r);
    assert_true(r.good);
    assert_int_equal(r.the_case.asked.include, 5);
    assert_int_equal(r.the_case.asked.rules.ko, GO_KO_SIMPLE);
    assert_true(r.the_case.asked.rules.suicide);
    assert_int_equal(r.the_case.move_count, 1);
    arena_clear(&arena);
}

/* A text in UTF-16, of either order, as the program makes UTF-8 of it. */
static void assert_from_utf16(const char *units, size_t length, const char *expected) {
    struct arena arena;
    struct work work = {.left = PLENTY};
    arena_init(&arena, ARENA_NO_CAP);
    for (int swap = 0; swap < 2; swap++) {
        char copy[64];
        const char *text;
        size_t got;
        memcpy(copy, units, length);
        for (size_t i = 0; swap != 0 && i + 1 < length; i += 2) {
            char c = copy[i];
            copy[i] = copy[i + 1];
            copy[i + 1] = c;
        }
        assert_true(sgf_is_utf16(copy, length));
        assert_int_equal(sgf_from_utf16(copy, length, &arena, &work, &text, &got), WORK_DONE);
        assert_int_equal(got, strlen(expected));
        assert_memory_equal(text, expected, got);
    }
    work.left = 0;
    assert_int_equal(sgf_from_utf16("\xff\xfe(\0", 4, &arena, &work, &(const char *){NULL}, &(size_t){0}),
                     WORK_EXHAUSTED);
    arena_clear(&arena);
    work.left = PLENTY;
    arena.cap = 0;
    assert_int_equal(sgf_from_utf16("\xff\xfe(\0", 4, &arena, &work, &(const char *){NULL}, &(size_t){0}),
                     WORK_NO_MEMORY);
    arena_clear(&arena);
}

#define FROM_UTF16(units, expected) assert_from_utf16("\xff\xfe" units, sizeof("\xff\xfe" units) - 1, expected)

static void utf16_becomes_utf8(void **state) {
    (void)state;
    FROM_UTF16("", "");
    FROM_UTF16("(\0;\0)\0", "(;)");
    FROM_UTF16("\x7f\x00\x80\x00\xff\x07\x00\x08\xff\xff", "\x7f\xc2\x80\xdf\xbf\xe0\xa0\x80\xef\xbf\xbf");
    FROM_UTF16("\xff\xd7\x00\xe0\x42\x30", "\xed\x9f\xbf\xee\x80\x80\xe3\x81\x82");
    FROM_UTF16("\x00\xd8\x00\xdc\x3d\xd8\x00\xde\xff\xdb\xff\xdf", "\xf0\x90\x80\x80\xf0\x9f\x98\x80\xf4\x8f\xbf\xbf");
    /* Half a pair, in any place, and half a unit at the end. */
    FROM_UTF16("\x00\xd8(\0", "\xef\xbf\xbd(");
    FROM_UTF16("\x00\xdc(\0", "\xef\xbf\xbd(");
    FROM_UTF16("\x00\xd8\x00\xd8\x00\xdc", "\xef\xbf\xbd\xf0\x90\x80\x80");
    FROM_UTF16("(\0\x00\xd8", "(\xef\xbf\xbd");
    FROM_UTF16("(\0)", "(\xef\xbf\xbd");
    FROM_UTF16("\x00\xd8)", "\xef\xbf\xbd\xef\xbf\xbd");
    assert_false(sgf_is_utf16("(;)", 3));
    assert_false(sgf_is_utf16("\xff", 1));
    assert_false(sgf_is_utf16("", 0));
}

static void rules_are_known_by_their_names(void **state) {
    static const struct {
        struct go_rules rules;
        const char *names[16];
    } known[] = {
        {{GO_KO_SIMPLE, false},
         {"Japanese", "japanese", "JAPANESE", " Japanese\n", "Japanese rules", "JP", "jp", "Japan", "Korean", "korean",
          "kr", "Korea", "Korean Rules"}},
        {{GO_KO_POSITIONAL, false},
         {"Chinese", "cn", "China", "chinese", "", " ", "French", "Old Chinese", "stone_scoring", "Lasker-Maas",
          "Rules", "x", "no rules that anybody knows of", "\xe6\x97\xa5"}},
        {{GO_KO_SITUATIONAL, false}, {"AGA", "aga", "AGA rules"}},
        {{GO_KO_SITUATIONAL, true},
         {"New Zealand", "new zealand", "NewZealand", "New_Zealand", "NZ", "nz", "NZ Rules"}},
        {{GO_KO_POSITIONAL, true},
         {"Tromp-Taylor", "tromp taylor", "TrompTaylor", "TT", "Ing", "ING", "Ing rules", "GOE", "goe", "Ing Goe",
          "Goe (Ing)", "Ing (GOE)"}},
    };
    (void)state;
    for (size_t k = 0; k < sizeof known / sizeof *known; k++)
        for (size_t n = 0; n < 16 && known[k].names[n] != NULL; n++) {
            struct go_rules rules = sgf_find_rules(known[k].names[n], strlen(known[k].names[n]));
            if (rules.ko != known[k].rules.ko || rules.suicide != known[k].rules.suicide)
                fail_msg("%s: %d %d", known[k].names[n], (int)rules.ko, rules.suicide);
        }
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
        cmocka_unit_test(moves_of_a_node_are_played_in_their_order),
        cmocka_unit_test(set_up_changes_the_board_where_it_stands),
        cmocka_unit_test(the_place_of_a_change_is_its_first_property),
        cmocka_unit_test(another_game_than_go_is_refused),
        cmocka_unit_test(what_old_programs_write_is_read),
        cmocka_unit_test(nodes_with_several_children_are_counted),
        cmocka_unit_test(every_game_of_a_collection_stands_by_itself),
        cmocka_unit_test(syntax_is_checked_in_the_whole_collection),
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
        cmocka_unit_test(every_prefix_of_a_record_is_read_or_malformed),
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
        cmocka_unit_test(utf16_becomes_utf8),
        cmocka_unit_test(rules_are_known_by_their_names),
    };
    return cmocka_run_group_tests_name("sgf", tests, NULL, NULL);
}
