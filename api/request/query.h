/* The query of a request target: parameters as HTML forms encode them. */
#pragma once

#include "api/fault/fault.h"

#include <stdbool.h>
#include <stddef.h>

/* A parameter. */
struct query_parameter {
    char name[256];     /* decoded; a longer one is cut, which is more than is ever quoted */
    size_t name_length; /* of what is there */
    const char *value;  /* not decoded; in the query */
    size_t value_length;
};

/* Read the next parameter of the query at *at, which moves behind it. False at the end. Those whose name begins with
 * '_' are passed over: pages add them so that no cache knows the target. */
bool query_next(const char **at, struct query_parameter *ret_parameter);

/* Is the parameter called `name`? */
bool query_is(const struct query_parameter *parameter, const char *name);

/* Decode a name or value: '+' is a blank, "%41" is 'A', and an invalid escape stays as it is. Returns the length of
 * what it decodes to, of which the first `size` bytes are written. */
size_t query_decode(const char *text, size_t length, char *ret_text, size_t size);

/* Add the fault that the path does not know a parameter. */
void query_fault_unknown(struct fault_list *faults, const struct query_parameter *parameter);
