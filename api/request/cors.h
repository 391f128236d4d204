/* CORS: the origins whose pages may read answers, and the headers for them. */
#pragma once

#include "api/answer/response.h"

#include <stdbool.h>
#include <stddef.h>

/* "*", or a list of origins. The caller holds the struct (cors_init / cors_clear). It is constant in between. */
struct cors {
    char *origins; /* terminated strings, an empty one at the end; NULL: any */
};

/* Is `list` "*", or a list of origins separated by commas and blanks, with at least one? An origin is what a browser
 * sends: a scheme and a host in lower case, and a port unless it is the scheme's default ("https://a.example",
 * "http://localhost:3000"), or "null" or "file://". If not, *ret_wrong and *ret_length are the first wrong element; for
 * an empty list the length is 0. */
bool cors_check(const char *list, const char **ret_wrong, size_t *ret_length);

/* Read a list that cors_check accepts. False when memory is exhausted. */
bool cors_init(struct cors *cors, const char *list);

/* Free the origins. Accepts a zeroed struct. */
void cors_clear(struct cors *cors);

/* Get the CORS headers of an answer to `origin` (NULL: the request has none). The origin in them lives as long as
 * `cors`. */
struct response_cors cors_for(const struct cors *cors, const char *origin);
