/* JSON to the letter, and what cJSON would have made of it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "api/json/check.h"
#include "api/json/tree.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Check a copy, which lives in a block of exactly its size so that a byte too far is seen by AddressSanitizer. */
static struct json_report check(const char *json, size_t length, char *ret_after) {
    char *copy = malloc(length != 0 ? length : 1);
    assert_non_null(copy);
    memcpy(copy, json, length);
    struct json_report report = json_check(copy, length);
    if (ret_after != NULL)
        memcpy(ret_after, copy, length);
    free(copy);
    return report;
}

static void what_rfc_8259_allows_is_good(void **state) {
    static const char *const good[] = {
        "0",
        "-0",
        "1",
        "10",
        "-1",
        "1.5",
        "0.5e-3",
        "1E+5",
        "1e5",
        "true",
        "false",
        "null",
        "\"\"",
        "\"a\"",
        "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"",
        "\"\\u0001\\uD834\\uDD1E\\uffff\"",
        "\"\x7f\"",
        "\"\xc3\xa9\"",
        "\"\xef\xbf\xbf\"",
        "\"\xf4\x8f\xbf\xbf\"",
        "[]",
        "{}",
        " [ ] ",
        "\t{\r\n} ",
        "[1,2]",
        "[[],[]]",
        "{\"a\":1}",
        "{\"a\":{\"b\":[1,{}]},\"c\":null}",
        "{\"a\":1,\"a\":2}",
        "{\"\":0}",
        "[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]",
        "123456789012345678901234567890123456789012345678901234567890123456789",
    };
    (void)state;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        struct json_report report = check(good[i], strlen(good[i]), NULL);
        if (!report.good)
            fail_msg("%s: %s at %zu", good[i], report.reason, report.offset);
    }
}

static void everything_else_is_refused_at_its_place(void **state) {
    static const struct {
        const char *json;
        size_t offset;
    } bad[] = {
        {"", 0},
        {" ", 1},
        {"01", 0},
        {"-01", 0},
        {"1.", 0},
        {".5", 0},
        {"+1", 0},
        {"-", 0},
        {"1e", 0},
        {"1e+", 0},
        {"0x1", 1},
        {"1 2", 2},
        {"nul", 0},
        {"nulll", 4},
        {"True", 0},
        {"NaN", 0},
        {"Infinity", 0},
        {"'a'", 0},
        {"\"", 0},
        {"\"a", 0},
        {"\"\x01\"", 1},
        {"\"\n\"", 1},
        {"\"\\a\"", 1},
        {"\"\\u12\"", 1},
        {"\"\\u12g4\"", 1},
        {"\"\\u0000\"", 1},
        {"\"a\\u0000b\"", 2},
        {"\"\\ud800\"", 1},
        {"\"\\udc00\"", 1},
        {"\"\\ud800\\u0041\"", 1},
        {"\"\\ud800\\ud800\"", 1},
        {"\"\\", 1},
        {"\"\xff\"", 1},
        {"\"\xc0\x80\"", 1},
        {"\"\xed\xa0\x80\"", 1},
        {"\"\xf4\x90\x80\x80\"", 1},
        {"\"\xe2\x82\"", 1},
        {"\"\x80\"", 1},
        {"[", 1},
        {"[1", 2},
        {"[1,", 3},
        {"[1,]", 3},
        {"[,1]", 1},
        {"[1 2]", 3},
        {"]", 0},
        {"{", 1},
        {"{\"a\"", 4},
        {"{\"a\":", 5},
        {"{\"a\":1", 6},
        {"{\"a\":1,}", 7},
        {"{a:1}", 1},
        {"{1:1}", 1},
        {"{\"a\" 1}", 5},
        {"{\"a\":1 \"b\":2}", 7},
        {"{]", 1},
        {"[}", 1},
        {"[]]", 2},
        {"\f1", 0},
        {"\v1", 0},
        {"\xef\xbb\xbf"
         "1",
         0},
        {"/* */1", 0},
        {"[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]", 16},
    };
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct json_report report = check(bad[i].json, strlen(bad[i].json), NULL);
        if (report.good || report.offset != bad[i].offset)
            fail_msg("%s: %s at %zu; a fault at %zu is right", bad[i].json, report.good ? "good" : report.reason,
                     report.offset, bad[i].offset);
    }
    assert_false(check("1\0", 2, NULL).good);
    assert_false(check("\"a\0b\"", 5, NULL).good);
}

