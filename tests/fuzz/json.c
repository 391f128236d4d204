/* A JSON body for any game: a letter (ask_by_letter), then the body.
 *
 * The answer must be the same from one thread and from workers taking turns, in all formats, for a case by itself, in a
 * batch and on a line, and with a long list, which is read element by element. */
#include "fuzz/forms.h"

#include "api/json/tree.h"
#include "base/ascii.h"
#include "base/utf8.h"

#include <stdlib.h>
#include <string.h>

static const char *const long_lists[] = {"\"moves\"", "\"mines\"", "\"clicks\""};

/* Check that a valid case gets the same answer in a batch of one. There are two exceptions: only a batch has a limit on
 * values, which counts its envelope; and a batch cannot contain collections, whose answer is a batch. */
static void insist_same_in_batch(const struct asked *asked, const struct response *alone) {
    struct buffer body, wanted;
    struct asked batch = *asked;
    buffer_init(&body, SIZE_MAX, NULL);
    buffer_init(&wanted, SIZE_MAX, NULL);
    buffer_put_string(&body, "{\"cases\":[");
    buffer_put(&body, asked->body, asked->length);
    buffer_put_string(&body, "]}");
    buffer_put_string(&wanted, "{\"results\":[");
    buffer_put(&wanted, alone->body, alone->length - 1);
    buffer_put_string(&wanted, "]}\n");
    batch.body = body.data;
    batch.length = body.length;
    struct response response = ask(&batch);
    INSIST(ask_is_good(&response) || ask_is_too_large(&response));
    if (ask_is_good(&response)) {
        INSIST(response.length == wanted.length);
        INSIST(memcmp(response.body, wanted.data, wanted.length) == 0);
    }
    response_clear(&response);
    buffer_clear(&body);
    buffer_clear(&wanted);
}

/* Check that a valid case gets the same answer on a line. Line ends are replaced with spaces, which JSON allows. */
static void insist_same_on_line(const struct asked *asked, const struct response *alone) {
    struct asked line = *asked;
    char *body = malloc(asked->length);
    INSIST(body != NULL);
    for (size_t i = 0; i < asked->length; i++)
        body[i] = (char)(asked->body[i] == '\n' || asked->body[i] == '\r' ? ' ' : asked->body[i]);
    line.body = body;
    line.type = line.accept = ASK_LINES;
    struct response response = ask(&line);
    INSIST(response.status == 200 && response.length == alone->length);
    INSIST(memcmp(response.body, alone->body, alone->length) == 0);
    response_clear(&response);
    free(body);
}

static bool begins_with(const char *bytes, size_t length, const char *wanted) {
    return length >= strlen(wanted) && memcmp(bytes, wanted, strlen(wanted)) == 0;
}

/* The first byte that is not blank; 0: there is none. */
static char first_of(const struct asked *asked) {
    size_t at = 0;
    while (at < asked->length && ascii_is_space(asked->body[at]))
        at++;
    return at < asked->length ? asked->body[at] : '\0';
}

/* A board alone may stand on a line, but not in a batch. Other bodies than these are not JSON. */
static void insist_same_among_others(const struct asked *asked) {
    struct asked whole = *asked;
    char first = first_of(asked);
    whole.accept = ASK_JSON;
    struct response alone = ask(&whole);
    if (ask_is_good(&alone) && !begins_with(alone.body, alone.length, "{\"results\":[") &&
        !begins_with(asked->body, asked->length, "\xef\xbb\xbf")) {
        if (first == '{')
            insist_same_in_batch(&whole, &alone);
        if (first == '{' || first == '[' || first == '"')
            insist_same_on_line(&whole, &alone);
    }
    response_clear(&alone);
}

/* Find the first text that looks like this member with an array, and return a pointer to what follows its bracket, or
 * NULL. The text cannot be inside a string, where its quotes would be escaped. */
static const char *find_list(const struct asked *asked, const char *member) {
    const char *end = asked->body + asked->length;
    const char *at = ascii_skip_space(asked->body + utf8_mark_length(asked->body, asked->length), end);
    if (at == end || (*at != '{' && *at != '[')) /* this can be a drawing or a record */
        return NULL;
    at = memmem(asked->body, asked->length, member, strlen(member));
    if (at == NULL)
        return NULL;
    for (at += strlen(member); at < end && memchr(" \t\r\n:", *at, 5) != NULL; at++)
        ;
    return at < end && *at == '[' ? at + 1 : NULL;
}

/* Check that a list that is long only because of blanks, and is therefore read one element at a time, gets the same
 * answer. Syntax errors are left out, because their positions differ. */
static void insist_same_when_long(const struct asked *asked, const char *member, const struct response *whole) {
    const char *list = find_list(asked, member);
    struct asked stretched = *asked;
    struct buffer body;
    if (list == NULL || asked->tight || whole->status == 400)
        return;
    size_t before = (size_t)(list - asked->body);
    buffer_init(&body, SIZE_MAX, NULL);
    buffer_put(&body, asked->body, before);
    INSIST(buffer_reserve(&body, JSON_LONG_ARRAY));
    memset(body.data + body.length, ' ', JSON_LONG_ARRAY);
    body.length += JSON_LONG_ARRAY;
    buffer_put(&body, list, asked->length - before);
    stretched.body = body.data;
    stretched.length = body.length;
    struct response response = ask_in_turns(&stretched, before);
    ask_insist_same(whole, &response);
    response_clear(&response);
    buffer_clear(&body);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0)
        return 0;
    struct asked asked = ask_by_letter(ASK_JSON, data, size);
    struct response response = ask_both_ways(&asked, ask_seed(data, size));
    for (int m = 0; m < 3; m++)
        insist_same_when_long(&asked, long_lists[m], &response);
    response_clear(&response);
    forms_insist_agreement(&asked);
    insist_same_among_others(&asked);
    ask_end();
    return 0;
}
