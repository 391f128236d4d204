/* The strict JSON check, including invalid texts that cJSON would accept. */
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

static const struct work work = {.left = 0}; /* no stop flag, so nothing is ever stopped */

static void assert_same(const struct json_report *a, const struct json_report *b) {
    assert_int_equal(a->good, b->good);
    assert_int_equal(a->offset, b->offset);
    assert_ptr_equal(a->reason, b->reason);
    assert_int_equal(a->values, b->values);
    assert_int_equal(a->has_member, b->has_member);
    assert_int_equal(a->member_is_array, b->member_is_array);
    assert_int_equal(a->member.begin, b->member.begin);
    assert_int_equal(a->member.end, b->member.end);
    assert_int_equal(a->elements, b->elements);
    assert_int_equal(a->no_memory, b->no_memory);
}

/* Check a text in several calls, each for this many bytes. */
static struct json_report check_in_turns(char *json, size_t length, size_t bytes, const char *member,
                                         struct buffer *spans) {
    struct json_checker checker;
    size_t turns = 1;
    json_checker_init(&checker, json, length, member, spans);
    while (!json_checker_run(&checker, bytes))
        turns++;
    /* Each call makes progress. */
    assert_true(turns <= 2 * length / bytes + 2);
    return checker.report;
}

/* Check a copy in a block of exactly its size, so that AddressSanitizer reports reads past its end. Then check it again
 * in several calls, which must give the same result. */
static struct json_report check(const char *json, size_t length, char *ret_after) {
    char *copy = malloc(length != 0 ? length : 1), *turned = malloc(length != 0 ? length : 1);
    assert_non_null(copy);
    assert_non_null(turned);
    memcpy(copy, json, length);
    struct json_report report;
    assert_int_equal(json_check(copy, length, &work, &report), OUTCOME_DONE);
    for (size_t bytes = 1; bytes <= 17; bytes += bytes < 3 ? 1 : bytes < 7 ? 4 : 10) {
        memcpy(turned, json, length);
        struct json_report again = check_in_turns(turned, length, bytes, NULL, NULL);
        assert_same(&again, &report);
        assert_memory_equal(turned, copy, length);
    }
    if (ret_after != NULL)
        memcpy(ret_after, copy, length);
    free(copy);
    free(turned);
    return report;
}

