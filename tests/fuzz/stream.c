/* A body with one case per line, for any game: a letter (ask_by_letter), then the body.
 *
 * The answer must be the same from one thread and from workers taking turns, and the job can be abandoned at any point.
 * Each case is answered as if its line were the whole body, except for the line number. */
#include "fuzz/forms.h"

#include <string.h>

static bool is_blank(const struct asked *part) {
    for (size_t i = 0; i < part->length; i++)
        if (memchr(" \t\r\n", part->body[i], 4) == NULL)
            return false;
    return true;
}

/* Send each line as a body of its own, and check that the answers, put together, are the answer to the whole body. */
static void insist_same_line_by_line(const struct asked *asked, const struct response *whole) {
    struct asked part = *asked;
    const char *at = asked->body, *end = at + asked->length;
    size_t line = 1, answered = 0;
    for (; at < end; line++) {
        const char *feed = memchr(at, '\n', (size_t)(end - at));
        part.body = at;
        part.length = (size_t)((feed != NULL ? feed + 1 : end) - at);
        part.first_line = line;
        struct response response = ask_in_turns(&part, line);
        /* A blank line is refused as a body of its own, but ignored in the whole body. */
        if (response.status == 200) {
            INSIST(response.length <= whole->length - answered);
            INSIST(memcmp(response.body, whole->body + answered, response.length) == 0);
            answered += response.length;
        } else {
            INSIST(response.status == 400 && is_blank(&part));
        }
        response_clear(&response);
        at += part.length;
    }
    INSIST(answered == whole->length);
}

static bool begins_with_mark(const struct asked *asked) {
    return asked->length >= 3 && memcmp(asked->body, "\xef\xbb\xbf", 3) == 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0)
        return 0;
    uint64_t seed = ask_seed(data, size);
    struct asked asked = ask_by_letter(ASK_LINES, data, size);
    struct response response = ask_both_ways(&asked, seed);
    response_clear(&response);
    ask_and_leave(&asked, seed);
    forms_insist_agreement(&asked);
    asked.accept = ASK_LINES;
    response = ask(&asked);
    if (ask_is_good(&response) && !begins_with_mark(&asked))
        insist_same_line_by_line(&asked, &response);
    response_clear(&response);
    ask_end();
    return 0;
}
