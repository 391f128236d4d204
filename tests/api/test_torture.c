/* Every allocation fails once: the answer is then the right one or 503, nothing leaks, and the next request is fine. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "api/request.h"

#include <cjson/cJSON.h>

/* The allocation that is to fail, counted down; negative: none. The linker leads malloc and its kin here. */
static long countdown = -1;

static bool fails(void) { return countdown >= 0 && countdown-- == 0; }

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *block, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *block, size_t size);

void *__wrap_malloc(size_t size) { return fails() ? NULL : __real_malloc(size); }
void *__wrap_calloc(size_t count, size_t size) { return fails() ? NULL : __real_calloc(count, size); }
void *__wrap_realloc(void *block, size_t size) { return fails() ? NULL : __real_realloc(block, size); }

/* Does cJSON refuse what it is given? */
static bool refuses;

cJSON *__real_cJSON_ParseWithLengthOpts(const char *json, size_t length, const char **end, cJSON_bool terminated);
cJSON *__wrap_cJSON_ParseWithLengthOpts(const char *json, size_t length, const char **end, cJSON_bool terminated);

cJSON *__wrap_cJSON_ParseWithLengthOpts(const char *json, size_t length, const char **end, cJSON_bool terminated) {
    return refuses ? NULL : __real_cJSON_ParseWithLengthOpts(json, length, end, terminated);
}

/* Ask with the body's own copy made before anything can fail. */
static struct response ask(const struct service *service, const char *target, const char *type, const char *accept,
                           const char *body, long failing) {
    struct header headers[] = {{"Host", "test"}, {"Content-Type", type}, {"Accept", accept}};
    bool link = strchr(target, '?') != NULL;
    struct request_head head = {link ? "GET" : "POST", target, "HTTP/1.1", headers, 3};
    struct response response = {0};
    char *copy = strdup(body);
    countdown = failing;
    api_handle(service, &head, copy, strlen(body), &response);
    countdown = -1;
    free(copy);
    return response;
}

#define JSON "application/json"
#define TEXT "text/plain"
#define SVG "image/svg+xml"
#define SGF "application/x-go-sgf"

static const struct {
    const char *target, *type, *accept, *body;
    unsigned status;
} requests[] = {
    {"/pawn", JSON, JSON,
     "{\"board\":[\"O.....\",\"......\",\"...#..\",\"......\",\"..X..O\"],\"id\":\"a\","
     "\"include\":[\"moves\",\"line\",\"boards\"]}",
     200},
    {"/pawn", JSON, SVG, "{\"board\":[\"O.O\",\"...\",\".X.\"]}", 200},
    {"/pawn", TEXT, TEXT, "1 2\n2 3\nO.O\n.X.\n2 2\nOO\n.X\n", 200},
    {"/go", JSON, JSON,
     "{\"size\":3,\"setup\":[\"B..\",\"...\",\"..W\"],\"moves\":[[\"B\",0,0],[\"W\",\"B3\"],[\"W\",\"A2\"],"
     "[\"B\",\"pass\"]],\"include\":[\"captured\",\"boards\",\"score\"]}",
     200},
    {"/go", JSON, JSON, "{\"sgf\":\"(;SZ[5]AB[aa:bb];B[cc](;W[cc])(;W[dd]))\"}", 200},
    {"/go", SGF, SVG, "(;SZ[5]AB[aa:bb];B[cc](;W[cc])(;W[dd]))", 200},
    {"/go", SGF, JSON, "(;SZ[5];B[zz])", 422},
    {"/go", TEXT, TEXT, "1\n3\nB 1 1\nW 1 1\nB 19 19\n", 200},
    {"/mine", JSON, JSON,
     "{\"cases\":[{\"board\":[\"...\",\".*.\"]},{\"rows\":9,\"cols\":9,\"mines\":[[4,4],[0,2],[2,7]],"
     "\"include\":[\"wins\",\"board\"]}]}",
     200},
    {"/mine", JSON, SVG, "{\"board\":[\"....*...\",\"..*.....\",\"........\",\"*.....*.\",\"....*...\"]}", 200},
    {"/mine", TEXT, TEXT, "2\n3 3 0\n3 3 1\n1 1\n", 200},
    {"/mine", JSON, JSON, "{\"cases\":[{\"board\":[\"x\"]},{\"board\":[3]},{}]}", 422},
    {"/mine", JSON, JSON, "{\"cases\":", 400},
    {"/mine?case=%7B%22board%22:%5B%22..*%22%5D%7D&format=json", JSON, JSON, "", 200},
    {"/mine?case=%7B%22board%22:1%7D&x=1", JSON, JSON, "", 400},
};

static void every_allocation_may_fail(void **state) {
    struct account account[2];
    struct service *service = test_service(test_limits(), TEST_INFLIGHT, account);
    unsigned failures = 0;
    (void)state;
    for (size_t r = 0; r < sizeof requests / sizeof *requests; r++) {
        struct response right =
            ask(service, requests[r].target, requests[r].type, requests[r].accept, requests[r].body, -1);
        size_t held = atomic_load(&account[0].used);
        assert_int_equal(right.status, requests[r].status);
        unsigned good_in_a_row = 0;
        for (long failing = 0; good_in_a_row < 3; failing++) {
            struct response response =
                ask(service, requests[r].target, requests[r].type, requests[r].accept, requests[r].body, failing);
            assert_true(failing < 1000);
            if (response.status == 503) {
                failures++;
                good_in_a_row = 0;
            } else {
                assert_int_equal(response.status, right.status);
                assert_int_equal(response.length, right.length);
                assert_memory_equal(response.body, right.body, right.length);
                good_in_a_row++;
            }
            response_clear(&response);
            assert_int_equal(atomic_load(&account[0].used), held);
            assert_int_equal(atomic_load(&account[1].used), 0);
        }
        response_clear(&right);
    }
    assert_true(failures > 30);
    service_free(service);
}

static void an_api_without_memory_is_none(void **state) {
    struct account account[2];
    struct service *service = NULL;
    long failing = 0;
    (void)state;
    for (; service == NULL; failing++) {
        assert_true(failing < 100);
        countdown = failing;
        service = test_service(test_limits(), TEST_INFLIGHT, account);
        countdown = -1;
    }
    assert_true(failing > 4);
    service_free(service);
}

static void a_body_that_cjson_refuses_for_no_reason_is_our_fault(void **state) {
    struct account account[2];
    struct service *service = test_service(test_limits(), TEST_INFLIGHT, account);
    (void)state;
    refuses = true;
    struct response response = ask(service, "/mine", JSON, JSON, "{\"board\":[\".\"]}", -1);
    refuses = false;
    assert_int_equal(response.status, 500);
    assert_int_equal(atomic_load(&account[1].used), 0);
    response_clear(&response);
    service_free(service);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(an_api_without_memory_is_none),
        cmocka_unit_test(a_body_that_cjson_refuses_for_no_reason_is_our_fault),
    };
    return cmocka_run_group_tests_name("torture", tests, NULL, NULL);
}
