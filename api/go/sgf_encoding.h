/* Chooses the character set in which a game of a record is read, and refuses a game that can be read in two ways.
 *
 * - A game that is valid UTF-8 is read so, whatever CA says: editors convert texts and leave CA.
 * - Else a set counts if CA, in the first node and read in this set, names it. If exactly one does, the game is read in
 *   it. CA may stand anywhere in the node.
 * - Else the game is read byte by byte, if it means the same in every set in which it can be read at all. If not, it is
 *   refused. So CA is needed only where it matters, and ISO-8859-1 in a name needs none.
 *
 * A byte order mark of UTF-8 has priority over CA, and a member of JSON is always UTF-8. In text without a byte above
 * 0x7f the sets of seven bits are compared.
 *
 * Nothing is allocated. The time is in proportion to the record: all games of all readings together may be
 * MAX_READINGS times as long as the record. Only a record that was made for this purpose has more, and is refused. */
#pragma once

#include "api/go/sgf_charset.h"
#include "api/go/sgf_scan.h"
#include "base/work.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The state of choosing for the games of a record, one after the other. The caller fills in the first part, and zeroes
 * the rest. */
struct sgf_encoding {
    bool is_unicode;   /* the record is in UTF-8, whatever CA says */
    struct work *work; /* pays for all readings, each after it was done */

    size_t utf8_end; /* the text from the beginning of the last game to here is UTF-8; here it ends, or is not */
    enum { SGF_SHIFT_UNKNOWN, SGF_SHIFT_NONE, SGF_SHIFT_SOME } shift; /* see sgf_has_shift */
    uint64_t read;                                                    /* bytes, in all readings so far */
};

/* Choose the character set of the game that sgf_find_game has found, and set it in the scan. False with a fault in the
 * scan, or with an outcome other than OUTCOME_DONE in it. */
bool sgf_encoding_choose(struct sgf_encoding *encoding, struct sgf_scan *scan);
