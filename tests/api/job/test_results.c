/* The results of cases arrive in any order, and are joined in the order of the cases, within a limit on memory. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "api/answer/problem.h"
#include "api/job/opened.h"
#include "api/job/results.h"
#include "api/torture/failing.h"

enum { MANY = RESULTS_WINDOW + 44 };

static const char json[] = "application/json", lines[] = "application/x-ndjson";
static const struct case_echo nothing = {0};

static struct opened opened;
static struct results results;
static struct game game; /* each case is just a number, its own size */

static uint64_t size_of(const void *the_case) { return *(const uint64_t *)the_case; }

/* Begin a body with this many cases as lines. The answer is either a stream or one batch in JSON. */
static bool begin(const struct service *service, size_t count, bool is_stream, uint64_t max_held) {
    static char body[MANY * 3 + 1];
    for (size_t n = 0; n < count; n++)
        memcpy(body + 3 * n, "{}\n", 4);
    if (!opened_init(&opened, service, "/mine", lines, is_stream ? lines : json, body) ||
        opened_open(&opened, WORK_UNBOUNDED) != OUTCOME_DONE)
        abort();
    game = *opened.admission.game;
    game.size_of = size_of;
    opened.admission.game = &game;
    results_init(&results, service, &opened.admission, max_held);
    return results_open(&results, opened.cases.source, opened.cases.answer);
}

static void end(void) {
    results_clear(&results);
    opened_clear(&opened);
}

/* Take the next case. Returns NULL if there is no room. */
static struct result *take(void) {
    struct result *result = results_room(&results);
    if (result == NULL || !opened_find(&opened, &result->found))
        return NULL;
    assert_ptr_equal(results_at(&results, result->found.number), result);
    return result;
}

/*
 * Process a case of this size. Its result is its number, unless it has a fault or is not wanted. Returns whether it is
 * wanted.
 */
static bool do_sized(struct result *result, uint64_t size, const char *fault) {
    const struct place place = {0};
    results_start(&results, result);
    if (fault != NULL)
        fault_at(&result->faults, &place, FAULT_VALUE, "%s", fault);
    bool is_wanted = results_want(&results, result, &size);
    if (is_wanted)
        buffer_put_integer(&result->out, (int64_t)result->found.number);
    results_end(&results, result, &nothing, OUTCOME_DONE);
    return is_wanted;
}

static bool do_case(struct result *result, const char *fault) { return do_sized(result, 1, fault); }

static void finish_case(struct result *result) {
    do_case(result, NULL);
    assert_null(results_deliver(&results, result));
}

static void expect_answer(unsigned status, const char *part) {
    struct response response = {0};
    results_respond(&results, &response);
    assert_int_equal(response.status, status);
    char *body = strndup(response.body, response.length);
    if (strstr(body, part) == NULL)
        fail_msg("%s is not in %s", part, body);
    free(body);
    response_clear(&response);
}

static void expect_lines(const char *expected, size_t piece) {
    char bytes[64] = "";
    size_t length = 0, more;
    while ((more = results_read(&results, bytes + length, piece)) != 0)
        length += more;
    bytes[length] = 0;
    assert_string_equal(bytes, expected);
}

static void results_are_joined_in_the_order_of_their_cases(void **state) {
    struct result *taken[4];
    assert_true(begin(*state, 4, false, 0));
    for (size_t n = 0; n < 4; n++)
        taken[n] = take();
    finish_case(taken[2]);
    finish_case(taken[1]);
    assert_int_equal(results.joined.length, 0);
    finish_case(taken[0]);
    assert_int_equal(results.first, 3);
    assert_int_equal(results.done, 3);
    assert_false(results_are_done(&results));
    finish_case(taken[3]);
    assert_true(results_are_done(&results));
    expect_answer(200, "{\"results\":[0,1,2,3]}\n");
    end();
}

