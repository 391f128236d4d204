/* SGF records: no input causes a crash, and every limit on memory and work holds. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "api/go/sgf_reading.h"

#include <string.h>

static const char famous[] = "\xef\xbb\xbf"
                             "(;FF[4]GM[1]CA[Shift_JIS]AB[dd:ee][pp]C[\x95\\ \\] \x95] (;]SZ[19]\r\n"
                             ";AW[aa]AE[dd]\n;B[qd]C[x\\\\];White[](;B[tt];W[ab](;B[ss])(;B[rr]))(;B[cc]C[;\\]]))";

static void every_prefix_of_a_record_is_read_or_malformed(void **state) {
    size_t length = sizeof famous - 1, good = 0;
    uint32_t moves = 0;
    (void)state;
    for (size_t l = 0; l <= length; l++) {
        struct reading r = read_bytes(famous, l);
        assert_int_equal(r.outcome, OUTCOME_DONE);
        assert_true(r.good || r.fault.code == FAULT_SYNTAX);
        if (!r.good)
            continue;
        assert_true(r.the_case.move_count >= moves);
        moves = r.the_case.move_count;
        good++;
    }
    assert_int_equal(moves, 5);
    assert_in_range(good, 30, length - 30);
    /* If the beginning is cut off, what is left may contain an inner game or none; only the invariants are checked. */
    for (size_t l = 0; l <= length; l++)
        read_bytes(famous + l, length - l);
}

/* Change a record in place up to three times: flip a bit, write a byte that is likely to matter, copy a span elsewhere,
 * or delete a byte. Returns the new length. */
static size_t mutate(char *sgf, size_t length, uint64_t *seed) {
    static const char marks[] = "()[];\\:BWSZCAE atz19\0\x81\xff\n\r";
    for (uint32_t changes = 1 + draw(seed, 3); changes > 0 && length > 2; changes--) {
        size_t at = draw(seed, (uint32_t)length);
        size_t to = draw(seed, (uint32_t)length), max = length - (at > to ? at : to);
        switch (draw(seed, 4)) {
        case 0:
            sgf[at] = (char)(sgf[at] ^ (1 << draw(seed, 8)));
            break;
        case 1:
            sgf[at] = marks[draw(seed, sizeof marks)];
            break;
        case 2:
            memmove(sgf + to, sgf + at, draw(seed, (uint32_t)max + 1));
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
        assert_int_equal(r.outcome, OUTCOME_DONE);
        good += r.good;
        malformed += !r.good && r.fault.code == FAULT_SYNTAX;
        refused += !r.good && r.fault.code != FAULT_SYNTAX;
    }
    assert_true(good > 20000);
    assert_true(malformed > 20000);
    assert_true(refused > 5000);
}

static void with_every_cap_on_memory_there_is_no_answer_or_the_right_one(void **state) {
    size_t length = sizeof famous - 1;
    struct reading right = read_bytes(famous, length);
    unsigned without = 0;
    (void)state;
    for (size_t cap = 0; cap < 4000; cap++) {
        struct reading r = read_with(famous, length, MAX_MOVES, cap, PLENTY);
        assert_true(r.outcome == OUTCOME_DONE || r.outcome == OUTCOME_NO_MEMORY);
        if (r.outcome == OUTCOME_DONE)
            assert_string_equal(r.text, right.text);
        without += r.outcome == OUTCOME_NO_MEMORY;
    }
    assert_in_range(without, 361 + sizeof(struct sgf_game), 3500); /* memory for the set-up, the game and five moves */
    assert_int_equal(read_with("(;B[aa])", 8, MAX_MOVES, 0, PLENTY).outcome, OUTCOME_NO_MEMORY);
    assert_int_equal(read_with("(;AB[aa])", 9, MAX_MOVES, 0, PLENTY).outcome, OUTCOME_NO_MEMORY);
    assert_int_equal(read_with("(;AE[aa])", 9, MAX_MOVES, 0, PLENTY).outcome, OUTCOME_NO_MEMORY);
    assert_int_equal(read_with("(;B)", 4, MAX_MOVES, 0, PLENTY).outcome, OUTCOME_DONE);
}

static void every_amount_of_work_is_too_little_or_enough(void **state) {
    size_t length = sizeof famous - 1;
    struct reading right = read_bytes(famous, length);
    (void)state;
    for (uint64_t units = 0; units < right.units + 10; units++) {
        struct reading r = read_with(famous, length, MAX_MOVES, ARENA_NO_CAP, units);
        assert_int_equal(r.outcome, units < right.units ? OUTCOME_MORE_WORK : OUTCOME_DONE);
        if (r.outcome == OUTCOME_DONE)
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
    assert_int_equal(read_with(sgf, sizeof sgf, MAX_MOVES, ARENA_NO_CAP, blanks - 100).outcome, OUTCOME_MORE_WORK);
}

static void the_stop_flag_ends_a_reading(void **state) {
    atomic_bool stop = true;
    struct work work = {.left = WORK_UNBOUNDED, .stop = &stop};
    struct reading r = {0};
    struct arena arena;
    (void)state;
    arena_init(&arena, ARENA_NO_CAP);
    read_game(&(struct sgf_record){"(;)", 3, false}, 1, MAX_MOVES, &arena, &work, &r);
    assert_int_equal(r.outcome, OUTCOME_CANCELLED);
    arena_clear(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_prefix_of_a_record_is_read_or_malformed),
        cmocka_unit_test(mutated_records_do_no_harm),
        cmocka_unit_test(with_every_cap_on_memory_there_is_no_answer_or_the_right_one),
        cmocka_unit_test(every_amount_of_work_is_too_little_or_enough),
        cmocka_unit_test(rectangles_are_paid_for),
        cmocka_unit_test(length_and_moves_are_paid_for),
        cmocka_unit_test(the_stop_flag_ends_a_reading),
    };
    return cmocka_run_group_tests_name("sgf", tests, NULL, NULL);
}
