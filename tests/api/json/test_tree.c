/* Trees in which arrays are left out, compared with complete trees. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "api/json/check.h"
#include "api/json/decode.h"
#include "reference/random.h"

#include <stdlib.h>
#include <string.h>

static const struct work work = {.left = 0}; /* never stopped */

static const char *const names[] = {"moves", "mines", NULL};

/* A text being written, and its trees. */
struct text {
    struct buffer out;
    struct arena arena, whole;
    struct json_tree tree, whole_tree;
    struct fault_list faults;
    struct work work;
    struct json_decode decode;
};

static int start(void **state) {
    struct text *text = calloc(1, sizeof *text);
    assert_non_null(text);
    json_tree_prepare();
    buffer_init(&text->out, SIZE_MAX, NULL);
    arena_init(&text->arena, ARENA_NO_CAP);
    arena_init(&text->whole, ARENA_NO_CAP);
    fault_list_init(&text->faults, NULL);
    text->work = (struct work){.left = WORK_UNBOUNDED};
    text->decode =
        (struct json_decode){.faults = &text->faults, .work = &text->work, .tree = &text->tree, .arena = &text->arena};
    *state = text;
    return 0;
}

static int stop(void **state) {
    struct text *text = *state;
    buffer_clear(&text->out);
    arena_clear(&text->arena);
    arena_clear(&text->whole);
    fault_list_clear(&text->faults);
    free(text);
    return 0;
}

static void put(struct text *text, const char *string) { buffer_put_string(&text->out, string); }

/* Append `string` this many times. */
static void put_times(struct text *text, const char *string, unsigned times) {
    while (times-- > 0)
        put(text, string);
}

/* Check the text, and parse it both ways from a block of exactly its size. The block lives as long as the complete
 * tree. */
static void parse(struct text *text) {
    size_t length = text->out.length;
    char *copy = arena_alloc(&text->whole, length);
    struct json_report report;
    assert_int_equal(text->out.outcome, OUTCOME_DONE);
    memcpy(copy, text->out.data, length);
    assert_int_equal(json_check(copy, length, &work, &report), OUTCOME_DONE);
    assert_true(report.good);
    assert_int_equal(json_tree_parse(copy, length, NULL, 1024, &text->whole, &work, &text->whole_tree), OUTCOME_DONE);
    assert_int_equal(json_tree_parse(copy, length, names, 1024, &text->arena, &work, &text->tree), OUTCOME_DONE);
    assert_int_equal(text->whole_tree.left_out_count, 0);
}

/* Compare member by member in order; cJSON_Compare ignores the order. */
static bool is_same(const cJSON *a, const cJSON *b) {
    const cJSON *x = a->child, *y = b->child;
    if (a->type != b->type || a->valuedouble != b->valuedouble || (a->string == NULL) != (b->string == NULL) ||
        (a->string != NULL && strcmp(a->string, b->string) != 0) ||
        (cJSON_IsString(a) && strcmp(a->valuestring, b->valuestring) != 0))
        return false;
    for (; x != NULL && y != NULL; x = x->next, y = y->next)
        if (!is_same(x, y))
            return false;
    return x == NULL && y == NULL;
}

/* Check that an array has the same elements as in the complete tree. */
static void assert_same_elements(struct text *text, const cJSON *array, const cJSON *whole) {
    struct json_elements elements;
    const cJSON *element, *expected = whole->child;
    assert_int_equal(json_count_elements(&text->decode, array), cJSON_GetArraySize(whole));
    json_elements_begin(&elements, &text->decode, array);
    for (; (element = json_elements_next(&elements)) != NULL; expected = expected->next) {
        assert_non_null(expected);
        assert_true(is_same(element, expected));
    }
    assert_null(expected);
    assert_null(json_elements_next(&elements));
    assert_int_equal(text->decode.outcome, OUTCOME_DONE);
}

/* Check that the two trees are equal. Returns how many arrays were left out of the first. */
static unsigned assert_same(struct text *text) {
    const cJSON *whole = text->whole_tree.root->child, *member;
    unsigned left_out = 0;
    cJSON_ArrayForEach(member, text->tree.root) {
        assert_string_equal(member->string, whole->string);
        if (json_tree_find_left_out(&text->tree, member) != NULL) {
            assert_null(member->child);
            left_out++;
        } else {
            assert_true(is_same(member, whole));
        }
        if (cJSON_IsArray(member))
            assert_same_elements(text, member, whole);
        whole = whole->next;
    }
    assert_null(whole);
    assert_int_equal(left_out, text->tree.left_out_count);
    return left_out;
}

