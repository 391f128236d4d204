/* The head of a request: what its headers say, and whether they agree on where the body ends. */
#pragma once

#include "api/answer/response.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A head as it came over the wire; it is not changed and not kept. */
struct request_head {
    const char *method;
    const char *target;  /* with the query, not unescaped */
    const char *version; /* "HTTP/1.1" */
    const struct header *headers;
    size_t header_count;
};

/* Headers that decide nothing, and that the log or the answer tells; NULL where there is none. */
struct head_noted {
    const char *request_id, *trace_parent, *forwarded_for;
};

/* The headers that matter, NULL where there is none. Of several Content-Type or Content-Encoding none is right: then
 * the value is "more than one". */
struct head_facts {
    const char *content_type, *content_encoding, *origin;
    const char *content_length, *transfer_encoding;
    const char *host;
    bool accept_encoding; /* there is one */
    bool preflight;       /* there is an Access-Control-Request-Method */
    bool cross_site;      /* Sec-Fetch-Site: cross-site */
    struct head_noted noted;
    const char *framing_fault; /* a phrase; NULL: the framing is good */
};

/* Walk over all headers once. A value that is NULL is an empty one, which is a fault of Content-Length and of
 * Transfer-Encoding; a name that begins like one of these is a fault too, for so libmicrohttpd shows what is folded. */
struct head_facts head_read(const struct request_head *head);

/* The announced length of the body: 0 where none is announced or the framing has a fault, the largest number where it
 * does not fit. */
uint64_t head_content_length(const struct head_facts *facts);

/* Does If-None-Match, whose value may be NULL, name this tag? Weak tags compare equal (RFC 9110, 13.1.2); "*" is not
 * looked at. */
bool head_has_tag(const struct request_head *head, const char *tag);

/* Is this a value of X-Request-Id that is kept? */
bool head_request_id_is_good(const char *id);