static void values_are_counted_and_names_are_not(void **state) {
    (void)state;
    assert_int_equal(check("1", 1, NULL).values, 1);
    assert_int_equal(check("[]", 2, NULL).values, 1);
    static const char json[] = "{\"a\":[1,\"x\",null,true],\"b\":{}}";
    assert_int_equal(check(json, sizeof json - 1, NULL).values, 7);
}

static void a_number_that_is_no_integer_stays_none(void **state) {
    static const struct {
        const char *json;
        double value;
    } numbers[] = {
        {"1.0", 1},
        {"1e0", 1},
        {"10e-1", 1},
        {"0.1e1", 1},
        {"-0.0", 0},
        {"0e-400", 0},
        {"1.50e1", 15},
        {"100e-2", 1},
        {"9007199254740991", 9007199254740991.0},
        {"0.00000000000000000000000000001e29", 1},
        {"1.5", 0.5},
        {"1e-400", 0.5},
        {"1.00000000000000000000000000001", 0.5},
        {"9007199254740991.4", 0.5},
        {"15e-1", 0.5},
        {"1e-99999999999999999999", 0.5},
        {"1000e-4", 0.5},
    };
    (void)state;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        char after[64] = {0};
        assert_true(check(numbers[i].json, strlen(numbers[i].json), after).good);
        if (strtod(after, NULL) != numbers[i].value)
            fail_msg("%s became %s", numbers[i].json, after);
    }
}

static void every_prefix_and_every_changed_byte_is_looked_at_without_going_astray(void **state) {
    static const char json[] =
        "{\"a\\u00e9\":[1.5e3,-0,\"\\ud834\\udd1e\xc3\xa9\",true,false,null],\"b\":{\"c\":[[]]}}";
    char changed[sizeof json];
    (void)state;
    for (size_t length = 0; length < sizeof json - 1; length++)
        assert_false(check(json, length, NULL).good);
    assert_true(check(json, sizeof json - 1, NULL).good);
    for (size_t at = 0; at < sizeof json - 1; at++)
        for (int byte = 0; byte < 256; byte++) {
            memcpy(changed, json, sizeof json);
            changed[at] = (char)byte;
            struct json_report report = check(changed, sizeof json - 1, NULL);
            assert_true(report.good || report.offset <= sizeof json - 1);
        }
}

static void cjson_reads_what_passed_and_allocates_nowhere_else(void **state) {
    /* A number of more than 63 digits, an escaped name, a doubled one: each once went wrong somewhere. */
    char json[] = "{\"b\\u006fard\":[100000000000000000000000000000000000000000000000000000000000000000000],"
                  "\"x\":1,\"x\":2}";
    struct arena arena;
    (void)state;
    json_tree_prepare();
    arena_init(&arena, ARENA_NO_CAP);
    struct json_report report = json_check(json, sizeof json - 1);
    assert_true(report.good);
    const cJSON *tree;
    assert_int_equal(json_tree_parse(json, sizeof json - 1, report.values, &arena, &tree), JSON_TREE_GOOD);
    assert_string_equal(tree->child->string, "board");
    assert_true(tree->child->child->valuedouble == 1e68);
    assert_int_equal(cJSON_GetArraySize(tree), 3);
    size_t used = arena.used;
    assert_null(cJSON_CreateObject());
    assert_int_equal(arena.used, used);
    arena_clear(&arena);
}

