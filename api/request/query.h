/* The query of a request target: parameters in the encoding of HTML forms. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* A parameter. */
struct query_parameter {
    char name[256]; /* decoded; cut at the size, which is more than messages quote */
    size_t name_length;
    const char *value; /* not decoded; points into the query */
    size_t value_length;
};

/* Read the next parameter of the query at *at, and move *at after it. False at the end. Parameters whose name begins
 * with '_' are skipped: pages add them so that no cache has the target. */
bool query_next(const char **at, struct query_parameter *ret_parameter);

/* Is the parameter called `name`? */
bool query_is(const struct query_parameter *parameter, const char *name);

/* Decode a name or value: '+' is a blank, "%41" is 'A', and an invalid escape is copied. At most `size` bytes are
 * written. Returns their number. */
size_t query_decode(const char *text, size_t length, char *ret_text, size_t size);
