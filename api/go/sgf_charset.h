/* The character sets of records.
 *
 * A record is a sequence of bytes, and its property CA names the character set of its texts. This matters in one way
 * only: in some sets, the second byte of a character can be the code of ']' or '\', and then it neither ends nor
 * escapes a value. In all other sets, such as UTF-8, ISO-8859 and EUC, bytes below 0x80 are ASCII, and the text is read
 * byte by byte. sgf_encoding.h chooses the set of a game. The exception is UTF-16, which is recognised by its byte
 * order mark and first converted to UTF-8. (Some programs write a backslash inside a two-byte character, before its
 * second byte. Their records cannot be told from correct ones in which that backslash is itself a second byte and the
 * value ends after it.) */
#pragma once

#include "base/arena.h"
#include "base/work.h"

#include <stdbool.h>
#include <stddef.h>

enum sgf_charset {
    SGF_UNKNOWN, /* not named, or unknown; read byte by byte */
    SGF_BYTES,   /* any set that is read byte by byte, except UTF-8 */
    SGF_UTF8,

    /* Sets in which a second byte can be ']' or '\', and which CA can name: */
    SGF_GB18030, /* and GBK, GB2312 */
    SGF_BIG5,
    SGF_SHIFT_JIS,

    /* Sets that are not supported; a record that could be in one of them is refused: */
    SGF_JOHAB,
    SGF_SHIFTED, /* 7-bit sets in which ESC, SO or "~{" introduces two-byte characters: ISO-2022-JP, HZ, ... */
    SGF_CHARSETS,
};

/* The name of each set from SGF_GB18030 on, for use in messages. */
extern const char *const sgf_charset_names[SGF_CHARSETS];

/* Get how many of the `length` bytes, at least 1, belong to the first character in a set from SGF_GB18030 on. Longer
 * characters whose bytes have no meaning on their own can count as several. In SGF_SHIFTED, everything up to the return
 * to ASCII counts as one character. */
size_t sgf_character_length(enum sgf_charset charset, const char *text, size_t length);

/* Is there a byte or pair of bytes with which SGF_SHIFTED leaves ASCII? */
bool sgf_has_shift(const char *text, size_t length);

/* Convert a text that begins with a UTF-16 byte order mark to UTF-8 without the mark, in `arena`. Invalid units become
 * U+FFFD. */
enum outcome sgf_from_utf16(const char *text, size_t length, struct arena *arena, struct work *work,
                            const char **ret_text, size_t *ret_length);
