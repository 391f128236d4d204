/* The character sets of records.
 *
 * A record is bytes, and its property CA names the character set of its texts. This matters in one way only: in some
 * sets the second byte of a character may have the code of ']' or of '\', and then it neither ends nor escapes a value.
 * In all other sets bytes below 0x80 are ASCII, as in UTF-8, ISO-8859 and EUC, and the text is read byte by byte.
 * sgf_encoding.h chooses the set of a game. The exception is UTF-16, which is recognised by its byte order mark, and
 * converted to UTF-8 first. (Some programs write a backslash inside a character of two bytes, before its second byte.
 * Their records cannot be distinguished from correct ones, in which that backslash is a second byte itself and the
 * value ends after it.) */
#pragma once

#include "base/arena.h"
#include "base/work.h"

#include <stdbool.h>
#include <stddef.h>

enum sgf_charset {
    SGF_UNKNOWN, /* not named, or not known; read byte by byte */
    SGF_BYTES,   /* any set that is read byte by byte, but UTF-8 */
    SGF_UTF8,

    /* Sets in which a second byte may be ']' or '\'. CA may name these: */
    SGF_GB18030, /* and GBK, GB2312 */
    SGF_BIG5,
    SGF_SHIFT_JIS,

    /* And these are not read: a record that could be in one of them is refused. */
    SGF_JOHAB,
    SGF_SHIFTED, /* sets of seven bits, where ESC, SO or "~{" begins characters of two bytes: ISO-2022-JP, HZ, ... */
    SGF_CHARSETS,
};

/* The name of each set from SGF_GB18030 on, for people. */
extern const char *const sgf_charset_names[SGF_CHARSETS];

/* Get how many of the `length` bytes, at least 1, the first character has in a set from SGF_GB18030 on. Longer
 * characters whose bytes mean nothing by themselves may count as several. In SGF_SHIFTED all characters up to the
 * return to ASCII count as one. */
size_t sgf_character_length(enum sgf_charset charset, const char *text, size_t length);

/* Is there a byte or a pair of bytes with which SGF_SHIFTED leaves ASCII? */
bool sgf_has_shift(const char *text, size_t length);

/* Convert a text that begins with a byte order mark of UTF-16 to UTF-8, without the mark, in `arena`. Invalid units
 * become U+FFFD. */
enum outcome sgf_from_utf16(const char *text, size_t length, struct arena *arena, struct work *work,
                            const char **ret_text, size_t *ret_length);
