/* The character sets of records.
 *
 * A record is bytes, and its property CA names the character set of its texts. That matters here in one way only: in
 * GB18030 (GBK, GB2312), Big5 and Shift_JIS the second byte of a character may be the code of ']' or of '\', and then
 * it neither ends nor escapes a value. Every other set keeps bytes below 0x80 for ASCII, as UTF-8, ISO-8859 and EUC do,
 * and is read byte by byte; but for UTF-16, which says so itself, by a byte order mark, and is made UTF-8 first.
 * (Some programs write a backslash inside a character of two bytes, before the second. Their records are not told apart
 * from right ones, where that backslash is a second byte itself and the value ends after it.) */
#pragma once

#include "base/arena.h"
#include "base/work.h"

#include <stdbool.h>
#include <stddef.h>

struct sgf_charset;

/* Find the set that has characters of two bytes whose second may be ']' or '\' by its name in CA, in any usual
 * spelling; NULL for all others. */
const struct sgf_charset *sgf_find_charset(const char *name, size_t length);

/* Return how many bytes the character at the beginning of `length` has, as far as that matters: 1 or 2. */
size_t sgf_character_length(const struct sgf_charset *charset, const char *text, size_t length);

/* Does a text begin with a byte order mark of UTF-16? */
bool sgf_is_utf16(const char *text, size_t length);

/* Write such a text as UTF-8, without the mark, to `arena`. What is no character becomes U+FFFD. */
enum outcome sgf_from_utf16(const char *text, size_t length, struct arena *arena, struct work *work,
                            const char **ret_text, size_t *ret_length);