static void there_is_room_for_the_cases_of_a_window(void **state) {
    assert_true(begin(*state, MANY, false, 0));
    struct result *first = take(), *other;
    size_t others = 0;
    for (; (other = take()) != NULL; others++)
        finish_case(other);
    assert_int_equal(others, RESULTS_WINDOW - 1);
    assert_null(results_room(&results));
    finish_case(first);
    assert_int_equal(results.first, RESULTS_WINDOW);
    for (; (other = take()) != NULL; others++)
        finish_case(other);
    assert_int_equal(others, MANY - 1);
    expect_answer(200, ",298,299]}\n");
    end();
}

static void lines_are_read_in_the_order_of_their_cases(void **state) {
    struct result *taken[3];
    assert_true(begin(*state, 3, true, SIZE_MAX));
    for (size_t n = 0; n < 3; n++)
        taken[n] = take();
    finish_case(taken[1]);
    expect_lines("", 1);
    assert_null(results_first_done(&results));
    finish_case(taken[0]);
    assert_non_null(results_first_done(&results));
    expect_lines("0\n1\n", 1);
    assert_int_equal(results.first, 2);
    do_case(taken[2], "a fault");
    assert_null(results_deliver(&results, taken[2]));
    char line[4096];
    size_t length = results_read(&results, line, sizeof line);
    assert_memory_equal(line, "{\"problem\":{\"type\":\"/problems/invalid-case\"", 43);
    assert_memory_equal(line + length - 2, "}\n", 2);
    assert_int_equal(results.first, 3);
    assert_int_equal(results.held, 0);
    end();
}

static void a_stream_has_no_room_while_its_unread_lines_hold_too_much(void **state) {
    struct result *result;
    size_t count = 0;
    assert_true(begin(*state, MANY, true, 1000));
    for (; (result = take()) != NULL; count++) {
        assert_true(results.held < 1000);
        finish_case(result);
    }
    assert_true(results.held >= 1000 && count < RESULTS_WINDOW);
    char bytes[2];
    assert_int_equal(results_read(&results, bytes, sizeof bytes), 2); /* the whole first line */
    assert_true(results.held < 1000);
    assert_non_null(results_room(&results));
    end();
}

static void after_the_last_line_of_a_broken_stream_there_is_none(void **state) {
    char expected[64], bytes[1];
    struct result *taken[2];
    assert_true(begin(*state, 2, true, SIZE_MAX));
    taken[0] = take();
    taken[1] = take();
    finish_case(taken[0]);
    assert_int_equal(results_read(&results, bytes, 1), 1); /* half of the first line */
    results.is_broken = true;
    snprintf(expected, sizeof expected, "\n%.40s", problem_last_line);
    char *rest = malloc(4096);
    assert_non_null(rest);
    size_t length = results_read(&results, rest, 4096);
    assert_int_equal(length, 1 + strlen(problem_last_line));
    assert_memory_equal(rest, expected, strlen(expected));
    finish_case(taken[1]);
    assert_int_equal(results_read(&results, rest, 4096), 0);
    free(rest);
    end();
}

static void after_a_fault_the_cases_of_a_batch_are_only_checked(void **state) {
    assert_true(begin(*state, 3, false, 0));
    struct result *good = take(), *bad = take(), *other = take();
    assert_true(do_case(good, NULL));
    assert_null(results_deliver(&results, good));
    assert_false(do_case(bad, "it is wrong"));
    assert_null(results_deliver(&results, bad));
    assert_false(do_case(other, NULL));
    assert_null(results_deliver(&results, other));
    assert_int_equal(results.joined.length, strlen("{\"results\":[0"));
    expect_answer(422, "it is wrong");
    end();
}

