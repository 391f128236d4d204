/* Files read as request bodies. However the data is split in the pipe, complete lines arrive in slices with the right
 * line numbers; files in other formats arrive as a whole. Any allocation can fail. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "api/command/input.h"
#include "api/failing_memory.h"
#include "api/go/backend.h"
#include "api/mine/backend.h"
#include "reference/random.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_TEXT = 4096 };

/* ---- a pipe that is written while it is read ---- */

struct pipe {
    int writing;
    struct input input;
    struct account account;
};

/* Open the input on a pipe, as if it were standard input. */
static void open_pipe(struct pipe *pipe_of_input) {
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(dup2(ends[0], STDIN_FILENO), STDIN_FILENO);
    close(ends[0]);
    pipe_of_input->writing = ends[1];
    account_init(&pipe_of_input->account, SIZE_MAX);
    assert_true(input_open(&pipe_of_input->input, "-", &pipe_of_input->account));
}

static void close_pipe(struct pipe *pipe_of_input) {
    input_close(&pipe_of_input->input);
    if (pipe_of_input->writing >= 0)
        close(pipe_of_input->writing);
    assert_int_equal(pipe_of_input->account.used, 0);
}

/* Write some bytes or close the pipe, then let the input read. */
static bool feed(struct pipe *pipe_of_input, const char *bytes, size_t length) {
    if (length != 0) {
        assert_int_equal(write(pipe_of_input->writing, bytes, length), length);
    } else {
        close(pipe_of_input->writing);
        pipe_of_input->writing = -1;
    }
    assert_true(input_has_space(&pipe_of_input->input));
    return input_read(&pipe_of_input->input);
}

/* ---- lines ---- */

static bool is_blank(const char *line, size_t length) {
    for (size_t i = 0; i < length; i++)
        if (line[i] != ' ' && line[i] != '\t' && line[i] != '\r')
            return false;
    return true;
}

/* Append the lines that are not blank to `out`, with their numbers and bytes. */
static void note_lines(const char *text, size_t length, size_t line, struct buffer *out) {
    for (size_t at = 0; at < length; line++) {
        const char *feed_at = memchr(text + at, '\n', length - at);
        size_t end = feed_at != NULL ? (size_t)(feed_at - text) : length;
        if (!is_blank(text + at, end - at)) {
            buffer_put_integer(out, (int64_t)line);
            buffer_put(out, text + at, end - at);
            buffer_put_char(out, '\n');
        }
        at = end + 1;
    }
}

/* Append the lines of all slices that are ready to `out`. Returns false if memory ran out. */
static bool note_slices(struct input *input, struct buffer *out, size_t *ret_slices) {
    struct input_body body;
    for (*ret_slices = 0; input_next(input, &body); ++*ret_slices) {
        assert_true(body.first_line != 0);
        assert_true(input->ended || body.bytes[body.length - 1] == '\n');
        note_lines(body.bytes, body.length, body.first_line, out);
        input_body_clear(&body);
    }
    return errno == 0;
}

/* If the first line of the file is sent on its own, append the lines of that body to `out`. Returns false if memory ran
 * out. */
