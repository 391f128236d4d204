/* CORS: the origins whose pages can read answers, and the headers that allow it. */
#pragma once

#include "api/answer/response.h"

#include <stdbool.h>
#include <stddef.h>

/* "*", or a list of origins. Owned by the caller (cors_init / cors_clear), and constant in between. */
struct cors {
    char *origins; /* terminated strings, an empty one at the end; NULL: any */
};

/* Checks that `list` is "*", or a list of at least one origin, separated by commas and blanks. An origin is what a
 * browser sends: a scheme and a host in lower case, and a port unless it is the scheme's default ("https://a.example",
 * "http://localhost:3000"), or "null" or "file://". If it returns false, *ret_wrong and *ret_length give the first
 * wrong element; the length is 0 for an empty list. */
bool cors_check(const char *list, const char **ret_wrong, size_t *ret_length);

/* Read a list that cors_check accepts. Returns false when out of memory. */
bool cors_init(struct cors *cors, const char *list);

/* Free the origins. Accepts a zeroed struct. */
void cors_clear(struct cors *cors);

/* Get the CORS headers of an answer to `origin` (NULL if the request has none). The origin in them lives as long as
 * `cors`. */
struct response_cors cors_for(const struct cors *cors, const char *origin);
