/* Writing JSON by hand: several times faster than printing a tree, and answers have a fixed shape. */
#pragma once

#include "base/buffer.h"

#include <stddef.h>

/* The inside of a JSON string, without its quotes. What is not UTF-8 becomes U+FFFD. */
void put_json_escaped(struct buffer *buffer, const char *bytes, size_t length);

/* A JSON string. */
void put_json_string(struct buffer *buffer, const char *bytes, size_t length);
