/* The elements of an array one at a time, whether they are in the tree or were left out of it. */
#pragma once

#include "api/json/decode.h"

/* How many elements an array has. It may walk all of them. */
size_t json_count_elements(const struct json_decode *d, const cJSON *array);

/* A walk over an array. */
struct json_elements {
    struct json_decode *decode;
    const cJSON *child;     /* in the tree: the next element */
    const char *at, *end;   /* left out: the text from the next element on; otherwise NULL */
    struct arena_mark mark; /* of d->elements, before the element that was given last */
    size_t used;            /* of it, behind that element */
};

/* Begin with the first element. Until the walk has ended nobody else may use d->elements, unless it is d->arena and
 * nothing is allocated from that either. */
void json_elements_begin(struct json_elements *elements, struct json_decode *d, const cJSON *array);

/* The next element, which is valid until the next call. NULL behind the last, or when the decoding has ended. What was
 * left out is parsed now, which is charged as work, and takes no more memory than one element at a time. */
const cJSON *json_elements_next(struct json_elements *elements);
