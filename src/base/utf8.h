/* UTF-8: the length of a character, and the byte order mark. Also recognises UTF-16, which is often sent by mistake. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Get the length of the character at the start of `bytes`: 1 to 4, or 0 if it is not well-formed within `length` bytes.
 * `length` > 0. Source: the Unicode standard, table 3-7. */
size_t utf8_length(const char *bytes, size_t length);

/* Get the character in `length` well-formed bytes: what utf8_length has found. */
uint32_t utf8_decode(const char *bytes, size_t length);

/* Get the length of the byte order mark at the start of `bytes`, or 0 if there is none. */
size_t utf8_mark_length(const char *bytes, size_t length);

/* Does a text look like UTF-16? */
enum utf16_look {
    UTF16_NONE,
    UTF16_MARKED,   /* it begins with a byte order mark */
    UTF16_UNMARKED, /* in each of its first two units, exactly one byte is zero: ASCII encoded as UTF-16 */
};
enum utf16_look utf16_look(const char *bytes, size_t length);
