/* Writing JSON by hand: answers have a fixed shape, and printing a tree takes some 740 ns a pair of numbers where this
 * takes 9. */
#pragma once

#include "base/buffer.h"

#include <stddef.h>

/* Append the inside of a JSON string, without its quotes. What is not UTF-8 becomes U+FFFD. */
void json_put_escaped(struct buffer *buffer, const char *bytes, size_t length);

/* Append a JSON string of `length` bytes, in quotes. */
void json_put_string(struct buffer *buffer, const char *bytes, size_t length);

/* Append a value without the blanks between its tokens. The text is one that json_check has found good. */
void json_put_compact(struct buffer *buffer, const char *json, size_t length);

/* How many bytes json_put_compact appends. */
size_t json_compact_length(const char *json, size_t length);

/* Append the rows of a board as an array of strings: `cells` holds rows x cols characters that need no escape. */
void json_put_rows(struct buffer *buffer, const char *cells, unsigned rows, unsigned cols);
