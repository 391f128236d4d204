/* Requests of every kind that there is, for tests that have each of them meet the same mishap. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct torture_request {
    const char *target;
    const char *method;       /* NULL: GET, with a body POST */
    const char *type;         /* Content-Type; NULL: none */
    const char *accept;       /* Accept; NULL: none */
    const char *name, *value; /* one header more; NULL: none */
    const char *body;         /* NULL: none */
    unsigned status;          /* of the answer, where nothing goes wrong */
    bool not_parsed;          /* cJSON refuses it for no reason */
    bool unpaid;              /* of bytes in flight one is allowed, and it is long */
};

extern const struct torture_request torture_requests[];
extern const size_t torture_request_count;

struct limits;

/* Lower the limits, so that short requests pass them. */
void torture_lower_limits(struct limits *limits);
