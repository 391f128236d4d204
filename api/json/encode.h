/* Writing JSON by hand: several times faster than printing a tree, and answers have a fixed shape. */
#pragma once

#include "base/buffer.h"

#include <stddef.h>

/* A literal piece of an answer, its length known to the compiler. */
#define put_literal(buffer, literal) buffer_put((buffer), "" literal, sizeof(literal) - 1)

/* The inside of a JSON string, without its quotes. What is not UTF-8 becomes U+FFFD. */
void put_json_escaped(struct buffer *buffer, const char *bytes, size_t length);

/* A JSON string. */
void put_json_string(struct buffer *buffer, const char *bytes, size_t length);

/* The length of the UTF-8 character at the start of `bytes`; 0 when it is not well-formed. length > 0. */
size_t utf8_length(const char *bytes, size_t length);