static void the_case_at_which_the_sum_is_exceeded_is_done_again(void **state) {
    struct result *taken[3];
    assert_true(begin(*state, 3, false, 0));
    results.max_total_size = 5;
    for (size_t n = 0; n < 3; n++)
        taken[n] = take();
    for (size_t n = 3; n-- > 1;) {
        assert_true(do_sized(taken[n], 2, NULL));
        assert_null(results_deliver(&results, taken[n]));
    }
    assert_false(do_sized(taken[0], 2, NULL)); /* it is known that the sum is exceeded, but not at which case */
    assert_ptr_equal(results_deliver(&results, taken[0]), taken[2]);
    assert_true(taken[2]->over_total);
    assert_false(results_are_done(&results));
    do_case(taken[2], "here the sum is exceeded");
    assert_null(results_deliver(&results, taken[2]));
    assert_true(results_are_done(&results));
    expect_answer(422, "here the sum is exceeded");
    end();
}

static void a_case_that_is_put_back_holds_no_memory_and_counts_once(void **state) {
    assert_true(begin(*state, 1, false, 0));
    struct result *result = take();
    const uint64_t size = 7;
    for (int attempt = 0; attempt < 3; attempt++) {
        results_start(&results, result);
        assert_true(results_want(&results, result, &size));
        buffer_put_literal(&result->out, "dropped");
        results_end(&results, result, &nothing, attempt == 0 ? OUTCOME_CANCELLED : OUTCOME_MORE_WORK);
        assert_null(result->out.data);
    }
    assert_int_equal(atomic_load(&results.size_read), 7);
    finish_case(result);
    expect_answer(200, "{\"results\":[0]}\n");
    end();
}

static void results_that_exceed_an_answer_turn_further_ones_off(void **state) {
    assert_true(begin(*state, 2, false, 0));
    struct result *large = take(), *other = take();
    results_start(&results, large);
    results_end(&results, large, &nothing, OUTCOME_TOO_LARGE);
    assert_null(results_deliver(&results, large));
    assert_false(do_case(other, NULL));
    assert_null(results_deliver(&results, other));
    expect_answer(422, "/problems/answer-too-large");
    end();
}

static void without_memory_for_the_window_there_is_no_room(void **state) {
    assert_true(begin(*state, 2, false, 0));
    results_clear(&results);
    long before = failing_live();
    failing_begin(0, FAILING_ONCE);
    assert_false(results_open(&results, opened.cases.source, opened.cases.answer));
    assert_true(failing_end());
    assert_null(results_room(&results));
    assert_int_equal(failing_live(), before);
    results_fail(&results, OUTCOME_NO_MEMORY);
    expect_answer(503, "/problems/overloaded");
    end();
}

static void without_memory_for_a_line_nothing_is_read(void **state) {
    assert_true(begin(*state, 1, true, SIZE_MAX));
    struct result *result = take();
    failing_begin(0, FAILING_FROM_THEN_ON);
    do_case(result, NULL);
    assert_true(failing_end());
    assert_int_equal(result->out.outcome, OUTCOME_NO_MEMORY);
    assert_null(results_deliver(&results, result));
    expect_lines("", 1);
    end();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(results_are_joined_in_the_order_of_their_cases),
        cmocka_unit_test(there_is_room_for_the_cases_of_a_window),
        cmocka_unit_test(lines_are_read_in_the_order_of_their_cases),
        cmocka_unit_test(a_stream_has_no_room_while_its_unread_lines_hold_too_much),
        cmocka_unit_test(after_the_last_line_of_a_broken_stream_there_is_none),
        cmocka_unit_test(after_a_fault_the_cases_of_a_batch_are_only_checked),
        cmocka_unit_test(the_case_at_which_the_sum_is_exceeded_is_done_again),
        cmocka_unit_test(a_case_that_is_put_back_holds_no_memory_and_counts_once),
        cmocka_unit_test(results_that_exceed_an_answer_turn_further_ones_off),
        cmocka_unit_test(without_memory_for_the_window_there_is_no_room),
        cmocka_unit_test(without_memory_for_a_line_nothing_is_read),
    };
    return cmocka_run_group_tests(tests, test_start_service, test_stop_service);
}
