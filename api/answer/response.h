/* Answers: status, headers, body. */
#pragma once

#include "api/game/limit.h"
#include "base/buffer.h"

#include <stdbool.h>
#include <stddef.h>

/* A header in a request or an answer. */
struct header {
    const char *name, *value;
};

/* The CORS headers of every answer to a request, determined by its head and the configuration. Values live as long as
 * the service. */
struct response_cors {
    const char *allow_origin; /* Access-Control-Allow-Origin, or NULL */
    bool by_origin;           /* the value depends on the request's origin */
};

enum { RESPONSE_HEADERS = 12, RESPONSE_TAG_BYTES = 24 };

/* An answer. Header values live as long as the service; a NULL value stands for `location` or `tag` (response_value).
 * Invariants: header_count <= RESPONSE_HEADERS; no header occurs twice, except Vary; `body` points to the bytes of
 * `owned`, or to bytes that live as long as the service. */
struct response {
    unsigned status;
    struct header headers[RESPONSE_HEADERS];
    size_t header_count;
    char tag[RESPONSE_TAG_BYTES]; /* an entity tag that belongs to this answer only */
    char *location;               /* a URL owned by this answer, which then has no tag; or NULL */
    const char *body;             /* `length` bytes */
    size_t length;
    struct buffer owned;
    bool closes; /* the connection must be closed after this answer */
};

/* Initialise an answer without a body, with the headers common to all answers. `content_type` may be NULL. */
void response_init(struct response *response, const struct response_cors *cors, unsigned status,
                   const char *content_type);

/* Free what the answer owns. Accepts NULL, and an answer that has already been cleared. */
void response_clear(struct response *response);

/* Add a header; both strings must live as long as the service. */
void response_add_header(struct response *response, const char *name, const char *value);

/* Add an ETag header whose value is stored in the answer and has at most RESPONSE_TAG_BYTES including the
 * terminator. */
void response_add_tag(struct response *response, const char *tag);

/* Add a Location header with a URL that was allocated with malloc. The answer takes ownership of it. */
void response_take_location(struct response *response, char *location);

/* Get the value of a header, which lives as long as the answer. */
static inline const char *response_value(const struct response *response, size_t header) {
    const char *value = response->headers[header].value;
    return value != NULL ? value : response->location != NULL ? response->location : response->tag;
}

/* Make `body` the body of the answer, which takes ownership. Leaves the buffer empty. */
void response_take(struct response *response, struct buffer *body);

/* Compress the body that the answer owns, if the client accepts gzip (`welcome`) and the body is long enough. Adds
 * Vary. If memory is exhausted, the body is left as it is. Returns true if it was compressed. */
bool response_pack(struct response *response, bool welcome);

/* Make the answer send bytes that live as long as the service. */
void response_lend(struct response *response, const char *body, size_t length);

/* The values behind response_limits. */
struct response_limits {
    uint64_t max_answer_bytes, max_link_answer_bytes;
};
extern const struct limit_group response_limits;
