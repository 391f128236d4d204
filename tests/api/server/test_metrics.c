/* The text of the metrics after each route was used in each way. The counting itself is tested from outside
 * (tests/server/metrics.test.mjs). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "api/request/routes.h"
#include "api/server/loop.h"
#include "api/server/metrics.h"

#include <string.h>

enum { MAX_PACKED = 40000 };

/* Count one request of each status, lane and reason for a route. */
static void use(struct metrics *metrics, const char *route) {
    static const unsigned statuses[] = {0, 200, 304, 400, 404, 405, 406, 413, 415, 422, 500, 503};
    for (size_t s = 0; s < sizeof statuses / sizeof *statuses; s++)
        for (enum metrics_lane lane = METRICS_NOWHERE; lane < METRICS_LANES; lane++)
            for (enum reason reason = REASON_NONE; reason < REASONS; reason++)
                metrics_count(metrics, &(struct metrics_request){.route = route,
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
    const struct response_cors cors = {0};
    struct metrics_loop loops[LOOP_MAX];
    const struct metrics_snapshot snapshot = {
        .version = "1.1.0", .commit = "0123456789ab", .loops = loops, .loop_count = LOOP_MAX};
    struct metrics *metrics = metrics_new();
    struct response response;
    (void)state;
    assert_non_null(metrics);
    for (size_t l = 0; l < LOOP_MAX; l++)
        loops[l] = (struct metrics_loop){UINT64_C(123456789012) >> l % 30, UINT64_C(1234567) >> l % 15};
    metrics_respond(metrics, &(struct metrics_snapshot){.version = "1.1.0", .commit = "0123456789ab"}, &cors,
                    &response);
    assert_int_equal(response.status, 200);
    size_t unused = response.length;
    response_clear(&response);
    for (size_t r = 0; r < route_count(); r++)
        use(metrics, route_at(r).path);
    use(metrics, NULL);
    metrics_respond(metrics, &snapshot, &cors, &response);
    assert_int_equal(response.status, 200);
    size_t used = response.length;
    assert_true(response_pack(&response, true));
    print_message("# %zu bytes unused, %zu fully used, %zu of these in gzip\n", unused, used, response.length);
    assert_in_range(response.length, 1, MAX_PACKED);
    response_clear(&response);
    metrics_free(metrics);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_text_is_small_in_gzip_when_each_route_was_used_in_each_way),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
