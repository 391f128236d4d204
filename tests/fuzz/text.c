/* A body of type text/plain, for any game: a letter (ask_by_letter), then the body.
 *
 * The answers are the same on one thread and in turns, and in all formats; a refusal is the same in all formats. A text
 * that looks like JSON, a record or a drawing is answered like the same body of type JSON; a drawing, like an array of
 * cases with its boards. */
#include "fuzz/forms.h"

#include "api/game/formats.h"
#include "api/job/source.h"
#include "api/request/games.h"
#include "base/ascii.h"
#include "base/utf8.h"

#include <string.h>

/* The format that the body looks like; FORMAT_NONE: contest format. */
static enum format find_format(const struct asked *asked) {
    const char *end = asked->body + asked->length;
    const char *at = ascii_skip_space(asked->body + utf8_mark_length(asked->body, asked->length), end);
    size_t g = 0;
    while (strcmp(asked->target + 1, games[g]->name) != 0)
        g++;
    enum format format = source_guess(games[g], SOURCE_SURE, at, (size_t)(end - at));
    return format != FORMAT_NONE && format_table[format].is_detected ? format : FORMAT_NONE;
}

static bool is_blank(const char *line, size_t length) {
    for (size_t i = 0; i < length; i++)
        if (line[i] != ' ' && line[i] != '\t' && line[i] != '\r')
            return false;
    return true;
}

/* Append a string with a line for each row. The bytes need no escapes. */
static void put_row(struct buffer *out, bool begins, const char *line, size_t length) {
    while (length != 0 && is_blank(line + length - 1, 1))
        length--;
    buffer_put_string(out, !begins ? "\\n" : out->length == 1 ? "{\"board\":\"" : "\"},{\"board\":\"");
    buffer_put(out, line, length);
}

/* Check that a drawing which is answered has the answer of an array of cases with its boards. */
static void insist_same_as_array(const struct asked *asked) {
    struct asked drawing = *asked, array = *asked;
    drawing.accept = array.accept = ASK_JSON;
    array.type = ASK_JSON;
    struct response one = ask(&drawing);
    if (ask_is_good(&one)) {
        struct buffer body;
        bool begins = true;
        buffer_init(&body, SIZE_MAX, NULL);
        buffer_put_char(&body, '[');
        size_t mark = utf8_mark_length(asked->body, asked->length);
        for (const char *at = asked->body + mark, *end = asked->body + asked->length, *feed; at < end; at = feed + 1) {
            feed = memchr(at, '\n', (size_t)(end - at));
            feed = feed != NULL ? feed : end;
            bool blank = is_blank(at, (size_t)(feed - at));
            if (!blank)
                put_row(&body, begins, at, (size_t)(feed - at));
            begins = blank;
        }
        buffer_put_string(&body, "\"}]");
        array.body = body.data;
        array.length = body.length;
        struct response other = ask(&array);
        if (!ask_is_too_large(&other))
            ask_insist_same(&one, &other);
        response_clear(&other);
        buffer_clear(&body);
    }
    response_clear(&one);
}

static void insist_same_as_json(const struct asked *asked) {
    static const char *const accepts[] = {ASK_JSON, ASK_TEXT, ASK_LINES};
    struct asked as_text = *asked, as_json = *asked;
    as_json.type = ASK_JSON;
    for (int a = 0; a < 3; a++) {
        as_text.accept = as_json.accept = accepts[a];
        struct response one = ask(&as_text), other = ask(&as_json);
        ask_insist_same(&one, &other);
        response_clear(&one);
        response_clear(&other);
    }
}

static void insist_same_refusal(const struct asked *asked) {
    struct asked other = *asked;
    other.accept = ASK_TEXT;
    struct response first = ask(&other);
    if (first.status >= 400 && !ask_is_too_large(&first))
        for (int a = 0; a < ASK_ACCEPTS; a++) {
            other.accept = ask_accepts[a];
            struct response response = ask(&other);
            if (response.status != 406)
                ask_insist_same(&first, &response);
            response_clear(&response);
        }
    response_clear(&first);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0)
        return 0;
    struct asked asked = ask_by_letter(ASK_TEXT, data, size);
    struct response response = ask_both_ways(&asked, ask_seed(data, size));
    response_clear(&response);
    enum format format = find_format(&asked);
    if (format != FORMAT_NONE)
        insist_same_as_json(&asked);
    if (format == FORMAT_DRAWING) {
        insist_same_as_array(&asked);
        forms_insist_agreement(&asked);
    }
    if (format == FORMAT_NONE) {
        forms_insist_agreement(&asked);
        insist_same_refusal(&asked);
    }
    ask_end();
    return 0;
}
