/* The head of a request: the headers that matter, and whether they agree on where the body ends. */
#pragma once

#include "api/answer/response.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A head as it was received. It is neither changed nor kept. */
struct request_head {
    const char *method;
    const char *target;  /* including the query, still percent-encoded */
    const char *version; /* "HTTP/1.1" */
    const struct header *headers;
    size_t header_count;
};

/* Headers that decide nothing about the answer, but that the server needs; NULL if absent. If one is repeated, the last
 * counts, or for `expect` the first. */
struct head_noted {
    const char *request_id, *trace_parent, *forwarded_for, *expect;
};

/* Note a header, if it is one of these. */
void head_note(struct head_noted *noted, const char *name, const char *value);

/* The headers that matter; NULL if absent. If there are several Content-Type or Content-Encoding headers, the value is
 * "more than one", which is never valid. */
struct head_facts {
    const char *content_type, *content_encoding, *origin;
    const char *content_length, *transfer_encoding;
    const char *host;
    bool accept_encoding;      /* the header is present */
    bool preflight;            /* Access-Control-Request-Method is present */
    bool cross_site;           /* Sec-Fetch-Site: cross-site */
    const char *framing_fault; /* a phrase; NULL if the framing is valid */
    uint64_t body_length;      /* as announced; 0 if it is not announced or the framing is invalid; UINT64_MAX if it
                                * does not fit */
};

/* Read all headers once. A NULL value counts as empty, which for Content-Length and Transfer-Encoding is a framing
 * fault. So is a longer name that begins with one of these two, because that is how libmicrohttpd reports folded
 * lines. */
struct head_facts head_read(const struct request_head *head);

/*
 * Does If-None-Match, which may be absent, contain this tag? Weak tags compare equal (RFC 9110, 13.1.2). "*" is
 * ignored.
 */
bool head_has_tag(const struct request_head *head, const char *tag);

/* Is this a value of X-Request-Id that the service accepts? */
bool head_request_id_is_good(const char *id);
