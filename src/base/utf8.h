/* UTF-8: the length of a character, and the byte order mark. */
#pragma once

#include <stddef.h>

/* Get the length of the character at the start of `bytes`: 1 to 4; 0 when it is not well-formed within `length` bytes.
 * `length` > 0. Source: the Unicode standard, table 3-7. */
size_t utf8_length(const char *bytes, size_t length);

/* Get the length of the byte order mark at the beginning of the bytes; 0: there is none. */
size_t utf8_mark_length(const char *bytes, size_t length);
