/* Answers: status, headers, body. */
#pragma once

#include "api/game/limit.h"
#include "base/buffer.h"

#include <stdbool.h>
#include <stddef.h>

/* A header of a request or of an answer. */
struct header {
    const char *name, *value;
};

/* What the head of a request and the configuration decide for every answer to it. Values live as long as the service.
 */
struct response_cors {
    const char *allow_origin; /* Access-Control-Allow-Origin; NULL: none */
    bool by_origin;           /* it depends on the request's origin */
};

enum { RESPONSE_HEADERS = 16 };

/* An answer. Header values live as long as the service. Always true: header_count <= RESPONSE_HEADERS, no header is
 * there twice but for Vary, and `body` are the bytes of `owned` or such that live as long as the service. */
struct response {
    unsigned status;
    struct header headers[RESPONSE_HEADERS];
    size_t header_count;
    const char *body; /* `length` bytes */
    size_t length;
    struct buffer owned;
    bool closes; /* the connection must not be used again */
};

/* Start an answer without a body, with the headers that every answer has. `content_type` may be NULL. */
void response_init(struct response *response, const struct response_cors *cors, unsigned status,
                   const char *content_type);

/* Free what the answer owns. Accepts NULL and a cleared answer. */
void response_clear(struct response *response);

/* Add a header; both strings live as long as the service. */
void response_add_header(struct response *response, const char *name, const char *value);

/* Let the answer own `body` and send it; the buffer is empty afterwards. */
void response_take(struct response *response, struct buffer *body);

/* Pack what the answer owns, where gzip is welcome and it is long enough; and say that this depends on the request.
 * Where memory is exhausted it stays as it is. Returns whether it was packed. */
bool response_pack(struct response *response, bool welcome);

/* Let the answer send bytes that live as long as the service. */
void response_lend(struct response *response, const char *body, size_t length);

/* The values of response_limits. */
struct response_limits {
    uint64_t max_answer_bytes, max_link_answer_bytes;
};
extern const struct limit_group response_limits;
