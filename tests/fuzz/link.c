/* A link: a letter for the game, a letter for the format in Accept, then the query, up to a NUL.
 *
 * The answer must be the same from one thread and from workers taking turns, and when the case is sent as the body of a
 * POST. With the answer's ETag, the response must be 304. */
#include "fuzz/ask.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_QUERY = 7000 };

static int digit_of(char c) {
    static const char digits[] = "0123456789abcdef";
    const char *found = c != 0 ? strchr(digits, c >= 'A' && c <= 'F' ? c + 32 : c) : NULL;
    return found != NULL ? (int)(found - digits) : -1;
}

/* Decode the escapes in part of a query in place. Returns the new length. */
static size_t unescape(char *text, size_t length) {
    size_t count = 0;
    for (size_t i = 0; i < length; i++) {
        char c = text[i];
        if (c == '+') {
            c = ' ';
        } else if (c == '%' && length - i > 2 && digit_of(text[i + 1]) >= 0 && digit_of(text[i + 2]) >= 0) {
            c = (char)(digit_of(text[i + 1]) * 16 + digit_of(text[i + 2]));
            i += 2;
        }
        text[count++] = c;
    }
    return count;
}

/* Find the value of the first "case" parameter, and decode it in place. Returns false if there is none. */
static bool find_case(char *query, char **ret_value, size_t *ret_length) {
    for (char *next, *at = query; at != NULL; at = next) {
        size_t length = strcspn(at, "&"), name = strcspn(at, "=&");
        next = at[length] == '&' ? at + length + 1 : NULL;
        size_t value = name + (name < length);
        if (unescape(at, name) != 4 || memcmp(at, "case", 4) != 0)
            continue;
        *ret_value = at + value;
        *ret_length = unescape(at + value, length - value);
        return true;
    }
    return false;
}

/* Is this the answer to a batch or a collection? A link cannot contain either. */
static bool is_batch(const struct response *response) { return ask_has(response, "{\"results\":["); }

static void insist_same_as_body(const struct asked *link, const struct response *linked, const char *accept) {
    char query[MAX_QUERY + 1], target[16], *value;
    struct asked posted = {.method = "POST", .target = target, .type = ASK_JSON, .accept = accept};
    snprintf(target, sizeof target, "%.*s", (int)strcspn(link->target, "?"), link->target);
    snprintf(query, sizeof query, "%s", strchr(link->target, '?') + 1);
    if (!find_case(query, &value, &posted.length)) {
        INSIST(linked->status == 400 || linked->status == 406 || linked->status == 414);
        return;
    }
    posted.body = value;
    struct response response = ask(&posted);
    if (ask_is_good(linked)) {
        INSIST(ask_is_good(&response) && response.length == linked->length);
        INSIST(memcmp(response.body, linked->body, linked->length) == 0);
    } else if (linked->status == 422 && !ask_is_too_large(linked)) {
        INSIST(response.status == 422 || is_batch(&response));
    } else if (linked->status == 400 && !ask_has(linked, "\"parameter\":")) {
        INSIST(response.status == 400);
    }
    response_clear(&response);
}

static void insist_unchanged(const struct asked *link, const struct response *linked) {
    const char *tag = ask_header(linked, "ETag");
    struct header headers[] = {{"Host", "test"}, {"Accept", link->accept}, {"If-None-Match", tag}};
    struct request_head head = {"GET", link->target, "HTTP/1.1", headers, 3};
    INSIST(tag != NULL);
    struct response again = ask_head(&head, "", 0);
    INSIST(again.status == 304);
    INSIST(strcmp(ask_header(&again, "ETag"), tag) == 0);
    response_clear(&again);
}

/* Get the media type that a POST must accept to get the same answer. A refusal is the same for all types. */
static const char *accept_of(const struct response *linked) {
    const char *type = ask_header(linked, "Content-Type");
    for (int a = 0; ask_is_good(linked) && a < ASK_ACCEPTS; a++)
        if (strncmp(type, ask_accepts[a], strlen(ask_accepts[a])) == 0)
            return ask_accepts[a];
    return ASK_JSON;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char *const accepts[] = {NULL, ASK_JSON, ASK_TEXT, "image/svg+xml", "text/*, image/svg+xml;q=0.5"};
    char target[MAX_QUERY + 16];
    if (size < 2 || size > MAX_QUERY)
        return 0;
    snprintf(target, sizeof target, "%s?%.*s", ask_targets[ask_choice(data[0], ASK_GAMES)], (int)(size - 2),
             (const char *)data + 2);
    struct asked link = {.method = "GET", .target = target, .accept = accepts[ask_choice(data[1], 5)]};
    struct response linked = ask_both_ways(&link, ask_seed(data, size));
    insist_same_as_body(&link, &linked, accept_of(&linked));
    if (ask_is_good(&linked) && link.accept != NULL)
        insist_unchanged(&link, &linked);
    response_clear(&linked);
    ask_end();
    return 0;
}
