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

/* How many texts cJSON takes before it refuses what it is given; negative: all. */
static long taken = -1;

cJSON *__real_cJSON_ParseWithLengthOpts(const char *json, size_t length, const char **end, cJSON_bool terminated);
cJSON *__wrap_cJSON_ParseWithLengthOpts(const char *json, size_t length, const char **end, cJSON_bool terminated);

cJSON *__wrap_cJSON_ParseWithLengthOpts(const char *json, size_t length, const char **end, cJSON_bool terminated) {
    return taken >= 0 && taken-- == 0 ? NULL : __real_cJSON_ParseWithLengthOpts(json, length, end, terminated);
}

/* Ask with the body's own copy made before anything can fail. */
static struct response ask(const struct service *service, const char *target, const char *type, const char *accept,
                           const char *body, long failing) {
    struct header headers[] = {{"Host", "test"}, {"Content-Type", type}, {"Accept", accept}};
    bool link = *body == 0;
    struct request_head head = {link ? "GET" : "POST", target, "HTTP/1.1", headers, 3};
    struct response response = {0};
    char *copy = strdup(body);
    countdown = failing;
    api_handle(service, &head, copy, strlen(body), &response);
    countdown = -1;
    free(copy);
    return response;
}

#define TEN(text) text text text text text text text text text text
#define LONG_LIST "{\"rows\":9,\"cols\":9,\"mines\":[" TEN(TEN(TEN(TEN("[4, 4 ], ")))) "[1,1]]}"

#define JSON "application/json"
#define TEXT "text/plain"
#define SVG "image/svg+xml"
#define SGF "application/x-go-sgf"
#define LINES "application/x-ndjson"

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
    {"/go?game=2&include=boards,captured,score&ko=simple", SGF, JSON,
     "(;SZ[5](;B[aa])(;B[bb]))(;SZ[5];B[aa];W[ba];AE[aa]AB[cc];AW[aa]B[ee](;AE[aa])", 200},
    {"/go", SGF, JSON, "(;SZ[2];B[aa];AW[ba]AW[ab])", 422},
    {"/go?ko=x&game=0&include=score,score", SGF, JSON, "(;)", 422},
    {"/go?game=1&game=2", SGF, JSON, "(;)", 400},
    {"/go?game=all", SGF, JSON, "(;SZ[3];B[aa](;W[bb])(;W[cc]))(;SZ[3]RU[AGA];B[aa];AE[aa])(;)", 200},
    {"/go?game=all", SGF, LINES, "(;SZ[3];B[aa])(;SZ[3];B[zz])(;SZ[3];B[aa];AE[aa])", 200},
    {"/go?game=all", SGF, TEXT, "(;SZ[3];B[aa])(;SZ[3];B[bb])", 200},
    {"/go", JSON, JSON, "{\"id\":\"a\",\"sgf\":\"(;SZ[3];B[aa])(;SZ[3];B[aa];AE[aa])\",\"game\":\"all\"}", 200},
    {"/go", JSON, LINES, "{\"id\":\"a\",\"sgf\":\"(;SZ[3];B[aa])(;GM[2])\",\"game\":\"all\"}", 200},
    {"/go", JSON, JSON, "{\"id\":\"a\",\"sgf\":\"(;SZ[3];B[aa])(;GM[2])\",\"game\":\"all\"}", 422},
    {"/go", TEXT, TEXT, "1\n3\nB 1 1\nW 1 1\nB 19 19\n", 200},
    {"/mine", JSON, JSON,
     "{\"cases\":[{\"board\":[\"...\",\".*.\"]},{\"rows\":9,\"cols\":9,\"mines\":[[4,4],[0,2],[2,7]],"
     "\"include\":[\"wins\",\"board\"]}]}",
     200},
    {"/mine", JSON, JSON, LONG_LIST, 200},
    {"/mine", JSON, SVG, "{\"board\":[\"....*...\",\"..*.....\",\"........\",\"*.....*.\",\"....*...\"]}", 200},
    {"/mine", JSON, JSON,
     "{\"clicks\":[[0,3],[0,0]],\"board\":[\"....\",\"...*\"],\"include\":[\"wins\",\"board\",\"face\"]}", 200},
    {"/mine", JSON, SVG, "{\"rows\":2,\"cols\":4,\"mines\":[[1,3]],\"clicks\":[[0,3],[0,0]]}", 200},
    {"/mine", JSON, JSON, "{\"clicks\":[[0,3],[1,3]],\"board\":[\"....\",\"...*\"]}", 422},
    {"/mine", TEXT, TEXT, "2\n3 3 0\n3 3 1\n1 1\n", 200},
    {"/mine", JSON, JSON, "{\"cases\":[{\"board\":[\"x\"]},{\"board\":[3]},{}]}", 422},
    {"/mine", JSON, JSON, "{\"cases\":", 400},
    {"/mine", LINES, JSON, "{\"board\":[\"...\",\".*.\"]}\n\n{\"board\":[\".\"],\"include\":[\"board\"]}\r\n", 200},
    {"/mine", LINES, JSON, "{\"board\":[\"x\"]}\n{\"board\":[3]}\n{}\n{\n", 400},
    {"/mine", LINES, LINES, "{\"board\":[\"x\"]}\n{\"board\":[\".\"]}\n{\n{\"id\":1,\"board\":[\"*\"]}", 200},
    {"/pawn", TEXT, LINES, "1 2\n2 3\nO.O\n.X.\n2 2\nOO\n.X\n", 200},
    {"/go", JSON, LINES, "{\"cases\":[{\"size\":2,\"moves\":[[\"B\",0,0],[\"W\",0,0]]},{\"id\":7},{\"moves\":[]}]}",
     200},
    {"/mine?case=%7B%22board%22:%5B%22..*%22%5D%7D&format=json", JSON, JSON, "", 200},
    {"/mine?case=%7B%22board%22:1%7D&x=1", JSON, JSON, "", 400},
};