static void a_tree_never_takes_more_than_its_values_account_for(void **state) {
    enum { PAIRS = 50000 };
    struct arena arena;
    char *json = malloc(PAIRS * 6 + 2), *at = json;
    (void)state;
    assert_non_null(json);
    *at++ = '[';
    for (int i = 0; i < PAIRS; i++) {
        memcpy(at, "[1,1],", 6);
        at += 6;
    }
    at[-1] = ']';
    json_tree_prepare();
    arena_init(&arena, ARENA_NO_CAP);
    struct json_report report = json_check(json, (size_t)(at - json));
    assert_int_equal(report.values, 3 * PAIRS + 1);
    const cJSON *tree = NULL;
    assert_int_equal(json_tree_parse(json, (size_t)(at - json), report.values, &arena, &tree), JSON_TREE_GOOD);
    assert_true(arena.used <= (3 * PAIRS + 1) * (sizeof(cJSON) + 32) + 2 * (size_t)(at - json) + 4096);
    /* Fewer values than there are: it fails, and cleanly. */
    arena_reset(&arena);
    assert_int_equal(json_tree_parse(json, (size_t)(at - json), 10, &arena, &tree), JSON_TREE_NO_MEMORY);
    /* What no check would have passed is told apart from that. */
    assert_int_equal(json_tree_parse("[1", 2, 10, &arena, &tree), JSON_TREE_REFUSED);
    arena_clear(&arena);
    free(json);
}

/* `start`, a hundred times `fill`, `end`. */
static void no_number_is_too_long_for_cjson_and_each_keeps_its_value(void **state) {
    static const struct {
        const char *start, *fill, *end;
        double value;
    } numbers[] = {
        {"1", "0", "", HUGE_VAL},
        {"-1", "0", "", -HUGE_VAL},
        {"1", "0", "e-100", 1},
        {"-12", "0", "E-100", -12},
        {"1.", "0", "", 1},
        {"-7.", "0", "e0", -7},
        {"0.", "0", "5e101", 5},
        {"-0.", "0", "37e+103", -370},
        {"0.", "0", "", 0},
        {"-0.", "0", "", 0},
        {"3e", "0", "2", 300},
        {"1", "2", "", HUGE_VAL},
        {"-1", "2", "", -HUGE_VAL},
        {"9007199254740993.", "0", "", 9007199254740993.0},
        {"0.", "0", "1", 0.5},
        {"1.", "3", "", 0.5},
        {"1e-", "9", "", 0.5},
        {"1e", "9", "", HUGE_VAL},
        {"12345678901234567890.", "0", "", 12345678901234567890.0},
    };
    (void)state;
    json_tree_prepare();
    for (size_t n = 0; n < sizeof numbers / sizeof *numbers; n++) {
        char json[256] = "";
        strcat(json, numbers[n].start);
        for (int i = 0; i < 100; i++)
            strcat(json, numbers[n].fill);
        strcat(json, numbers[n].end);
        size_t length = strlen(json);
        struct json_report report = json_check(json, length);
        assert_true(report.good);
        assert_true(strcspn(json, " ") <= 63);
        assert_int_equal(strlen(json), length);
        struct arena arena;
        const cJSON *tree = NULL;
        arena_init(&arena, ARENA_NO_CAP);
        assert_int_equal(json_tree_parse(json, length, report.values, &arena, &tree), JSON_TREE_GOOD);
        bool huge = isinf(numbers[n].value);
        if (signbit(tree->valuedouble) != (numbers[n].start[0] == '-' && numbers[n].value != 0.5))
            fail_msg("%s became %s, with another sign", numbers[n].start, json);
        if (huge ? !(fabs(tree->valuedouble) > 1e40 && signbit(tree->valuedouble) == signbit(numbers[n].value))
                 : tree->valuedouble != numbers[n].value)
            fail_msg("%s became %s, which is %g", numbers[n].start, json, tree->valuedouble);
        arena_clear(&arena);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_rfc_8259_allows_is_good),
        cmocka_unit_test(everything_else_is_refused_at_its_place),
        cmocka_unit_test(values_are_counted_and_names_are_not),
        cmocka_unit_test(a_number_that_is_no_integer_stays_none),
        cmocka_unit_test(every_prefix_and_every_changed_byte_is_looked_at_without_going_astray),
        cmocka_unit_test(cjson_reads_what_passed_and_allocates_nowhere_else),
        cmocka_unit_test(no_number_is_too_long_for_cjson_and_each_keeps_its_value),
        cmocka_unit_test(a_tree_never_takes_more_than_its_values_account_for),
    };
    return cmocka_run_group_tests_name("json", tests, NULL, NULL);
}
