/* Requests of every kind, for tests that subject each of them to the same failure. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct torture_request {
    const char *target;
    const char *method;       /* if NULL, POST with a body and GET without */
    const char *type;         /* Content-Type; NULL for none */
    const char *accept;       /* Accept; NULL for none */
    const char *name, *value; /* another header; NULL for none */
    const char *body;         /* NULL for none */
    unsigned status;          /* of the answer if nothing fails */
    bool not_parsed;          /* cJSON fails for no reason */
    bool unpaid;              /* the account allows only one byte, and the body is long enough to be charged */
};

extern const struct torture_request torture_requests[];
extern const size_t torture_request_count;

struct limits;

/* Lower the limits so that short requests exceed them. */
void torture_lower_limits(struct limits *limits);