static void a_long_array_is_left_out_and_read_one_element_at_a_time(void **state) {
    struct text *text = *state;
    put(text, " {\"size\" : 19, \"x\": \"]}\\\"\\\\\", \"moves\" :\n[ [\"B\",1,2] ");
    put_times(text, ", [ \"W\" , \"a]\\\\\\\"[,\" , {\"y\":[1,2]} ] ", 400);
    put(text, "] , \"moves\":[[1]],\"z\":{\"mines\":[");
    put_times(text, "1,", 3000);
    put(text, "2]},\"m\\u0069nes\":[");
    put_times(text, "[],", 3000);
    put(text, "2],\"mines\":[");
    put_times(text, "null, \"\" ,{ },1.5,[[ ]],", 500);
    put(text, "true]} ");
    parse(text);
    assert_int_equal(assert_same(text), 2);
    assert_int_equal(text->tree.left_out[0].elements, 401);
    assert_int_equal(text->tree.left_out[1].elements, 3001);
}

static void small_arrays_and_other_values_stay_in_the_tree(void **state) {
    struct text *text = *state;
    static const char *const heads[] = {"{\"moves\":[1],\"moves\":[", "{\"moves\":{\"mines\":[", "{\"other\":[",
                                        "{\"MOVES\":["};
    for (size_t h = 0; h < 4; h++) {
        text->out.length = 0;
        put(text, heads[h]);
        put_times(text, "1,", 5000);
        put(text, h == 1 ? "2]}}" : "2]}");
        parse(text);
        assert_int_equal(assert_same(text), 0);
    }
    text->out.length = 0;
    put(text, "{\"moves\":[");
    put_times(text, "1,", 500);
    put(text, "2]}");
    parse(text);
    assert_int_equal(assert_same(text), 0);
    /* A value that is not an object. */
    text->out.length = 0;
    put(text, "\"");
    put_times(text, "moves", 2000);
    put(text, "\"");
    parse(text);
    assert_int_equal(text->tree.left_out_count, 0);
}

/* Append a random JSON value; deeply nested ones are rare. */
static void put_random(struct text *text, struct reference_random *random, unsigned depth) {
    static const char *const scalars[] = {"1",    "-2",   "345", "\"a\"", "\"\\\"\"", "\"]\\\\\"",
                                          "null", "true", "[]",  "{}",    " 7 ",      "0.5"};
    static const char *const keys[] = {"\"moves\":", "\"mines\" : ", "\"x\":", "\"mov\\u0065s\":", "\"m,\\\\\":"};
    unsigned kind = reference_random_below(random, depth < 3 ? 4 : 2);
    unsigned count = reference_random_below(random, depth == 1 ? 600 : 4);
    if (depth != 0 && kind < 2) {
        put(text, scalars[reference_random_below(random, sizeof scalars / sizeof *scalars)]);
        return;
    }
    bool object = depth == 0 || kind == 2;
    put(text, object ? "{ " : "[");
    for (unsigned i = 0; i <= count; i++) {
        if (i != 0)
            put(text, reference_random_below(random, 2) == 0 ? "," : "\n, ");
        if (object)
            put(text, keys[reference_random_below(random, sizeof keys / sizeof *keys)]);
        put_random(text, random, depth + 1);
    }
    put(text, object ? "}" : " ]");
}

static void any_text_has_the_same_result_with_arrays_left_out(void **state) {
    struct text *text = *state;
    struct reference_random random = {1};
    unsigned left_out = 0;
    for (int round = 0; round < 1000; round++) {
        text->out.length = 0;
        put_random(text, &random, 0);
        parse(text);
        left_out += assert_same(text);
        arena_reset(&text->arena);
        arena_reset(&text->whole);
    }
    assert_true(left_out > 100);
}

