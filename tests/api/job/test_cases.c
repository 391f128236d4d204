/*
 * The cases of a body are found in order, can be put back, and are then taken again. A text body can contain JSON, and
 * a case can be a collection.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "api/job/opened.h"
#include "api/torture/failing.h"

static const char json[] = "application/json", text[] = "text/plain", sgf[] = "application/x-go-sgf",
                  batch[] = "{\"cases\":[{\"board\":[\".\"]},{\"board\":[\"..\"]},{\"board\":[\"...\"]}]}",
                  collection[] = "(;SZ[2])(;SZ[3];B[aa])";

static void cases_are_found_in_the_order_of_the_body(void **state) {
    struct opened opened;
    struct found_case found[4];
    assert_true(opened_init(&opened, *state, "/mine", json, json, batch));
    assert_int_equal(opened_open(&opened, WORK_UNBOUNDED), OUTCOME_DONE);
    for (size_t n = 0; n < 3; n++) {
        assert_true(opened_find(&opened, &found[n]));
        assert_int_equal(found[n].number, n);
        assert_int_equal(found[n].lane, JOB_SHORT);
        assert_memory_equal(opened.body + found[n].position.begin, "{\"board\":", 9);
        assert_true(n == 0 || found[n].position.begin > found[n - 1].position.end);
    }
    assert_false(opened_find(&opened, &found[3]));
    opened_clear(&opened);
}

static void a_case_that_was_put_back_is_taken_in_its_lane_only(void **state) {
    struct opened opened;
    struct found_case found[3];
    assert_true(opened_init(&opened, *state, "/mine", json, json, batch));
    assert_int_equal(opened_open(&opened, WORK_UNBOUNDED), OUTCOME_DONE);
    for (size_t n = 0; n < 3; n++)
        assert_true(opened_find(&opened, &found[n]));
    assert_null(cases_take_again(&opened.cases, JOB_LONG));
    cases_put_back(&opened.cases, &found[2], JOB_LONG);
    cases_put_back(&opened.cases, &found[0], JOB_LONG);
    cases_put_back(&opened.cases, &found[1], JOB_SHORT);
    assert_true(cases_have_again(&opened.cases, JOB_SHORT));
    assert_ptr_equal(cases_take_again(&opened.cases, JOB_LONG),
                     &found[2]); /* in the order in which they were put back */
    assert_int_equal(found[2].lane, JOB_LONG);
    assert_ptr_equal(cases_take_again(&opened.cases, JOB_LONG), &found[0]);
    assert_false(cases_have_again(&opened.cases, JOB_LONG));
    assert_ptr_equal(cases_take_again(&opened.cases, JOB_SHORT), &found[1]);
    assert_false(cases_have_again(&opened.cases, JOB_SHORT));
    cases_put_back(&opened.cases, &found[0], JOB_SHORT); /* a case can be put back more than once */
    assert_ptr_equal(cases_take_again(&opened.cases, JOB_SHORT), &found[0]);
    opened_clear(&opened);
}

static void a_text_that_is_json_is_answered_like_json(void **state) {
    static char blanks[300 << 10];
    memset(blanks, ' ', sizeof blanks - 1);
    memcpy(blanks + sizeof blanks - 1 - (sizeof batch - 1), batch, sizeof batch - 1);
    struct opened opened;
    struct found_case found;
    int calls = 1;
    assert_true(opened_init(&opened, *state, "/mine", text, "*/*", blanks));
    assert_int_equal(opened.cases.answer, FORMAT_TEXT);
    while (opened_open(&opened, JOB_MIN_WORK / 8) == OUTCOME_MORE_WORK)
        calls++;
    assert_true(calls > 1); /* each call continues the search for the first byte where the last one stopped */
    assert_int_equal(opened.cases.answer, FORMAT_JSON);
    assert_int_equal(opened.cases.source->body, FORMAT_JSON);
    assert_int_equal(opened.cases.source->count, 3);
    assert_true(opened_find(&opened, &found));
    assert_int_equal(found.position.begin, sizeof blanks - sizeof batch + strlen("{\"cases\":["));
    opened_clear(&opened);
    assert_true(opened_init(&opened, *state, "/mine", text, "*/*", "1\n1 1 0\n"));
    assert_int_equal(opened_open(&opened, WORK_UNBOUNDED), OUTCOME_DONE);
    assert_int_equal(opened.cases.answer, FORMAT_TEXT);
    opened_clear(&opened);
}

static void an_empty_body_is_refused(void **state) {
    struct opened opened;
    struct found_case found;
    assert_true(opened_init(&opened, *state, "/mine", json, json, "\xef\xbb\xbf")); /* only a byte order mark */
    assert_int_equal(opened_open(&opened, WORK_UNBOUNDED), OUTCOME_DONE);
    assert_true(opened.cases.source->ended);
    assert_int_equal(opened.cases.source->problem, PROBLEM_MALFORMED);
    assert_int_equal(opened.cases.source->faults.count, 1);
    assert_false(opened_find(&opened, &found));
    opened_clear(&opened);
}

/* Open the games of the collection. Returns the number of games found, or -1 if memory ran out. */
static int count_games(struct opened *opened, const struct service *service) {
    struct found_case found;
    struct fault_list faults;
    struct work work = {.left = WORK_UNBOUNDED};
    int count = -1;
    fault_list_init(&faults, NULL);
    if (opened_init(opened, service, "/go?game=all", sgf, json, collection) &&
        opened_open(opened, WORK_UNBOUNDED) == OUTCOME_DONE && opened_find(opened, &found)) {
        const struct source *source = opened->cases.source;
        struct workspace *kept = cases_collection(&opened->cases);
        struct case_reading reading = {
            .position = &found.position, .workspace = kept, .work = &work, .faults = &faults};
        if (kept != NULL && source->format->read(source, &reading) == OUTCOME_DONE &&
            cases_open_games(&opened->cases, reading.the_case))
            for (count = 0; opened_find(opened, &found); count++)
                assert_int_equal(found.number, count);
    }
    fault_list_clear(&faults);
    return count;
}

static void the_games_of_a_collection_are_cases_of_a_batch(void **state) {
    struct opened opened;
    assert_int_equal(count_games(&opened, *state), 2);
    assert_int_equal(opened.cases.source->mode, MODE_BATCH);
    opened_clear(&opened);
}

static void cases_can_be_cleared_after_any_allocation_has_failed(void **state) {
    int count = -1, failures = 0;
    for (long first = 1; count < 0; first++) { /* allocation 0 is the copy of the body, which the test itself needs */
        struct opened opened;
        long before = failing_live();
        failing_begin(first, FAILING_ONCE);
        count = count_games(&opened, *state);
        failures += failing_end();
        opened_clear(&opened);
        assert_int_equal(failing_live(), before);
    }
    assert_int_equal(count, 2);
    assert_true(failures >= 3); /* at least the source, the workspace of the collection, and the source of its games */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cases_are_found_in_the_order_of_the_body),
        cmocka_unit_test(a_case_that_was_put_back_is_taken_in_its_lane_only),
        cmocka_unit_test(a_text_that_is_json_is_answered_like_json),
        cmocka_unit_test(an_empty_body_is_refused),
        cmocka_unit_test(the_games_of_a_collection_are_cases_of_a_batch),
        cmocka_unit_test(cases_can_be_cleared_after_any_allocation_has_failed),
    };
    return cmocka_run_group_tests(tests, test_start_service, test_stop_service);
}
