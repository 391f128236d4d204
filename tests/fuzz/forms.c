#include "fuzz/forms.h"

#include <stdio.h>
#include <string.h>

/* The part of a result that has not been read yet. */
struct rest {
    const char *at, *end;
};

/* Move past the next `mark`. A mark with a bare quote cannot be inside a string, where quotes are escaped. */
static bool pass(struct rest *rest, const char *mark) {
    const char *found = memmem(rest->at, (size_t)(rest->end - rest->at), mark, strlen(mark));
    if (found != NULL)
        rest->at = found + strlen(mark);
    return found != NULL;
}

/* Append the bytes before the next `stop`, and move past it. */
static void put_up_to(struct buffer *out, struct rest *rest, char stop) {
    const char *end = memchr(rest->at, stop, (size_t)(rest->end - rest->at));
    INSIST(end != NULL);
    buffer_put(out, rest->at, (size_t)(end - rest->at));
    rest->at = end + 1;
}

static void put_pawn(struct buffer *out, struct rest rest) {
    INSIST(pass(&rest, "\"verdict\":\""));
    put_up_to(out, &rest, '"');
    INSIST(pass(&rest, "\"steps\":"));
    if (*rest.at != 'n') {
        buffer_put_char(out, ' ');
        buffer_put(out, rest.at, strspn(rest.at, "0123456789"));
    }
    buffer_put_char(out, '\n');
}

static void put_go(struct buffer *out, struct rest rest) {
    struct rest misses, played;
    INSIST(pass(&rest, "\"misses\":["));
    misses = rest;
    INSIST(pass(&rest, "\"board\":["));
    misses.end = rest.at;
    played = misses; /* repetitions look like misses, but their moves were played */
    if (pass(&played, "\"repetitions\":["))
        misses.end = played.at;
    while (pass(&misses, "\"code\":"))
        buffer_printf(out, "miss %c\n", *misses.at);
    while (*rest.at == '"') {
        rest.at++;
        put_up_to(out, &rest, '"');
        buffer_put_char(out, '\n');
        rest.at += *rest.at == ',';
    }
}

static void put_mine(struct buffer *out, struct rest rest, size_t number) {
    INSIST(pass(&rest, "\"verdict\":\""));
    buffer_printf(out, "Case #%zu: ", number);
    put_up_to(out, &rest, '"');
    buffer_put_char(out, '\n');
}

/* Convert a valid JSON result to contest format. `number` is the number of its case, counting from 1. */
static void put_text(struct buffer *out, const char *target, const char *json, size_t length, size_t number) {
    struct rest rest = {json, json + length};
    if (strncmp(target, "/pawn", 5) == 0)
        put_pawn(out, rest);
    else if (strncmp(target, "/go", 3) == 0)
        put_go(out, rest);
    else
        put_mine(out, rest, number);
}

static bool is_unknown(const char *line, size_t length) {
    return length >= 9 && memcmp(line + length - 9, " Unknown\n", 9) == 0;
}

/* Check that the texts have the same lines, except where only one of them gives the winner. */
static void insist_same_text(const struct buffer *made, const struct response *text) {
    const char *line = made->data, *end = line + made->length, *other = text->body, *other_end = other + text->length;
    while (line < end && other < other_end) {
        const char *feed = memchr(line, '\n', (size_t)(end - line));
        const char *other_feed = memchr(other, '\n', (size_t)(other_end - other));
        INSIST(feed != NULL && other_feed != NULL);
        size_t length = (size_t)(feed + 1 - line), other_length = (size_t)(other_feed + 1 - other);
        if (!is_unknown(line, length) && !is_unknown(other, other_length)) {
            INSIST(length == other_length);
            INSIST(memcmp(line, other, length) == 0);
        }
        line = feed + 1;
        other = other_feed + 1;
    }
    INSIST(line == end && other == other_end);
}

/* Check that converting the lines to contest format gives the text. */
static void insist_text_of_lines(const struct asked *asked, const struct response *lines, const struct response *text) {
    struct buffer made;
    size_t number = 0;
    INSIST(ask_is_good(lines));
    if (ask_has(lines, "/problems/answer-too-large")) /* a text is shorter, so it may still fit */
        return;
    buffer_init(&made, SIZE_MAX, NULL);
    for (const char *at = lines->body, *end = at + lines->length; at < end;) {
        size_t length = (size_t)((const char *)memchr(at, '\n', (size_t)(end - at)) + 1 - at);
        put_text(&made, asked->target, at, length, ++number);
        at += length;
    }
    insist_same_text(&made, text);
    buffer_clear(&made);
}

/* Check that the JSON answer consists of the lines joined with commas, or of a single line. */
static void insist_lines_of_whole(const struct response *lines, const struct response *whole) {
    static const char before[] = "{\"results\":[", behind[] = "]}\n";
    struct buffer made;
    INSIST(ask_is_good(lines));
    buffer_init(&made, SIZE_MAX, NULL);
    if (whole->length >= sizeof before && memcmp(whole->body, before, sizeof before - 1) == 0) {
        buffer_put_string(&made, before);
        buffer_put(&made, lines->body, lines->length);
        for (size_t i = 0; i < made.length; i++)
            if (made.data[i] == '\n')
                made.data[i] = ',';
        made.length--;
        buffer_put_string(&made, behind);
    } else {
        buffer_put(&made, lines->body, lines->length);
    }
    INSIST(made.length == whole->length);
    INSIST(memcmp(made.data, whole->body, whole->length) == 0);
    buffer_clear(&made);
}

void forms_insist_agreement(const struct asked *asked) {
    struct asked other = *asked;
    other.accept = ASK_JSON;
    struct response whole = ask(&other);
    other.accept = ASK_LINES;
    struct response lines = ask(&other);
    other.accept = ASK_TEXT;
    struct response text = ask(&other);
    if (ask_is_good(&whole))
        insist_lines_of_whole(&lines, &whole);
    if (ask_is_good(&text))
        insist_text_of_lines(asked, &lines, &text);
    INSIST(!ask_is_good(&text) || ask_is_good(&whole) || ask_is_too_large(&whole));
    INSIST(!ask_is_good(&whole) || ask_is_good(&text) || ask_is_too_large(&text));
    response_clear(&whole);
    response_clear(&lines);
    response_clear(&text);
}
