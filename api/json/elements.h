/* Iterates over the elements of an array, whether they are in the tree or were left out of it. */
#pragma once

#include "api/json/decode.h"

/* Count the elements of an array. Takes time in proportion to their number. */
size_t json_count_elements(const struct json_decode *d, const cJSON *array);

/* An iteration over an array. */
struct json_elements {
    struct json_decode *decode;
    const cJSON *child;     /* in the tree: the next element */
    const char *at, *end;   /* left out: the text from the next element on; otherwise NULL */
    struct arena_mark mark; /* of d->elements, before the current element */
    size_t used;            /* bytes used there after the current element */
};

/* Begin before the first element. Until the iteration has ended, d->elements must not be used for anything else. If it
 * is the same as d->arena, nothing may be allocated from that. */
void json_elements_begin(struct json_elements *elements, struct json_decode *d, const cJSON *array);

/* Get the next element, which is valid until the next call. NULL after the last, and when decoding has ended. A
 * left-out element is parsed in this call; that is charged as work, and needs memory for one element at a time. */
const cJSON *json_elements_next(struct json_elements *elements);
