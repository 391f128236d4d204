/* The text of the metrics after every route has been used in every way, and the times that loops report. Counting
 * itself is tested from outside (tests/server/metrics.test.mjs). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "api/answer/pack.h"
#include "api/request/routes.h"
#include "api/server/metrics.h"

enum { MAX_PACKED = 40000 };

/* Count one request with each status, lane and reason for a route. */
static void use(struct metrics *metrics, const char *route) {
    static const unsigned statuses[] = {0, 200, 304, 400, 404, 405, 406, 413, 415, 422, 500, 503};
    for (size_t s = 0; s < sizeof statuses / sizeof *statuses; s++)
        for (enum metrics_lane lane = METRICS_NOWHERE; lane < METRICS_LANES; lane++)
            for (enum reason reason = REASON_NONE; reason < REASONS; reason++)
                metrics_count(metrics, &(struct ended_request){.route = route,
                                                               .status = statuses[s],
                                                               .reason = reason,
                                                               .lane = lane,
                                                               .took = UINT64_C(123456789012) >> 3 * reason,
                                                               .waited = UINT64_C(98765432109) >> 3 * reason,
                                                               .worked = UINT64_C(87654321098) >> 3 * reason,
                                                               .bytes_in = UINT64_C(1234567890123),
                                                               .bytes_out = UINT64_C(1234567890123)});
}

static void the_text_is_small_in_gzip_when_each_route_was_used_in_each_way(void **state) {
    struct metrics *metrics = metrics_new();
    struct buffer unused, used, packed;
    (void)state;
    assert_non_null(metrics);
    buffer_init(&unused, SIZE_MAX, NULL);
    buffer_init_like(&used, &unused);
    buffer_init_like(&packed, &unused);
    metrics_put_requests(&unused, metrics);
    for (size_t r = 0; r < route_count(); r++)
        use(metrics, route_at(r).path);
    use(metrics, NULL);
    metrics_put_requests(&used, metrics);
    assert_int_equal(used.outcome, OUTCOME_DONE);
    assert_true(pack_gzip(used.data, used.length, &packed));
    print_message("# %zu bytes unused, %zu fully used, %zu of these in gzip\n", unused.length, used.length,
                  packed.length);
    assert_in_range(packed.length, 1, MAX_PACKED);
    buffer_clear(&unused);
    buffer_clear(&used);
    buffer_clear(&packed);
    metrics_free(metrics);
}

static void a_time_is_not_claimed_by_a_loop_that_has_read_an_earlier_one(void **state) {
    gauge last = 0;
    (void)state;
    assert_true(gauge_claim_time(&last, 1000, 100));
    assert_false(gauge_claim_time(&last, 1099, 100));
    assert_false(gauge_claim_time(&last, 990, 100));
    assert_int_equal(gauge_get(&last), 1000);
    assert_true(gauge_claim_time(&last, 1100, 100));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_text_is_small_in_gzip_when_each_route_was_used_in_each_way),
        cmocka_unit_test(a_time_is_not_claimed_by_a_loop_that_has_read_an_earlier_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
