/* UTF-8: the length of a character, and the byte order mark. And what UTF-16 looks like, which is often sent by
 * mistake. */
#pragma once

#include <stddef.h>

/* Get the length of the character at the start of `bytes`: 1 to 4; 0 when it is not well-formed within `length` bytes.
 * `length` > 0. Source: the Unicode standard, table 3-7. */
size_t utf8_length(const char *bytes, size_t length);

/* Get the length of the byte order mark at the beginning of the bytes; 0: there is none. */
size_t utf8_mark_length(const char *bytes, size_t length);

/* Does a text look like UTF-16? */
enum utf16_look {
    UTF16_NONE,
    UTF16_MARKED,   /* it begins with a byte order mark */
    UTF16_UNMARKED, /* one byte of each of its first two units is zero, the other one is not: ASCII in UTF-16 */
};
enum utf16_look utf16_look(const char *bytes, size_t length);
