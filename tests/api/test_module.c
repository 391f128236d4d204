/* The functions that the WebAssembly module exports, in the native build, where sanitizers see them. tests/wasm
 * compares the module's answers with the service's. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "api/failing_memory.h"
#include "api/local/module.h"
#include "base/buffer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct module *module, *other; /* never freed */

static int start(void **state) {
    (void)state;
    module = module_new(1);
    return module != NULL && module_set_limit(module, "max_search_states", 2000) && module_start(module) ? 0 : -1;
}

static struct module_request *begin(const char *head, const char *body) {
    char *head_copy = strdup(head), *body_copy = strdup(body);
    assert_true(head_copy != NULL && body_copy != NULL);
    return module_ask(module, head_copy, body_copy, strlen(body));
}

/* Read all that is ready, in pieces. */
static void read_ready(struct module_request *request, size_t piece, struct buffer *answer) {
    char bytes[4096];
    for (size_t length; (length = module_read(request, bytes, piece)) != 0;)
        buffer_put(answer, bytes, length);
}

/* Work on a request, read between the steps, and free it. Returns the whole answer, terminated; the caller clears it.
 */
static struct buffer finish(struct module_request *request, size_t piece) {
    struct buffer answer;
    buffer_init(&answer, SIZE_MAX, NULL);
    while (module_step(request) == LOCAL_WORKING)
        read_ready(request, piece, &answer);
    read_ready(request, piece, &answer);
    module_free(request);
    buffer_put_char(&answer, 0);
    assert_int_equal(answer.outcome, OUTCOME_DONE);
    return answer;
}

static void assert_answer(const char *head, const char *body, const char *status, const char *part, const char *end) {
    static const size_t pieces[] = {1, 7, 4096};
    for (size_t p = 0; p < sizeof pieces / sizeof *pieces; p++) {
        struct module_request *request = begin(head, body);
        assert_non_null(request);
        struct buffer answer = finish(request, pieces[p]);
        size_t length = strlen(end);
        assert_true(answer.length > length && strncmp(answer.data, status, strlen(status)) == 0);
        assert_non_null(strstr(answer.data, part));
        assert_string_equal(answer.data + answer.length - 1 - length, end);
        buffer_clear(&answer);
    }
}

static void a_limit_has_a_name_and_a_range(void **state) {
    (void)state;
    other = module_new(2);
    assert_non_null(other);
    assert_false(module_set_limit(other, "max_everything", 5));
    assert_false(module_set_limit(other, "max_moves", 0));
    assert_false(module_set_limit(other, "max_moves", UINT64_MAX));
    assert_true(module_set_limit(other, "max_moves", 5));
}

static void a_request_gets_the_answer_of_a_service(void **state) {
    (void)state;
    assert_answer("POST /pawn\nHost: test\nContent-Type: application/json\nAccept: text/plain\n",
                  "{\"board\":[\"..#.\",\"O..O\",\"....\",\".X..\"]}", "200\n", "Content-Type: text/plain",
                  "\n\nRed 7\n");
    assert_answer("GET /pawn?case=%7B%22board%22:%5B%22O.O%22,%22X..%22%5D%7D\nHost: test", "", "200\n",
                  "application/json\n", "\n\n{\"verdict\":\"Red\",\"steps\":1}\n");
    assert_answer("POST /pawn\nHost: test\nContent-Type: application/json", "{\"board\":3}", "422\n",
                  "\"pointer\":\"/board\"", "}]}\n");
    assert_answer("GET /nowhere\nHost: test\nAccept: application/json\nno header\n", "", "404\n", "/problems/not-found",
                  "}\n");
    assert_answer("DELETE\nHost: test", "", "4", "problem+json", "}\n");
}

static void a_stream_is_read_while_it_is_worked_on(void **state) {
    (void)state;
    struct module_request *request = begin("POST /mine\nHost: test\nContent-Type: application/x-ndjson",
                                           "{\"board\":[\"..*\"]}\n{\"board\":3}\n{\"board\":[\".\"]}");
    char first[4] = "";
    assert_non_null(request);
    assert_int_equal(module_read(request, first, sizeof first), 0); /* its job has not begun */
    struct buffer answer = finish(request, 5);
    char *body = strstr(answer.data, "\n\n");
    assert_non_null(body);
    unsigned lines = 0;
    for (body += 2; *body != 0; body++)
        lines += *body == '\n';
    assert_int_equal(lines, 3);
    buffer_clear(&answer);
}

static void a_request_can_be_dropped_at_any_time(void **state) {
    (void)state;
    char body[4000] = "{\"board\":[";
    for (int row = 0; row < 40; row++) {
        strcat(body, row == 0 ? "\"" : ",\"");
        for (int col = 0; col < 60; col++)
            strcat(body, (row * row + 3 * col * col + row * col) % 9 == 0 ? "*" : ".");
        strcat(body, "\"");
    }
    strcat(body, "],\"include\":[\"wins\"]}");
    for (int steps = 0; steps < 4; steps++) {
        struct module_request *request = begin("POST /mine\nHost: test\nContent-Type: application/json", body);
        assert_non_null(request);
        for (int s = 0; s < steps; s++)
            module_step(request);
        module_free(request);
    }
}

static void a_head_has_at_most_32_headers(void **state) {
    (void)state;
    char head[2000] = "GET /limits\nHost: test\n";
    for (int h = 0; h < MODULE_HEADERS - 1; h++)
        strcat(head, "Accept-Language: en\n");
    struct module_request *request = begin(head, "");
    assert_non_null(request);
    module_free(request);
    strcat(head, "Accept: */*\n");
    assert_null(begin(head, ""));
}

/* Let the first allocation fail, then the second, and so on. Each time there is an answer, or none at all. */
static void without_memory_there_is_a_503_or_nothing(void **state) {
    (void)state;
    bool whole = false;
    for (long fails = 0; !whole && fails < 1000; fails++) {
        char bytes[4096];
        char *head = strdup("POST /go\nHost: test\nContent-Type: application/json"),
             *body = strdup("{\"moves\":[\"A1\"],\"size\":2}");
        assert_true(head != NULL && body != NULL);
        countdown = fails;
        struct module_request *request = module_ask(module, head, body, strlen(body));
        while (request != NULL && module_step(request) == LOCAL_WORKING)
            continue;
        size_t length = request != NULL ? module_read(request, bytes, sizeof bytes) : 0;
        whole = countdown >= 0;
        countdown = -1;
        assert_true(length == 0 || memcmp(bytes, "200\n", 4) == 0 || memcmp(bytes, "503\n", 4) == 0);
        assert_true(!whole || memcmp(bytes, "200\n", 4) == 0);
        if (request != NULL)
            module_free(request);
    }
    assert_true(whole);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_limit_has_a_name_and_a_range),
        cmocka_unit_test(a_request_gets_the_answer_of_a_service),
        cmocka_unit_test(a_stream_is_read_while_it_is_worked_on),
        cmocka_unit_test(a_request_can_be_dropped_at_any_time),
        cmocka_unit_test(a_head_has_at_most_32_headers),
        cmocka_unit_test(without_memory_there_is_a_503_or_nothing),
    };
    return cmocka_run_group_tests(tests, start, NULL);
}
