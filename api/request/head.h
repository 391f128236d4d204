/* The head of a request: what its headers say, and whether they agree on where the body ends. */
#pragma once

#include "api/answer/response.h"

#include <stdint.h>

/* A head as it came over the wire; it is not changed and not kept. */
struct request_head {
    const char *method;
    const char *target;  /* with the query, not unescaped */
    const char *version; /* "HTTP/1.1" */
    const struct header *headers;
    size_t header_count;
};

/* The headers that matter, NULL where there is none. Of several Content-Type or Content-Encoding none is right: then
 * the value is "more than one". */
struct head_facts {
    const char *content_type, *content_encoding, *origin;
    const char *content_length, *transfer_encoding;
    const char *host;
    const char *framing_fault; /* a phrase; NULL: the framing is good */
};

/* Walk over all headers once. */
struct head_facts head_read(const struct request_head *head);

/* The announced length of the body: 0 where none is announced or the framing has a fault, the largest number where it
 * does not fit. */
uint64_t head_content_length(const struct head_facts *facts);

/* Is this a value of X-Request-Id that is kept? */
bool head_request_id_is_good(const char *id);
