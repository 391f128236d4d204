/* Request heads: how headers are read, and which heads are ambiguous about where the body ends. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "api/request/head.h"

#include <string.h>

enum { MAX_HEADERS = 3 };

/* Read a head with Host and the headers in `more`, which ends with a NULL name. */
static struct head_facts read_head(const struct header *more) {
    struct header headers[1 + MAX_HEADERS] = {{"Host", "test"}};
    size_t count = 1;
    for (; count <= MAX_HEADERS && more[count - 1].name != NULL; count++)
        headers[count] = more[count - 1];
    return head_read(&(struct request_head){"POST", "/mine", "HTTP/1.1", headers, count});
}

static void heads_that_could_be_read_in_two_ways_are_faulty(void **state) {
    (void)state;
    static const struct header rows[][MAX_HEADERS] = {
        {{"Content-Length", ""}},
        {{"Content-Length", NULL}},
        {{"Content-Length", " "}},
        {{"Content-Length", "+1"}},
        {{"Content-Length", "-1"}},
        {{"Content-Length", "1 2"}},
        {{"Content-Length", "1,1"}},
        {{"content-length", "0x1"}},
        {{"Content-Length", "1"}, {"Content-Length", "1"}},
        {{"Content-Length", NULL}, {"Content-Length", "1"}},
        {{"Content-Length", "1"}, {"Content-Length", NULL}},
        {{"Transfer-Encoding", ""}},
        {{"Transfer-Encoding", NULL}},
        {{"Transfer-Encoding", "gzip, chunked"}},
        {{"Transfer-Encoding", "identity"}},
        {{"Transfer-Encoding", "chunked"}, {"Transfer-Encoding", "chunked"}},
        {{"Transfer-Encoding", NULL}, {"Transfer-Encoding", "chunked"}},
        {{"Transfer-Encoding", "chunked"}, {"Content-Length", "1"}},
        {{"Transfer-Encoding", NULL}, {"Content-Length", "1"}},
        {{"Transfer-Encoding", "chunked"}, {"Content-Length", NULL}},
        {{"Content-Length5", "1"}}, /* folded */
        {{"content-length15", ""}},
        {{"Content-Length", "15"}, {"Content-Length15", ""}},
        {{"Transfer-Encodingchunked", ""}},
        {{"TRANSFER-ENCODINGchunked", ""}, {"Content-Length", "1"}},
        {{"Host", "test"}},
        {{"Host", NULL}},
        {{"", "1"}},
        {{"Content-Length ", "1"}},
        {{"Content Length", "1"}},
        {{"X:", "1"}},
        {{"X\xe9", "1"}},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        struct head_facts facts = read_head(rows[k]);
        if (facts.framing_fault == NULL)
            fail_msg("row %zu has no fault", k);
        assert_int_equal(facts.body_length, 0);
    }
}

static void other_heads_are_good(void **state) {
    (void)state;
    static const struct header rows[][MAX_HEADERS] = {
        {{"Content-Length", "0"}},
        {{"CONTENT-LENGTH", "007"}},
        {{"Transfer-Encoding", "Chunked"}},
        {{"Content-Type", NULL}, {"Content-Encoding", NULL}, {"Origin", NULL}},
        {{"Content-Type", ""}, {"Content-Type", NULL}},
        {{"Content-Lengt", "x"}, {"X-Content-Length", "x"}, {"Transfer-Encodin", "x"}},
        {{"!#$%&'*+-.^_`|~09azAZ", NULL}},
        {{NULL, NULL}},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        struct head_facts facts = read_head(rows[k]);
        if (facts.framing_fault != NULL)
            fail_msg("row %zu: %s", k, facts.framing_fault);
    }
}

static void a_header_without_a_value_has_an_empty_one(void **state) {
    (void)state;
    struct head_facts facts =
        read_head((struct header[]){{"Content-Type", NULL}, {"Content-Encoding", NULL}, {"Origin", NULL}});
    assert_string_equal(facts.content_type, "");
    assert_string_equal(facts.content_encoding, "");
    assert_string_equal(facts.origin, "");
    assert_string_equal(
        read_head((struct header[]){{"Content-Type", NULL}, {"Content-Type", "a/b"}, {NULL, NULL}}).content_type,
        "more than one");
    struct header match[] = {{"If-None-Match", NULL}, {"if-none-match", "W/\"a\""}};
    struct request_head head = {"GET", "/", "HTTP/1.1", match, 1};
    assert_false(head_has_tag(&head, "\"a\""));
    head.header_count = 2;
    assert_true(head_has_tag(&head, "\"a\""));
    facts = read_head((struct header[]){{NULL, NULL}});
    assert_null(facts.content_type);
    assert_null(facts.content_length);
}

static void host_may_be_missing_before_http_1_1_only(void **state) {
    (void)state;
    struct header headers[] = {{"Accept", "*/*"}};
    struct request_head head = {"GET", "/", "HTTP/1.1", headers, 1};
    assert_non_null(head_read(&head).framing_fault);
    head.version = "HTTP/1.0";
    assert_null(head_read(&head).framing_fault);
}

static void the_announced_length_is_the_number_or_the_largest(void **state) {
    (void)state;
    static const struct {
        const char *value;
        uint64_t length;
    } rows[] = {
        {"0", 0},
        {"00012", 12},
        {"18446744073709551615", UINT64_MAX},
        {"18446744073709551616", UINT64_MAX},
        {"99999999999999999999999999999999999999999999", UINT64_MAX},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        struct head_facts facts = read_head((struct header[]){{"Content-Length", rows[k].value}, {NULL, NULL}});
        assert_true(facts.body_length == rows[k].length);
    }
}

static void a_request_id_has_1_to_64_plain_characters(void **state) {
    (void)state;
    assert_true(head_request_id_is_good("a"));
    assert_true(head_request_id_is_good("0.Z_z-9"));
    assert_true(head_request_id_is_good("0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"));
    assert_false(head_request_id_is_good("0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef0"));
    assert_false(head_request_id_is_good(""));
    assert_false(head_request_id_is_good("a b"));
    assert_false(head_request_id_is_good("a\n"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(heads_that_could_be_read_in_two_ways_are_faulty),
        cmocka_unit_test(other_heads_are_good),
        cmocka_unit_test(a_header_without_a_value_has_an_empty_one),
        cmocka_unit_test(host_may_be_missing_before_http_1_1_only),
        cmocka_unit_test(the_announced_length_is_the_number_or_the_largest),
        cmocka_unit_test(a_request_id_has_1_to_64_plain_characters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
