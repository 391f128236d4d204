#include "api/answer/response.h"

#include "api/answer/pack.h"
#include "base/assert.h"

#include <stdlib.h>
#include <string.h>

/* In the order of struct response_limits. */
static const struct limit limits[] = {
    {"max_answer_bytes", "bytes in a response", (uint64_t)64 << 20, (uint64_t)1 << 20, LIMIT_MAX, true},
    {"max_link_answer_bytes", "bytes in the response to a link", (uint64_t)256 << 10, (uint64_t)256 << 10, LIMIT_MAX,
     true},
};
LIMITS_MATCH(limits, struct response_limits);
const struct limit_group response_limits = {limits, sizeof limits / sizeof *limits};

ASSERT_ONLY static bool has_header(const struct response *response, const char *name) {
    bool found = false;
    for (size_t h = 0; h < response->header_count; h++)
        found |= strcmp(response->headers[h].name, name) == 0;
    return found;
}

void response_add_header(struct response *response, const char *name, const char *value) {
    ASSERT(response->header_count < RESPONSE_HEADERS);
    ASSERT(strcmp(name, "Vary") == 0 || !has_header(response, name));
    response->headers[response->header_count++] = (struct header){name, value};
}

void response_add_tag(struct response *response, const char *tag) {
    ASSERT(strlen(tag) < sizeof response->tag);
    memccpy(response->tag, tag, 0, sizeof response->tag);
    response_add_header(response, "ETag", NULL);
}

void response_take_location(struct response *response, char *location) {
    ASSERT(response->location == NULL && response->tag[0] == 0);
    response->location = location;
    response_add_header(response, "Location", NULL);
}

void response_init(struct response *response, const struct response_cors *cors, unsigned status,
                   const char *content_type) {
    *response = (struct response){.status = status, .body = ""};
    if (content_type != NULL)
        response_add_header(response, "Content-Type", content_type);
    response_add_header(response, "X-Content-Type-Options", "nosniff");
    if (cors->allow_origin != NULL) {
        response_add_header(response, "Access-Control-Allow-Origin", cors->allow_origin);
        response_add_header(response, "Access-Control-Expose-Headers", "X-Request-Id, ETag, Retry-After");
    }
    if (cors->by_origin)
        response_add_header(response, "Vary", "Origin");
}

void response_take(struct response *response, struct buffer *body) {
    ASSERT(response->length == 0 && body->outcome == OUTCOME_DONE);
    response->owned = *body;
    response->body = response->owned.data;
    response->length = response->owned.length;
    *body = (struct buffer){0};
}

void response_lend(struct response *response, const char *body, size_t length) {
    ASSERT(response->length == 0);
    response->body = body;
    response->length = length;
}

bool response_pack(struct response *response, bool welcome) {
    struct buffer packed;
    if (response->owned.length < PACK_MIN)
        return false;
    response_add_header(response, "Vary", "Accept-Encoding");
    if (!welcome)
        return false;
    buffer_init_like(&packed, &response->owned);
    if (!pack_gzip(response->owned.data, response->owned.length, &packed)) {
        buffer_clear(&packed);
        return false;
    }
    buffer_clear(&response->owned);
    response->owned = packed;
    response->body = packed.data;
    response->length = packed.length;
    response_add_header(response, "Content-Encoding", "gzip");
    return true;
}

void response_clear(struct response *response) {
    if (response == NULL)
        return;
    buffer_clear(&response->owned);
    free(response->location);
    response->location = NULL;
}
