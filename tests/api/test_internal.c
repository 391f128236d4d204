/* An internal error: a solver's invariant does not hold. No request can cause one, so here the rules of the crossing
 * pawn are made to return no moves while the line of best moves is computed. The answer is 500 and says that retrying
 * will not help; in a stream, the other lines are not affected. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "api/request.h"
#include "pawn/position.h"

static bool broken; /* if set, no position has a move */

unsigned __real_pawn_position_moves(const struct pawn_position *position, struct pawn_move *ret_moves);
unsigned __wrap_pawn_position_moves(const struct pawn_position *position, struct pawn_move *ret_moves);

unsigned __wrap_pawn_position_moves(const struct pawn_position *position, struct pawn_move *ret_moves) {
    return broken ? 0 : __real_pawn_position_moves(position, ret_moves);
}

#define VERDICT "{\"id\":1,\"board\":[\"OO\",\"X.\"]}"
#define LINE "{\"id\":2,\"board\":[\"OO\",\"X.\"],\"include\":[\"line\"]}"
#define PROBLEM                                                                                                        \
    "{\"type\":\"/problems/internal\",\"title\":\"Internal error\",\"status\":500,"                                    \
    "\"detail\":\"an internal consistency check failed\"}"

static void expect(const struct service *service, const char *type, const char *body, unsigned status,
                   const char *right) {
    struct response response = test_ask(service, "POST", "/pawn", "Content-Type", type, body, strlen(body));
    assert_int_equal(response.status, status);
    assert_int_equal(response.length, strlen(right));
    assert_memory_equal(response.body, right, response.length);
    for (size_t h = 0; h < response.header_count; h++)
        assert_string_not_equal(response.headers[h].name, "Retry-After");
    response_clear(&response);
}

static void a_broken_invariant_of_a_solver_is_500(void **state) {
    static const char json[] = "application/json", lines[] = "application/x-ndjson";
    struct account account;
    (void)state;
    struct service *service = test_service(test_limits(), TEST_INFLIGHT, &account);
    assert_non_null(service);
    broken = true;
    expect(service, json, VERDICT, 200, "{\"id\":1,\"verdict\":\"Red\",\"steps\":1}\n");
    expect(service, json, LINE, 500, PROBLEM "\n");
    expect(service, json, "{\"cases\":[" VERDICT "," LINE "]}", 500, PROBLEM "\n");
    expect(service, lines, VERDICT "\n" LINE "\n" VERDICT, 200,
           "{\"id\":1,\"verdict\":\"Red\",\"steps\":1}\n{\"id\":2,\"problem\":" PROBLEM "}\n"
           "{\"id\":1,\"verdict\":\"Red\",\"steps\":1}\n");
    broken = false;
    expect(
        service, json, LINE, 200,
        "{\"id\":2,\"verdict\":\"Red\",\"steps\":1,\"line\":[{\"from\":[0,0],\"to\":[1,0]}],\"reason\":\"capture\"}\n");
    assert_int_equal(atomic_load(&account.used), 0);
    service_free(service);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_broken_invariant_of_a_solver_is_500),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
