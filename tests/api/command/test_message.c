/* Text for a terminal: control characters are escaped wherever the text is split, and nothing else changes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "api/command/message.h"

#include <stdio.h>
#include <string.h>

enum { MAX_TEXT = 8192 };

/* Escape a text in two pieces, the first `cut` bytes long, and compare the result. */
static void check(const char *text, size_t length, size_t cut, bool keeps_line_ends, const char *expected) {
    struct escape escape = {.keeps_line_ends = keeps_line_ends};
    char whole[MAX_TEXT + ESCAPE_BYTES];
    size_t used = 0;
    const char *pieces[] = {text, text + cut};
    size_t lengths[] = {cut, length - cut};
    for (int p = 0; p < 2; p++)
        while (lengths[p] != 0) {
            used += message_escape(&escape, &pieces[p], &lengths[p], whole + used);
            assert_true(used < MAX_TEXT);
        }
    whole[used] = 0;
    assert_string_equal(whole, expected);
}

static void check_all(const char *text, bool keeps_line_ends, const char *expected) {
    for (size_t cut = 0; cut <= strlen(text); cut++)
        check(text, strlen(text), cut, keeps_line_ends, expected);
}

static void other_bytes_than_controls_are_not_escaped(void **state) {
    (void)state;
    check_all("plain \"text\" \\u001b", false, "plain \"text\" \\u001b");
    check_all("\xc3\xa9 \xc2\xa0 \xe6\xa3\x8b \xe2\x80\x8b \xe2\x80\xa8 \xf0\x9f\x99\x82.", true,
              "\xc3\xa9 \xc2\xa0 \xe6\xa3\x8b \xe2\x80\x8b \xe2\x80\xa8 \xf0\x9f\x99\x82.");
}

static void controls_are_escaped_wherever_the_text_is_cut(void **state) {
    (void)state;
    check_all("a\x1b[31m\x07\x7f\t\r.", true, "a\\u001b[31m\\u0007\\u007f\\u0009\\u000d.");
    check_all("\xc2\x80\xc2\x9b\xc2\x9f.", true, "\\u0080\\u009b\\u009f.");
    check_all("\xd8\x9c\xe2\x80\x8e\xe2\x80\x8f\xe2\x80\xaa\xe2\x80\xae\xe2\x81\xa6\xe2\x81\xa9\xe2\x81\xaa.", true,
              "\\u061c\\u200e\\u200f\\u202a\\u202e\\u2066\\u2069\xe2\x81\xaa.");
}

static void a_line_end_stays_in_lines_only(void **state) {
    (void)state;
    check_all("{}\n{}\n", true, "{}\n{}\n");
    check_all("a\nb.", false, "a\\u000ab.");
}

static void bytes_that_are_no_character_are_escaped_one_by_one(void **state) {
    (void)state;
    check_all("\x9b[\xc2.\xe2\x80.\xf0\x9f\x99.\xff\xfe\xc0\x80.", true,
              "\\x9b[\\xc2.\\xe2\\x80.\\xf0\\x9f\\x99.\\xff\\xfe\\xc0\\x80.");
    check_all("\xed\xa0\x80\xe2\xc2\x9b.", true, "\\xed\\xa0\\x80\\xe2\\u009b.");
}

static void a_text_is_longer_than_what_is_written_at_once(void **state) {
    (void)state;
    char text[1001], expected[6001];
    for (size_t i = 0; i < 1000; i++) {
        text[i] = i < 999 ? '\x1b' : '.';
        snprintf(expected + 6 * i, 7, "%s", i < 999 ? "\\u001b" : ".");
    }
    text[1000] = 0;
    check(text, 1000, 0, true, expected);
    check(text, 1000, 500, true, expected);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(other_bytes_than_controls_are_not_escaped),
        cmocka_unit_test(controls_are_escaped_wherever_the_text_is_cut),
        cmocka_unit_test(a_line_end_stays_in_lines_only),
        cmocka_unit_test(bytes_that_are_no_character_are_escaped_one_by_one),
        cmocka_unit_test(a_text_is_longer_than_what_is_written_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