static bool note_first(struct input *input, struct buffer *out) {
    enum format format;
    struct input_line line;
    struct input_body body;
    if (input->in_slices || !input_find_format(input, NULL, &format) || !input_find_line(input, &line))
        return true;
    input->leads = line.length != 0;
    if (!input_next(input, &body))
        return errno == 0;
    assert_int_equal(body.first_line, 0);
    assert_true(!input->leads && (line.length == 0 || body.length == line.length));
    size_t mark = body.length >= 3 && memcmp(body.bytes, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    note_lines(body.bytes + mark, body.length - mark, 1, out);
    input_body_clear(&body);
    return true;
}

enum how { IN_SLICES, FIRST_LINE_LEADS };

/* Write a text to the pipe in random pieces, and read it. Returns false if memory ran out. */
static bool pour(struct reference_random *random, enum how how, const char *text, size_t length, struct buffer *out) {
    struct pipe pipe_of_input;
    struct input *input = &pipe_of_input.input;
    size_t slices;
    open_pipe(&pipe_of_input);
    input->in_slices = how == IN_SLICES;
    bool good = true;
    for (size_t at = 0, piece; good && at < length; at += piece) {
        piece = 1 + reference_random_below(random, reference_random_below(random, 4) == 0 ? 300 : 9);
        piece = piece < length - at ? piece : length - at;
        good = feed(&pipe_of_input, text + at, piece) && note_first(input, out) &&
               (!input->in_slices || note_slices(input, out, &slices));
        if (good && input->in_slices && at + piece < length && text[at + piece - 1] == '\n')
            assert_int_equal(input->come.length, 0); /* no complete line is left */
    }
    good = good && feed(&pipe_of_input, NULL, 0) && note_first(input, out) && note_slices(input, out, &slices);
    assert_true(!good || pipe_of_input.input.over);
    close_pipe(&pipe_of_input);
    return good;
}

static size_t make_text(struct reference_random *random, char text[MAX_TEXT]) {
    static const char *const pieces[] = {"\n", "\r\n", " ", "\t", "{}", "a line", "\xc3\xa9", "\n\n", "\xef\xbb\xbf"};
    size_t length = 0;
    while (length < MAX_TEXT - 8 && reference_random_below(random, 200) != 0) {
        const char *piece = pieces[reference_random_below(random, sizeof pieces / sizeof *pieces)];
        memcpy(text + length, piece, strlen(piece));
        length += strlen(piece);
    }
    return length;
}

static void check_lines(enum how how) {
    struct reference_random random = {7};
    for (int k = 0; k < 500; k++) {
        char text[MAX_TEXT];
        size_t length = make_text(&random, text), mark = length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
        struct buffer expected, got;
        buffer_init(&expected, SIZE_MAX, NULL);
        buffer_init(&got, SIZE_MAX, NULL);
        note_lines(text + mark, length - mark, 1, &expected);
        assert_true(pour(&random, how, text, length, &got));
        assert_int_equal(got.length, expected.length);
        if (got.length != 0)
            assert_memory_equal(got.data, expected.data, got.length);
        buffer_clear(&expected);
        buffer_clear(&got);
    }
}

static void lines_come_out_whole_and_with_their_numbers(void **state) {
    (void)state;
    check_lines(IN_SLICES);
}

static void a_first_line_comes_out_when_it_ends_and_then_lines(void **state) {
    (void)state;
    check_lines(FIRST_LINE_LEADS);
}

static void lines_that_are_all_blank_come_out_as_their_last_one(void **state) {
    struct pipe pipe_of_input;
    struct input_body body;
    (void)state;
    open_pipe(&pipe_of_input);
    pipe_of_input.input.in_slices = true;
    assert_true(feed(&pipe_of_input, " \n\r\n", 4));
    assert_false(input_next(&pipe_of_input.input, &body));
    assert_true(feed(&pipe_of_input, "\t \n  ", 5));
    assert_false(input_next(&pipe_of_input.input, &body));
    assert_true(feed(&pipe_of_input, NULL, 0));
    assert_true(input_next(&pipe_of_input.input, &body));
    assert_int_equal(body.first_line, 4);
    assert_int_equal(body.length, 2);
    assert_true(pipe_of_input.input.over);
    input_body_clear(&body);
    close_pipe(&pipe_of_input);
}

static void a_document_without_lines_is_one_body(void **state) {
    struct pipe pipe_of_input;
    struct input_body body;
    enum format format;
    (void)state;
    open_pipe(&pipe_of_input);
    assert_true(feed(&pipe_of_input, "\xef\xbb", 2));
    assert_false(input_find_format(&pipe_of_input.input, NULL, &format));
    assert_true(feed(&pipe_of_input, "\xbf \n", 3));
    assert_false(input_find_format(&pipe_of_input.input, NULL, &format));
    assert_true(feed(&pipe_of_input, "(;)", 3));
    assert_false(input_find_format(&pipe_of_input.input, NULL, &format));
    assert_true(feed(&pipe_of_input, "\n", 1));
    assert_true(input_find_format(&pipe_of_input.input, NULL, &format));
    assert_int_equal(format, FORMAT_SGF);
    assert_false(input_next(&pipe_of_input.input, &body));
    assert_true(feed(&pipe_of_input, NULL, 0));
    assert_true(input_next(&pipe_of_input.input, &body));
    assert_int_equal(body.length, 9);
    assert_memory_equal(body.bytes, "\xef\xbb\xbf \n(;)\n", 9);
    assert_int_equal(body.first_line, 0);
    input_body_clear(&body);
    close_pipe(&pipe_of_input);
}

/* Feed a text byte by byte, and return the format once it is known. *ret_needed is the number of bytes that it takes.
 */
static enum format find_in_pieces(const struct game *game, const char *text, size_t *ret_needed) {
    struct pipe pipe_of_input;
    enum format format = FORMAT_NONE;
    size_t length = strlen(text);
    open_pipe(&pipe_of_input);
    bool found = false;
    for (*ret_needed = 0; !found && *ret_needed < length; ++*ret_needed) {
        assert_true(feed(&pipe_of_input, text + *ret_needed, 1));
        found = input_find_format(&pipe_of_input.input, game, &format);
    }
    if (!found) {
        ++*ret_needed; /* the end of the input */
        assert_true(feed(&pipe_of_input, NULL, 0));
        assert_true(input_find_format(&pipe_of_input.input, game, &format));
    }
    close_pipe(&pipe_of_input);
    return format;
}

static void the_first_word_tells_a_drawing_from_a_number(void **state) {
    static const struct {
        const char *text;
        enum format format;
        size_t needed;
    } texts[] = {
        {"1.\n.1\n", FORMAT_DRAWING, 3}, {" \r\n.*", FORMAT_DRAWING, 6}, {"*", FORMAT_DRAWING, 2},
        {"oX. ", FORMAT_DRAWING, 4},     {"11\n", FORMAT_TEXT, 3},       {"11", FORMAT_TEXT, 3},
        {"1.9\n", FORMAT_TEXT, 4},       {"-1 1\n", FORMAT_TEXT, 3},     {"{}\n", FORMAT_JSON, 3},
        {"\t\n", FORMAT_NONE, 3},
    };
    (void)state;
    for (size_t t = 0; t < sizeof texts / sizeof *texts; t++) {
        size_t needed;
        assert_int_equal(find_in_pieces(&mine_backend, texts[t].text, &needed), texts[t].format);
        assert_int_equal(needed, texts[t].needed);
    }
}

static void a_long_first_word_is_not_awaited(void **state) {
    char text[101] = "";
    size_t needed;
    (void)state;
    memset(text, '.', 100);
    assert_int_equal(find_in_pieces(&mine_backend, text, &needed), FORMAT_DRAWING);
    assert_int_equal(needed, 64);
    /* No game but those with boards has drawings. */
    assert_int_equal(find_in_pieces(&go_backend, text, &needed), FORMAT_TEXT);
}

static void check_allocations(enum how how) {
    char text[MAX_TEXT];
    struct reference_random random = {11};
    size_t length, failed = 0;
    do
        length = make_text(&random, text);
    while (length < 1000);
    for (long f = 0;; f++) {
        struct reference_random again = {3};
        struct buffer got;
        buffer_init(&got, SIZE_MAX, NULL);
        assert_true(buffer_reserve(&got, (size_t)1 << 20)); /* the test's own buffer; this allocation must not fail */
        countdown = f;
        bool good = pour(&again, how, text, length, &got);
        bool enough = countdown >= 0;
        countdown = -1;
        buffer_clear(&got);
        assert_int_equal(good, enough);
        if (enough)
            break;
        failed++;
    }
    assert_true(failed > 10);
}

static void a_first_line_of_a_file_is_copied(void **state) {
    static const char text[] = "\n{}\n\n{}";
    struct account account;
    struct input input;
    struct input_line line;
    struct input_body first, rest, none;
    enum format format;
    FILE *file = tmpfile();
    (void)state;
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, sizeof text - 1, file), sizeof text - 1);
    rewind(file);
    fflush(file);
    assert_int_equal(dup2(fileno(file), STDIN_FILENO), STDIN_FILENO);
    account_init(&account, SIZE_MAX);
    assert_true(input_open(&input, "-", &account));
    assert_true(input_find_format(&input, NULL, &format) && input_find_line(&input, &line));
    assert_int_equal(line.length, 4);
    input.leads = true;
    countdown = 0;
    assert_false(input_next(&input, &first));
    assert_int_equal(errno, ENOBUFS);
    countdown = -1;
    assert_true(input_next(&input, &first) && !input.over);
    assert_memory_equal(first.bytes, "\n{}\n", 4);
    assert_true(input_next(&input, &rest) && input.over);
    assert_int_equal(rest.first_line, 3);
    assert_memory_equal(rest.bytes, "\n{}", 3);
    assert_false(input_next(&input, &none));
    input_body_clear(&first);
    input_body_clear(&rest);
    input_close(&input);
    fclose(file);
    assert_int_equal(account.used, 0);
}

