/* The character sets of records.
 *
 * A record is bytes, and its property CA names the character set of its texts. This matters in one way only: in GB18030
 * (GBK, GB2312), Big5 and Shift_JIS the second byte of a character may have the code of ']' or of '\', and then it
 * neither ends nor escapes a value. In all other sets bytes below 0x80 are ASCII, as in UTF-8, ISO-8859 and EUC, and
 * the text is read byte by byte. The exception is UTF-16, which is recognised by its byte order mark, and converted to
 * UTF-8 first. (Some programs write a backslash inside a character of two bytes, before its second byte. Their records
 * cannot be distinguished from correct ones, in which that backslash is a second byte itself and the value ends after
 * it.) */
#pragma once

#include "base/arena.h"
#include "base/work.h"

#include <stdbool.h>
#include <stddef.h>

struct sgf_charset;

/* Find a set with characters of two bytes, of which the second may be ']' or '\', by its name in CA, in any common
 * spelling. NULL for all others. */
const struct sgf_charset *sgf_find_charset(const char *name, size_t length);

/* Get how many of the `length` bytes the first character has: 1 or 2. Other lengths do not matter here, and count as 1.
 */
size_t sgf_character_length(const struct sgf_charset *charset, const char *text, size_t length);

/* Does a text begin with a byte order mark of UTF-16? */
bool sgf_is_utf16(const char *text, size_t length);

/* Convert such a text to UTF-8, without the mark, in `arena`. Invalid units become U+FFFD. */
enum outcome sgf_from_utf16(const char *text, size_t length, struct arena *arena, struct work *work,
                            const char **ret_text, size_t *ret_length);
