/* Accept and Accept-Encoding, and how much of them is read. (test_api.c tests Content-Type, and Accept line by
 * line.) */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "api/request/games.h"
#include "api/request/negotiate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Get the best format for these Accept headers, preferring JSON among equals. Returns FORMAT_NONE if nothing is
 * acceptable. */
static enum format best_of(const struct header *headers, size_t count) {
    struct negotiate_accept accept = negotiate_read_accept(headers, count);
    enum format format;
    return negotiate_answer(&accept, FORMAT_JSON, NEGOTIATE_CASE, &format) ? format : FORMAT_NONE;
}

static enum format best_by(const char *value) { return best_of(&(struct header){"Accept", value}, 1); }

/* Make a string of `count` times `element`, then `last`. The caller frees it. */
static char *repeat(const char *element, size_t count, const char *last) {
    size_t length = strlen(element);
    char *text = malloc(count * length + strlen(last) + 1);
    if (text == NULL)
        abort();
    for (size_t k = 0; k < count; k++)
        memcpy(text + k * length, element, length);
    strcpy(text + count * length, last);
    return text;
}

static void expect_best(const char *element, size_t count, const char *last, enum format right) {
    char *text = repeat(element, count, last);
    enum format best = best_by(text);
    if (best != right)
        fail_msg("%zu times \"%s\", then \"%s\": format %d", count, element, last, (int)best);
    free(text);
}

static void no_more_than_64_elements_are_looked_at(void **state) {
    (void)state;
    expect_best("a/b,", 63, "text/plain", FORMAT_TEXT);
    expect_best("a/b,", 64, "text/plain", FORMAT_NONE);
    expect_best("text/plain,", 1, "application/json;q=0.5", FORMAT_TEXT);
    expect_best("application/json;q=0.5,", 63, "text/plain", FORMAT_TEXT);
    expect_best("application/json;q=0.5,", 64, "text/plain", FORMAT_JSON);
    /* Empty elements count towards the limit. A list with only empty elements is empty. */
    expect_best(",", 63, "text/plain", FORMAT_TEXT);
    expect_best(",", 64, "text/plain", FORMAT_JSON);
    expect_best("*/*,", 7000, "", FORMAT_JSON);
}

static void no_more_than_4096_bytes_are_looked_at(void **state) {
    (void)state;
    /* "image/svg+xml" is 13 bytes long. */
    expect_best(" ", 4096 - 13, "image/svg+xml", FORMAT_SVG);
    expect_best(" ", 4096 - 12, "image/svg+xml", FORMAT_JSON);
    /* An element of 67 bytes. */
    static const char long_element[] = "a/b;c=012345678901234567890123456789012345678901234567890123456789,";
    expect_best(long_element, 60, "text/plain", FORMAT_TEXT);
    expect_best(long_element, 61, "text/plain", FORMAT_NONE);
    /* An element that is cut off is ignored. */
    expect_best(" ", 4096 - 10, "text/plain;q=0, image/svg+xml", FORMAT_JSON);
    expect_best(" ", 4096 - 11, "text/plain,image/svg+xml", FORMAT_TEXT);
    expect_best(" ", 4096 - 12, "text/plain;q=0.5", FORMAT_JSON);
    expect_best(" ", 4096 - 30, "a/b, text/plain;x=\",,,,,,,,,,,,,,,,,,,\"", FORMAT_NONE);
}

static void the_bounds_are_those_of_all_lines_together(void **state) {
    (void)state;
    struct header lines[70];
    for (size_t k = 0; k < 70; k++)
        lines[k] = (struct header){k % 2 == 0 ? "accept" : "ACCEPT", "a/b"};
    lines[63].value = "text/plain";
    assert_int_equal(best_of(lines, 70), FORMAT_TEXT);
    lines[63].value = "a/b";
    lines[64].value = "text/plain";
    assert_int_equal(best_of(lines, 70), FORMAT_NONE);
    char *blanks = repeat(" ", 2000, "a/b");
    struct header long_lines[] = {{"Accept", blanks}, {"Host", "x"}, {"Accept", blanks}, {"Accept", "text/plain"}};
    assert_int_equal(best_of(long_lines, 4), FORMAT_TEXT); /* 2 * 2003 + 10 bytes */
    blanks[0] = ',';
    char *more = repeat(" ", 2100, "a/b");
    long_lines[2].value = more;
    assert_int_equal(best_of(long_lines, 4), FORMAT_NONE);
    free(blanks);
    free(more);
}