static void each_allocation_may_fail(void **state) {
    (void)state;
    check_allocations(IN_SLICES);
    check_allocations(FIRST_LINE_LEADS);
}

static void a_case_that_does_not_fit_the_account_is_reported(void **state) {
    struct pipe pipe_of_input;
    static char bytes[60 << 10];
    (void)state;
    memset(bytes, 'x', sizeof bytes);
    open_pipe(&pipe_of_input);
    account_init(&pipe_of_input.account, 50 << 10);
    assert_true(feed(&pipe_of_input, bytes, sizeof bytes)); /* these bytes are not charged */
    assert_int_equal(write(pipe_of_input.writing, bytes, 1), 1);
    assert_false(input_has_space(&pipe_of_input.input));
    assert_false(input_read(&pipe_of_input.input));
    assert_int_equal(errno, ENOBUFS);
    close_pipe(&pipe_of_input);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_come_out_whole_and_with_their_numbers),
        cmocka_unit_test(a_first_line_comes_out_when_it_ends_and_then_lines),
        cmocka_unit_test(a_first_line_of_a_file_is_copied),
        cmocka_unit_test(lines_that_are_all_blank_come_out_as_their_last_one),
        cmocka_unit_test(a_document_without_lines_is_one_body),
        cmocka_unit_test(the_first_word_tells_a_drawing_from_a_number),
        cmocka_unit_test(a_long_first_word_is_not_awaited),
        cmocka_unit_test(each_allocation_may_fail),
        cmocka_unit_test(a_case_that_does_not_fit_the_account_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