static void the_members_of_an_object_are_walked_without_a_tree(void **state) {
    static const struct {
        const char *json, *names[5], *values[4];
    } texts[] = {
        {"{}", {NULL}, {NULL}},
        {" { } ", {NULL}, {NULL}},
        {"{\"cases\":[1,[2]]}", {"cases", NULL}, {"["}},
        {" { \"a\" : [ 1 ] , \"c\\u0061ses\" : [ 1 , 2 ] , \"cases\":-3,\"}\\\"\":\"}\" } ",
         {"a", "cases", "cases", "}\"", NULL},
         {"[ 1 ]", "[ 1 , 2 ]", "-3", "\"}\""}},
    };
    struct text *text = *state;
    for (size_t t = 0; t < sizeof texts / sizeof *texts; t++) {
        struct json_members members = json_members_begin(texts[t].json, strlen(texts[t].json), &work);
        const char *name;
        size_t elements;
        for (size_t m = 0;; m++) {
            assert_int_equal(json_members_next(&members, &text->arena, &name), OUTCOME_DONE);
            if (texts[t].names[m] == NULL)
                break;
            assert_string_equal(name, texts[t].names[m]);
            assert_memory_equal(members.at, texts[t].values[m], strlen(texts[t].values[m]));
            assert_int_equal(json_skip_value(&members.at, members.end, &work, &elements), OUTCOME_DONE);
        }
        assert_null(name);
    }
}

static void put_pairs(struct text *text, unsigned count) {
    put(text, "{\"mines\":[");
    put_times(text, "[12,345],", count);
    put(text, "[0,0]]}");
}

static void a_walk_takes_no_more_memory_than_one_element(void **state) {
    struct text *text = *state;
    struct json_elements elements;
    size_t max = 0, count = 0;
    put_pairs(text, 20000);
    parse(text);
    size_t used = text->arena.used;
    json_elements_begin(&elements, &text->decode, text->tree.root->child);
    for (; json_elements_next(&elements) != NULL; count++)
        max = text->arena.used > max ? text->arena.used : max;
    assert_int_equal(count, 20001);
    assert_true(max <= used + 3 * (sizeof(cJSON) + 16));
    assert_int_equal(text->arena.used, used);
}

static void a_walk_ends_with_the_decoding(void **state) {
    struct text *text = *state;
    struct json_elements elements;
    size_t count = 0;
    put_pairs(text, 1000);
    parse(text);
    text->work.left = 500;
    json_elements_begin(&elements, &text->decode, text->tree.root->child);
    while (json_elements_next(&elements) != NULL)
        count++;
    assert_int_equal(text->decode.outcome, OUTCOME_MORE_WORK);
    assert_true(count > 10 && count < 100);
    assert_null(json_elements_next(&elements));
    /* The walk also ends when memory runs out. A text that cJSON refuses has a different outcome. */
    struct arena small;
    arena_init(&small, 100);
    text->work.left = WORK_UNBOUNDED;
    text->decode.arena = &small;
    text->decode.outcome = OUTCOME_DONE;
    json_elements_begin(&elements, &text->decode, text->tree.root->child);
    assert_null(json_elements_next(&elements));
    assert_int_equal(text->decode.outcome, OUTCOME_NO_MEMORY);
    arena_clear(&small);
    text->decode.arena = &text->arena;
    text->decode.outcome = OUTCOME_DONE;
    json_elements_begin(&elements, &text->decode, text->tree.root->child);
    *(char *)elements.at = 'x';
    assert_null(json_elements_next(&elements));
    assert_int_equal(text->decode.outcome, OUTCOME_INTERNAL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_long_array_is_left_out_and_read_one_element_at_a_time, start, stop),
        cmocka_unit_test_setup_teardown(small_arrays_and_other_values_stay_in_the_tree, start, stop),
        cmocka_unit_test_setup_teardown(any_text_has_the_same_result_with_arrays_left_out, start, stop),
        cmocka_unit_test_setup_teardown(the_members_of_an_object_are_walked_without_a_tree, start, stop),
        cmocka_unit_test_setup_teardown(a_walk_takes_no_more_memory_than_one_element, start, stop),
        cmocka_unit_test_setup_teardown(a_walk_ends_with_the_decoding, start, stop),
    };
    return cmocka_run_group_tests_name("tree", tests, NULL, NULL);
}