/* Is the answer right? One in lines may say of some cases that there was no memory for them; then it is not whole. */
static bool is_right(const struct response *response, const struct response *right, bool lines) {
    static const char problem[] = "{\"problem\":{\"type\":\"/problems/overloaded\"";
    const char *got = response->body, *end = got + response->length, *wanted = right->body;
    bool whole = true;
    assert_int_equal(response->status, right->status);
    while (lines && got < end) {
        size_t length = (size_t)((const char *)memchr(got, '\n', (size_t)(end - got)) + 1 - got);
        size_t other = (size_t)((const char *)memchr(wanted, '\n', right->length) + 1 - wanted);
        const char *from = memmem(got, length, problem + 1, sizeof problem - 2); /* an id may stand before it */
        if (from == NULL) {
            assert_int_equal(length, other);
            assert_memory_equal(got, wanted, length);
        }
        whole &= from == NULL;
        got += length;
        wanted += other;
    }
    if (lines) {
        /* A collection that finds no memory for being read is one line, as any case. */
        bool unopened = !whole && memchr(response->body, '\n', response->length) == end - 1;
        assert_true(unopened || wanted == right->body + right->length);
        return whole;
    }
    assert_int_equal(response->length, right->length);
    assert_memory_equal(response->body, right->body, right->length);
    return true;
}

static void every_allocation_may_fail(void **state) {
    struct account account;
    struct service *service = test_service(test_limits(), TEST_INFLIGHT, &account);
    unsigned failures = 0;
    (void)state;
    for (size_t r = 0; r < sizeof requests / sizeof *requests; r++) {
        struct response right =
            ask(service, requests[r].target, requests[r].type, requests[r].accept, requests[r].body, -1);
        size_t held = atomic_load(&account.used);
        assert_int_equal(right.status, requests[r].status);
        unsigned good_in_a_row = 0;
        for (long failing = 0; good_in_a_row < 3; failing++) {
            struct response response =
                ask(service, requests[r].target, requests[r].type, requests[r].accept, requests[r].body, failing);
            assert_true(failing < 1000);
            bool lines = strcmp(requests[r].accept, LINES) == 0;
            if (response.status != 503 && is_right(&response, &right, lines)) {
                good_in_a_row++;
            } else {
                failures++;
                good_in_a_row = 0;
            }
            response_clear(&response);
            assert_int_equal(atomic_load(&account.used), held);
        }
        response_clear(&right);
    }
    assert_true(failures > 30);
    service_free(service);
}

static void an_api_without_memory_is_none(void **state) {
    struct account account;
    struct service *service = NULL;
    long failing = 0;
    (void)state;
    for (; service == NULL; failing++) {
        assert_true(failing < 100);
        countdown = failing;
        service = test_service(test_limits(), TEST_INFLIGHT, &account);
        countdown = -1;
    }
    assert_true(failing > 4);
    service_free(service);
}

static void a_body_that_cjson_refuses_for_no_reason_is_our_fault(void **state) {
    struct account account;
    struct service *service = test_service(test_limits(), TEST_INFLIGHT, &account);
    (void)state;
    /* The body, and in the other the elements of a long list. */
    for (long good = 0; good < 4; good++) {
        taken = good;
        struct response response = ask(service, "/mine", JSON, JSON, good == 0 ? "{\"board\":[\".\"]}" : LONG_LIST, -1);
        taken = -1;
        assert_int_equal(response.status, 500);
        assert_int_equal(atomic_load(&account.used), 0);
        response_clear(&response);
    }
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