static void a_content_type_of_more_than_4096_bytes_is_not_supported(void **state) {
    (void)state;
    enum format format;
    bool other_charset;
    char *max = repeat(" ", 4096 - 10, "text/plain"), *more = repeat(" ", 4096 - 9, "text/plain");
    assert_true(negotiate_body(max, games[0], &format, &other_charset));
    assert_int_equal(format, FORMAT_TEXT);
    assert_false(negotiate_body(more, games[0], &format, &other_charset));
    free(max);
    free(more);
    max = repeat(";a", 2040, "");
    memcpy(max, "text/plain", 10);
    assert_true(negotiate_body(max, games[0], &format, &other_charset));
    assert_false(other_charset);
    free(max);
}

static void a_charset_is_noticed_unless_it_is_utf8(void **state) {
    static const struct {
        const char *type;
        bool other;
    } types[] = {
        {"text/plain", false},
        {"text/plain;charset=UTF-8", false},
        {"application/json; charset=\"utf-8\"", false},
        {"text/plain;charset=utf8", true},
        {"application/json;a=b ; CHARSET = latin1", true},
        {"text/plain;charset=utf-8;charset=x", true},
        {"text/plain;charset=x;charset=utf-8", true},
        {"text/plain;charset", true},
        {"text/plain;xcharset=latin1", false},
    };
    (void)state;
    for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
        enum format format;
        bool other = !types[t].other;
        assert_true(negotiate_body(types[t].type, games[0], &format, &other));
        assert_int_equal(other, types[t].other);
    }
}

static void html_is_preferred_only_if_it_has_more_weight_than_json(void **state) {
    static const struct {
        const char *accept;
        bool html;
    } values[] = {
        {"text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", true},
        {"text/html", true},
        {"text/*", true},
        {"*/*", false},
        {"", false},
        {"text/html, application/json", false},
        {"text/html;q=0.5, application/problem+json;q=0.6", false},
        {"text/html;q=0.5, application/json;q=0.4", true},
        {"text/html;q=0, application/*;q=0", false},
        {", ,text/html,", true},
        {"image/*", false},
    };
    (void)state;
    for (size_t v = 0; v < sizeof values / sizeof *values; v++) {
        const struct header header = {"Accept", values[v].accept};
        assert_int_equal(negotiate_prefers_html(&header, 1), values[v].html);
    }
    assert_false(negotiate_prefers_html(NULL, 0));
    const struct header both[] = {{"Accept", "text/html;q=0.5"}, {"accept", "application/json;q=0.6"}};
    assert_false(negotiate_prefers_html(both, 2));
}

static void an_empty_value_and_none_accept_everything(void **state) {
    (void)state;
    assert_int_equal(best_of(NULL, 0), FORMAT_JSON);
    assert_int_equal(best_by(""), FORMAT_JSON);
    assert_int_equal(best_by(NULL), FORMAT_JSON);
    const struct header lines[] = {{"Accept", NULL}, {"Accept", ""}, {"Accept", "text/plain"}};
    assert_int_equal(best_of(lines, 3), FORMAT_TEXT);
}

static void a_media_range_is_matched_whole(void **state) {
    (void)state;
    assert_int_equal(best_by("TEXT/PLAIN"), FORMAT_TEXT);
    assert_int_equal(best_by("Text/*"), FORMAT_TEXT);
    assert_int_equal(best_by("image/*"), FORMAT_SVG);
    assert_int_equal(best_by("*/*"), FORMAT_JSON);
    static const char *const none[] = {"*",         "*/",          "*/*x",       "text",     "text/", "t/*",
                                       "text/plai", "text/plain2", "text/**",    "texts/*",  ";q=1",  "application*",
                                       "@ext/*",    "*/plain",     "text/*;q=0", "image/svg"};
    for (size_t k = 0; k < sizeof none / sizeof *none; k++)
        if (best_by(none[k]) != FORMAT_NONE)
            fail_msg("\"%s\" is a range", none[k]);
}