static void all_texts_of_rfc_8259_are_valid(void **state) {
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

static void a_number_that_is_neither_an_integer_nor_a_half_stays_none(void **state) {
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
        {"1.5", 1.5},
        {"-0.50", -0.5},
        {"15e-1", 1.5},
        {"99999999999999.5", 99999999999999.5},
        {"999999999999999.5", 0.1},
        {"1e-400", 0.1},
        {"1.00000000000000000000000000001", 0.1},
        {"9007199254740991.4", 0.1},
        {"9007199254740991.5", 0.1},
        {"1.05", 0.1},
        {"1.25", 0.1},
        {"5e-2", 0.1},
        {"1e-99999999999999999999", 0.1},
        {"1000e-4", 0.1},
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

static void a_very_long_fraction_is_overwritten_to_its_end_and_an_integer_stays(void **state) {
    static const char *const ends[] = {"", "e-3", ".5", "e3"};
    (void)state;
    for (size_t e = 0; e < 4; e++) {
        bool fraction = e == 1 || e == 2;
        char json[4000] = "[7,", after[4000];
        memset(json + 3, '3', 3000);
        strcpy(json + 3003, ends[e]);
        strcat(json, ",[8,9]]");
        size_t length = strlen(json);
        struct json_report report = check(json, length, after);
        assert_true(report.good);
        assert_int_equal(report.values, 6);
        assert_true(report.has_long_numbers == !fraction);
        assert_memory_equal(after + 3, fraction ? "0.1" : json + 3, fraction ? 3 : length - 3);
        assert_true(!fraction || strspn(after + 6, " ") == length - 13);
    }
}

static void the_elements_of_one_member_are_noted(void **state) {
    static const struct {
        const char *json, *member; /* NULL for none */
        const char *elements[4];   /* elements of an array, ending with NULL */
    } texts[] = {
        {"{\"cases\":[]}", "[]", {NULL}},
        {"{\"cases\":[1]}", "[1]", {"1"}},
        {" { \"a\" : [ 1 ] , \"cases\" : [ 1 , \"x\" , [ [ 2 ] , { } ] ] , \"b\" : 0 } ",
         "[ 1 , \"x\" , [ [ 2 ] , { } ] ]",
         {"1", "\"x\"", "[ [ 2 ] , { } ]"}},
        {"{\"cases\":[[1,2],[3,4],[5,6]],\"cases\":[7]}", "[[1,2],[3,4],[5,6]]", {"[1,2]", "[3,4]", "[5,6]"}},
        {"{\"cases\":1,\"cases\":[7]}", "1", {NULL}},
        {"{\"cases\":{\"cases\":[7]},\"cases\":[8]}", "{\"cases\":[7]}", {NULL}},
        {"{\"cases\":\"s\"}", "\"s\"", {NULL}},
        {"{\"a\":{\"cases\":[7]},\"cases\":[{\"cases\":[9]},true]}",
         "[{\"cases\":[9]},true]",
         {"{\"cases\":[9]}", "true"}},
        {"{\"\\u0063as\\u0065s\":[\"\\\"\",1.5e3]}", "[\"\\\"\",1.5e3]", {"\"\\\"\"", "1.5e3"}},
        {"{\"cases\":[100.25,-12]}", "[0.1   ,-12]", {"0.1   ", "-12"}},
        {"{\"case\":[1],\"casess\":[1],\"\":[1],\"cas\\u00e9s\":[1],\"cases\\n\":[1],\"\\n\":1}", NULL, {NULL}},
        {"[{\"cases\":[1]}]", "[{\"cases\":[1]}]", {"{\"cases\":[1]}"}},
        {" [ \"cases\" , [1,2] ] ", "[ \"cases\" , [1,2] ]", {"\"cases\"", "[1,2]"}},
        {"[]", "[]", {NULL}},
        {"[{},[[]],[0]]", "[{},[[]],[0]]", {"{}", "[[]]", "[0]"}},
        {"\"cases\"", NULL, {NULL}},
    };
    (void)state;
    for (size_t t = 0; t < sizeof texts / sizeof *texts; t++)
        for (size_t bytes = 1; bytes < 200; bytes += bytes < 20 ? 1 : 60) {
            char json[200];
            struct buffer spans;
            const char *member = texts[t].member;
            size_t length = strlen(texts[t].json), count = 0;
            memcpy(json, texts[t].json, length);
            buffer_init(&spans, 1000, NULL);
            struct json_report report = check_in_turns(json, length, bytes, "cases", &spans);
            const struct json_span *span = (const struct json_span *)spans.data;
            assert_true(report.good);
            assert_int_equal(report.has_member, member != NULL);
            assert_int_equal(report.member_is_array, member != NULL && *member == '[');
            if (member != NULL) {
                assert_int_equal(report.member.end - report.member.begin, strlen(member));
                assert_memory_equal(json + report.member.begin, member, strlen(member));
            }
            for (; texts[t].elements[count] != NULL; count++) {
                assert_true(count < report.elements);
                assert_int_equal(span[count].end - span[count].begin, strlen(texts[t].elements[count]));
                assert_memory_equal(json + span[count].begin, texts[t].elements[count],
                                    strlen(texts[t].elements[count]));
            }
            assert_int_equal(report.elements, count);
            assert_int_equal(spans.length, count * sizeof(struct json_span));
            buffer_clear(&spans);
        }
}

static void unread_elements_are_counted_and_without_memory_the_check_ends(void **state) {
    char json[] = "{\"cases\":[1,2,[3],4]}";
    struct account account;
    struct buffer spans;
    (void)state;
    buffer_init(&spans, 2 * sizeof(struct json_span), NULL);
    struct json_report report = check_in_turns(json, strlen(json), SIZE_MAX, "cases", &spans);
    assert_true(report.good);
    assert_int_equal(report.elements, 4);
    assert_int_equal(report.member.end, strlen(json) - 1);
    assert_int_equal(spans.length, 2 * sizeof(struct json_span));
    assert_int_equal(spans.outcome, OUTCOME_TOO_LARGE);
    buffer_clear(&spans);
    account_init(&account, 100);
    buffer_init(&spans, SIZE_MAX, &account);
    report = check_in_turns(json, strlen(json), SIZE_MAX, "cases", &spans);
    assert_true(report.no_memory);
    assert_false(report.good);
    assert_null(report.reason);
    buffer_clear(&spans);
}

/* The texts use the fast paths, or make them stop. Every byte is also replaced in turn. */
static void arrays_of_short_elements_are_read_like_others(void **state) {
    static const char *const texts[] = {
        "[[12,345],[6,7],[0,0],[1234567,12345678],[ 1,2], [3, "
        "4],[[5]],[\"B\",\"Q16\"],[\"pass\"],[\"abcdefg\",\"abcdefgh\"]]",
        "{\"a\":[1,2,3],\"b\":[[0,1],[2,3]],\"c\":[{\"d\":[[1,1],[2,2]]},[4,5,6],\"\",0,-1,[7,8]]}",
    };
    (void)state;
    for (size_t t = 0; t < 2; t++) {
        size_t length = strlen(texts[t]);
        char changed[200];
        assert_true(check(texts[t], length, NULL).good);
        assert_int_equal(check(texts[t], length, NULL).values, t == 0 ? 30 : 31);
        for (size_t at = 0; at < length; at++)
            for (const char *byte = "0x\"],[ {}:\\.-\x01\x80"; *byte != 0; byte++) {
                memcpy(changed, texts[t], length);
                changed[at] = *byte;
                /* This also checks the text byte by byte, which never uses the fast paths. */
                check(changed, length, NULL);
            }
    }
    assert_int_equal(check("[[[[[[[[[[[[[[[[1,2],[3,4],[5,6],[7,8]]]]]]]]]]]]]]]]", 52, NULL).values, 27);
    assert_int_equal(check("[[1,2],[03,4],[5,6],[7,8]]", 26, NULL).offset, 8);
    assert_int_equal(check("[[1,2],[3,4],,[5,6],[7,8]]", 26, NULL).offset, 13);
}

static void a_long_string_is_refused_where_it_is_wrong(void **state) {
    (void)state;
    for (size_t at = 1; at < 40; at++) {
        char json[41];
        memset(json, 'a', sizeof json);
        json[0] = json[40] = '"';
        assert_true(check(json, sizeof json, NULL).good);
        for (const char *wrong = "\x1f\x01\x80\xff\""; *wrong != 0; wrong++) {
            json[at] = *wrong;
            struct json_report report = check(json, sizeof json, NULL);
            assert_false(report.good);
            assert_int_equal(report.offset, at + (*wrong == '"'));
        }
        json[at] = '\x7f';
        assert_true(check(json, sizeof json, NULL).good);
    }
}

static void cjson_reads_what_passed_and_allocates_nowhere_else(void **state) {
    /* Regressions: a number with more than 63 digits, an escaped name, and a duplicate name. */
    char json[] = "{\"b\\u006fard\":[100000000000000000000000000000000000000000000000000000000000000000000],"
                  "\"x\":1,\"x\":2}";
    struct arena arena;
    (void)state;
    json_tree_prepare();
    arena_init(&arena, ARENA_NO_CAP);
    struct json_report report;
    assert_int_equal(json_check(json, sizeof json - 1, &work, &report), OUTCOME_DONE);
    assert_true(report.good);
    assert_true(report.has_long_numbers);
    struct json_tree tree;
    const char *text = json;
    size_t length = sizeof json - 1;
    assert_int_equal(json_shorten_numbers(&text, length, &arena, &work), OUTCOME_DONE);
    assert_int_equal(json_tree_parse(text, length, NULL, 0, &arena, &work, &tree), OUTCOME_DONE);
    assert_string_equal(tree.root->child->string, "board");
    assert_true(tree.root->child->child->valuedouble == 1e68);
    assert_int_equal(cJSON_GetArraySize(tree.root), 3);
    size_t used = arena.used;
    assert_null(cJSON_CreateObject());
    assert_int_equal(arena.used, used);
    arena_clear(&arena);
}

static void a_tree_is_bounded_by_its_arena(void **state) {
    enum { PAIRS = 50000 };
    struct arena arena;
    struct account account;
    struct json_tree tree;
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
    account_init(&account, 1 << 20);
    arena_init_charged(&arena, 0, &account);
    assert_int_equal(json_tree_parse(json, (size_t)(at - json), NULL, 0, &arena, &work, &tree), OUTCOME_NO_MEMORY);
    arena_clear(&arena);
    assert_int_equal(atomic_load(&account.used), 0);
    /* A text that the check would have refused has a different outcome. */
    assert_int_equal(json_tree_parse("[1", 2, NULL, 0, &arena, &work, &tree), OUTCOME_INTERNAL);
    arena_clear(&arena);
    free(json);
}

/* Each text consists of `start`, `fill` repeated a hundred times, and `end`. */
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
        {"0.", "0", "1", 0.1},
        {"1.", "3", "", 0.1},
        {"1e-", "9", "", 0.1},
        {"6.5", "0", "", 6.5},
        {"-65", "0", "e-101", -6.5},
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
        struct json_report report = check(json, length, json);
        assert_true(report.good);
        assert_int_equal(strlen(json), length);
        struct arena arena;
        struct json_tree whole;
        arena_init(&arena, ARENA_NO_CAP);
        const char *text = json;
        assert_int_equal(json_shorten_numbers(&text, length, &arena, &work), OUTCOME_DONE);
        const char *blank = memchr(text, ' ', length);
        assert_true((blank != NULL ? (size_t)(blank - text) : length) <= 63);
        assert_int_equal(json_tree_parse(text, length, NULL, 0, &arena, &work, &whole), OUTCOME_DONE);
        const cJSON *tree = whole.root;
        bool huge = isinf(numbers[n].value);
        if (signbit(tree->valuedouble) != (numbers[n].start[0] == '-' && numbers[n].value != 0.1))
            fail_msg("%s became %s, with another sign", numbers[n].start, json);
        if (huge ? !(fabs(tree->valuedouble) > 1e40 && signbit(tree->valuedouble) == signbit(numbers[n].value))
                 : tree->valuedouble != numbers[n].value)
            fail_msg("%s became %s, which is %g", numbers[n].start, json, tree->valuedouble);
        arena_clear(&arena);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_texts_of_rfc_8259_are_valid),
        cmocka_unit_test(everything_else_is_refused_at_its_place),
        cmocka_unit_test(values_are_counted_and_names_are_not),
        cmocka_unit_test(a_number_that_is_neither_an_integer_nor_a_half_stays_none),
        cmocka_unit_test(every_prefix_and_every_changed_byte_is_looked_at_without_going_astray),
        cmocka_unit_test(a_very_long_fraction_is_overwritten_to_its_end_and_an_integer_stays),
        cmocka_unit_test(the_elements_of_one_member_are_noted),
        cmocka_unit_test(unread_elements_are_counted_and_without_memory_the_check_ends),
        cmocka_unit_test(arrays_of_short_elements_are_read_like_others),
        cmocka_unit_test(a_long_string_is_refused_where_it_is_wrong),
        cmocka_unit_test(cjson_reads_what_passed_and_allocates_nowhere_else),
        cmocka_unit_test(no_number_is_too_long_for_cjson_and_each_keeps_its_value),
        cmocka_unit_test(a_tree_is_bounded_by_its_arena),
    };
    return cmocka_run_group_tests_name("json", tests, NULL, NULL);
}
