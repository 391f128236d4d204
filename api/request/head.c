#include "api/request/head.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

static void note_once(struct head_facts *facts, const char **value, const char *new_value, const char *twice) {
    if (*value != NULL && facts->framing_fault == NULL)
        facts->framing_fault = twice;
    *value = new_value;
}

/* Names must be tokens (RFC 9110), because servers disagree on how to read others. (Not strspn: it builds a table on
 * each call, which would take as long as all other processing of a head.) */
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

/* Does a name begin with `framing`, without being equal to it? libmicrohttpd 0.9 reports the text of a folded line as
 * part of the header's name: "Content-Length: 1", " 5" become the value 1 of "Content-Length5". It then ignores that
 * header when it reads the body, while other servers use it, so they disagree on where the body ends. */
static bool is_folded(const char *name, const char *framing) {
    size_t length = strlen(framing);
    return (*name | 0x20) == *framing && strncasecmp(name, framing, length) == 0 && name[length] != 0;
}

/* Find a conflict between headers that must be unique. Returns a phrase, or NULL if there is none. */
static const char *find_conflict(const struct head_facts *facts, const char *version) {
    if (facts->content_length != NULL && facts->transfer_encoding != NULL)
        return "both Content-Length and Transfer-Encoding";
    if (facts->transfer_encoding != NULL && strcasecmp(facts->transfer_encoding, "chunked") != 0)
        return "a Transfer-Encoding other than chunked";
    if (facts->content_length != NULL &&
        (*facts->content_length == 0 || facts->content_length[strspn(facts->content_length, "0123456789")] != 0))
        return "a Content-Length that is not a number";
    if (facts->host == NULL && strcmp(version, "HTTP/1.1") == 0)
        return "no Host header";
    return NULL;
}

/* Is this the name, ignoring case? Most names differ in the first letter. */
static inline bool is_header(const char *name, const char *wanted) {
    return (*name | 0x20) == *wanted && strcasecmp(name, wanted) == 0;
}

/* Browsers send this value with requests caused by pages on other sites (W3C, Fetch Metadata Request Headers, 2.4). */
static bool is_cross_site(const char *value) {
    static const char cross_site[] = "cross-site";
    size_t length = sizeof cross_site - 1;
    return strncmp(value, cross_site, length) == 0 && strchr(" \t;", value[length]) != NULL;
}

void head_note(struct head_noted *noted, const char *name, const char *value) {
    if (is_header(name, "x-request-id"))
        noted->request_id = value;
    else if (is_header(name, "traceparent"))
        noted->trace_parent = value;
    else if (is_header(name, "x-forwarded-for"))
        noted->forwarded_for = value;
    else if (noted->expect == NULL && is_header(name, "expect"))
        noted->expect = value;
}

/* If two headers conflict, libmicrohttpd silently uses one of them, which would allow request smuggling. */
struct head_facts head_read(const struct request_head *head) {
    struct head_facts facts = {0};
    for (size_t h = 0; h < head->header_count; h++) {
        const char *name = head->headers[h].name;
        const char *value = head->headers[h].value != NULL ? head->headers[h].value
                                                           : ""; /* the header is present, with an empty value */
        if (!is_token(name) && facts.framing_fault == NULL)
            facts.framing_fault = "a header with an invalid name";
        if (facts.framing_fault == NULL && is_folded(name, "content-length"))
            facts.framing_fault =
                "a folded Content-Length header, or another header whose name begins with Content-Length";
        if (facts.framing_fault == NULL && is_folded(name, "transfer-encoding"))
            facts.framing_fault =
                "a folded Transfer-Encoding header, or another header whose name begins with Transfer-Encoding";
        if (is_header(name, "content-length"))
            note_once(&facts, &facts.content_length, value, "more than one Content-Length header");
        else if (is_header(name, "transfer-encoding"))
            note_once(&facts, &facts.transfer_encoding, value, "more than one Transfer-Encoding header");
        else if (is_header(name, "host"))
            note_once(&facts, &facts.host, value, "more than one Host header");
        else if (is_header(name, "content-type"))
            facts.content_type = facts.content_type == NULL ? value : "more than one";
        else if (is_header(name, "content-encoding"))
            facts.content_encoding = facts.content_encoding == NULL ? value : "more than one";
        else if (is_header(name, "origin"))
            facts.origin = value;
        else if (is_header(name, "accept-encoding"))
            facts.accept_encoding = true;
        else if (is_header(name, "access-control-request-method"))
            facts.preflight = true;
        else if (is_header(name, "sec-fetch-site"))
            facts.cross_site |= is_cross_site(value);
    }
    if (facts.framing_fault == NULL)
        facts.framing_fault = find_conflict(&facts, head->version);
    if (facts.framing_fault == NULL && facts.content_length != NULL)
        facts.body_length = strtoull(facts.content_length, NULL, 10); /* UINT64_MAX also if it does not fit */
    return facts;
}

bool head_has_tag(const struct request_head *head, const char *tag) {
    for (size_t h = 0; h < head->header_count; h++) {
        const struct header *header = &head->headers[h];
        if (strcasecmp(header->name, "if-none-match") == 0 && header->value != NULL &&
            strstr(header->value, tag) != NULL)
            return true;
    }
    return false;
}

bool head_request_id_is_good(const char *id) {
    static const char allowed[] = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ._-";
    size_t length = strlen(id);
    return length >= 1 && length <= 64 && strspn(id, allowed) == length;
}
