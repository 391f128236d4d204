/* Which web pages may call: the configured origins, and what CORS has a service say about them. */
#pragma once

#include "api/answer/response.h"

#include <stdbool.h>
#include <stddef.h>

/* "*", or the origins of a list. The caller holds the struct (cors_init / cors_clear); it is not changed in between. */
struct cors {
    bool any;
    char *origins; /* each terminated, an empty one at the end; NULL with `any` */
};

/* Is `list` "*", or origins separated by commas and blanks, at least one? An origin is what a browser sends: a scheme
 * and a host in small letters, and a port unless it is the scheme's own ("https://a.example", "http://localhost:3000"),
 * or "null" or "file://". Otherwise *ret_wrong and *ret_length tell which element is none; a list without any is one of
 * length 0. */
bool cors_check(const char *list, const char **ret_wrong, size_t *ret_length);

/* Read a list that cors_check finds good. False when memory is exhausted. */
bool cors_init(struct cors *cors, const char *list);

/* Free the origins. Accepts a zeroed struct. */
void cors_clear(struct cors *cors);

/* What to say to a request from `origin` (NULL: it names none). The origin in it lives as long as `cors`. */
struct response_cors cors_for(const struct cors *cors, const char *origin);