static void gzip_is_weighed_as_rfc_9110_has_it(void **state) {
    (void)state;
    static const struct {
        const char *value;
        bool gzip;
    } rows[] = {
        {"", false},
        {NULL, false},
        {" , ", false},
        {"gzip", true},
        {"GZip", true},
        {"x-gzip", true},
        {"X-GZIP;q=0.1", true},
        {"gzip, deflate, br, zstd", true},
        {"br;q=1.0, gzip;q=0.8, *;q=0.1", true},
        {"deflate, br", false},
        {"gzip;q=0", false},
        {"gzip;q=0.000", false},
        {"gzip;q=0.001", true},
        {"gzip ; Q=0.5", true},
        {"gzip;q=0, *", false},
        {"*, gzip;q=0", false},
        {"x-gzip;q=0, *", false},
        {"*", true},
        {"*;q=0.5", true},
        {"*;q=0", false},
        {"gzip, *;q=0", true},
        {"identity", false},
        {"identity, gzip", true},
        {"identity;q=1, gzip;q=0.5", false},
        {"identity;q=0.5, gzip;q=0.5", true},
        {"identity;q=0.5, gzip;q=1", true},
        {"identity;q=0, gzip;q=0.1", true},
        {"identity;q=0", false},
        {"identity;q=0.5, *;q=0.4", false},
        {"identity;q=0.5, *", true},
        {"gzip;q=0.4, *;q=0.5", false}, /* `*` includes identity */
        {"gzip;q=2", false},
        {"gzip;q=", false},
        {"gzip;q=x, *", true}, /* an element with an invalid weight is ignored */
        {"gzip2", false},
        {"gzi", false},
        {"x-gzip2, xgzip, gzip/1", false},
        {"\"gzip\"", false},
        {"gzip;q=0.5, gzip;q=0", true}, /* of duplicate names, the first counts */
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        const struct header headers[] = {{"Accept", "gzip"}, {"accept-ENCODING", rows[k].value}, {"TE", "gzip"}};
        if (negotiate_gzip(headers, 3) != rows[k].gzip)
            fail_msg("Accept-Encoding: %s", rows[k].value);
    }
}

static void lines_of_accept_encoding_are_one_list(void **state) {
    (void)state;
    assert_false(negotiate_gzip(NULL, 0));
    const struct header apart[] = {{"Accept-Encoding", "br"}, {"Host", "x"}, {"Accept-Encoding", "gzip"}};
    assert_true(negotiate_gzip(apart, 3));
    assert_false(negotiate_gzip(apart, 2));
    const struct header against[] = {{"Accept-Encoding", "*"}, {"Accept-Encoding", "gzip;q=0"}};
    assert_false(negotiate_gzip(against, 2));
    assert_true(negotiate_gzip(against, 1));
    const struct header other[] = {{"Accept-Encodings", "gzip"}, {"TE", "gzip"}, {"Accept", "gzip"}};
    assert_false(negotiate_gzip(other, 3));
}

static void no_more_of_accept_encoding_is_looked_at(void **state) {
    (void)state;
    char *near = repeat("br,", 63, "gzip"), *far = repeat("br,", 64, "gzip");
    assert_true(negotiate_gzip(&(struct header){"Accept-Encoding", near}, 1));
    assert_false(negotiate_gzip(&(struct header){"Accept-Encoding", far}, 1));
    free(near);
    free(far);
    near = repeat(" ", 4092, "gzip"), far = repeat(" ", 4093, "gzip");
    assert_true(negotiate_gzip(&(struct header){"Accept-Encoding", near}, 1));
    assert_false(negotiate_gzip(&(struct header){"Accept-Encoding", far}, 1));
    free(near);
    free(far);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_more_than_64_elements_are_looked_at),
        cmocka_unit_test(no_more_than_4096_bytes_are_looked_at),
        cmocka_unit_test(the_bounds_are_those_of_all_lines_together),
        cmocka_unit_test(a_content_type_of_more_than_4096_bytes_is_not_supported),
        cmocka_unit_test(a_charset_is_noticed_unless_it_is_utf8),
        cmocka_unit_test(html_is_preferred_only_if_it_has_more_weight_than_json),
        cmocka_unit_test(an_empty_value_and_none_accept_everything),
        cmocka_unit_test(a_media_range_is_matched_whole),
        cmocka_unit_test(gzip_is_weighed_as_rfc_9110_has_it),
        cmocka_unit_test(lines_of_accept_encoding_are_one_list),
        cmocka_unit_test(no_more_of_accept_encoding_is_looked_at),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
