/* Requests of every kind, for tests that subject each of them to the same failure. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct torture_request {
    const char *target;
    const char *method;       /* NULL: GET, with a body POST */
    const char *type;         /* Content-Type; NULL: none */
    const char *accept;       /* Accept; NULL: none */
    const char *name, *value; /* another header; NULL: none */
    const char *body;         /* NULL: none */
    unsigned status;          /* of the answer when nothing fails */
    bool not_parsed;          /* cJSON fails for no reason */
    bool unpaid;              /* one byte in flight is allowed, and the body is long */
};

extern const struct torture_request torture_requests[];
extern const size_t torture_request_count;

struct limits;

/* Lower the limits, so that short requests exceed them. */
void torture_lower_limits(struct limits *limits);
