/* The query of a request target: parameters, encoded as in HTML forms. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* A parameter. */
struct query_parameter {
    char name[256]; /* decoded; truncated to the size, which is more than messages quote */
    size_t name_length;
    const char *value; /* not decoded; points into the query */
    size_t value_length;
};

/* Read the next parameter of the query at *at, and move *at past it. Returns false at the end. Skips parameters whose
 * name begins with '_', which pages add to bypass caches. */
bool query_next(const char **at, struct query_parameter *ret_parameter);

/* Is this the parameter called `name`? */
bool query_is(const struct query_parameter *parameter, const char *name);

/* Decode a name or value: '+' becomes a blank, "%41" becomes 'A', and an invalid escape is copied. Writes at most
 * `size` bytes. Returns their number. */
size_t query_decode(const char *text, size_t length, char *ret_text, size_t size);
