#include "api/request/head.h"

#include <string.h>
#include <strings.h>

static void note_once(struct head_facts *facts, const char **value, const char *new_value, const char *twice) {
    if (*value != NULL && facts->framing_fault == NULL)
        facts->framing_fault = twice;
    *value = new_value;
}

/* Names as RFC 9110 has them: tokens. What is not, some servers read one way and some another. (strspn makes a table of
 * its own for each of them, which takes as long as all else that is done with a head.) */
static bool is_token(const char *name) {
    static const bool allowed[256] = {
        ['0' ... '9'] = true, ['a' ... 'z'] = true, ['A' ... 'Z'] = true, ['!'] = true, ['#'] = true, ['$'] = true,
        ['%'] = true,         ['&'] = true,         ['\''] = true,        ['*'] = true, ['+'] = true, ['-'] = true,
        ['.'] = true,         ['^'] = true,         ['_'] = true,         ['`'] = true, ['|'] = true, ['~'] = true,
    };
    size_t length = 0;
    while (allowed[(unsigned char)name[length]])
        length++;
    return length != 0 && name[length] == 0;
}

/* How do the headers that stand there once conflict with each other or with themselves? NULL: they do not. */
static const char *find_conflict(const struct head_facts *facts, const char *version) {
    if (facts->content_length != NULL && facts->transfer_encoding != NULL)
        return "both Content-Length and Transfer-Encoding";
    if (facts->transfer_encoding != NULL && strcasecmp(facts->transfer_encoding, "chunked") != 0)
        return "a Transfer-Encoding other than chunked";
    if (facts->content_length != NULL &&
        (*facts->content_length == 0 || facts->content_length[strspn(facts->content_length, "0123456789")] != 0))
        return "a Content-Length that is no number";
    if (facts->host == NULL && strcmp(version, "HTTP/1.1") == 0)
        return "no Host";
    return NULL;
}

/* libmicrohttpd reads a body by one of two conflicting headers without a word: smuggling begins there. */
struct head_facts head_read(const struct request_head *head) {
    struct head_facts facts = {0};
    for (size_t h = 0; h < head->header_count; h++) {
        const char *name = head->headers[h].name, *value = head->headers[h].value;
        if (!is_token(name) && facts.framing_fault == NULL)
            facts.framing_fault = "a header whose name is no token";
        if (strcasecmp(name, "content-length") == 0)
            note_once(&facts, &facts.content_length, value, "more than one Content-Length");
        else if (strcasecmp(name, "transfer-encoding") == 0)
            note_once(&facts, &facts.transfer_encoding, value, "more than one Transfer-Encoding");
        else if (strcasecmp(name, "host") == 0)
            note_once(&facts, &facts.host, value, "more than one Host");
        else if (strcasecmp(name, "content-type") == 0)
            facts.content_type = facts.content_type == NULL ? value : "more than one";
        else if (strcasecmp(name, "content-encoding") == 0)
            facts.content_encoding = facts.content_encoding == NULL ? value : "more than one";
        else if (strcasecmp(name, "origin") == 0)
            facts.origin = value;
    }
    if (facts.framing_fault == NULL)
        facts.framing_fault = find_conflict(&facts, head->version);
    return facts;
}

uint64_t head_content_length(const struct head_facts *facts) {
    uint64_t length = 0;
    if (facts->framing_fault != NULL || facts->content_length == NULL)
        return 0;
    for (const char *digit = facts->content_length; *digit != 0; digit++)
        if (__builtin_mul_overflow(length, 10, &length) ||
            __builtin_add_overflow(length, (uint64_t)(*digit - '0'), &length))
            return UINT64_MAX;
    return length;
}

bool head_request_id_is_good(const char *id) {
    static const char allowed[] = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ._-";
    size_t length = strlen(id);
    return length >= 1 && length <= 64 && strspn(id, allowed) == length;
}
