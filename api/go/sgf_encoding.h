/* Chooses the character set in which a game of a record is read, and refuses a game that can be read in two ways.
 *
 * - A game that is valid UTF-8 is read as UTF-8, whatever CA says, because editors convert texts and leave CA alone.
 * - Otherwise, a set is a candidate if CA, in the first node as read in this set, names it. If there is exactly one
 *   candidate, the game is read in it. CA can be anywhere in the node.
 * - Otherwise, the game is read byte by byte if it means the same in every set in which it can be read at all, and
 *   refused if not. So CA is needed only where it matters: ISO-8859-1 in a player's name does not need it.
 *
 * A UTF-8 byte order mark takes precedence over CA, and a JSON member is always UTF-8. A text without bytes above 0x7f
 * is also compared with the 7-bit sets.
 *
 * Allocates nothing. The time is proportional to the record: all readings of all games together can be up to
 * MAX_READINGS times as long as the record. Only a record crafted for that purpose needs more, and it is refused. */
#pragma once

#include "api/go/sgf_charset.h"
#include "api/go/sgf_scan.h"
#include "base/work.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The state of choosing for the games of a record, one after the other. The caller fills in the first part and zeroes
 * the rest. */
struct sgf_encoding {
    bool is_unicode;   /* the record is in UTF-8, whatever CA says */
    struct work *work; /* each reading is charged to it afterwards */

    size_t utf8_end; /* the text from the beginning of the last game up to here is valid UTF-8 */
    enum { SGF_SHIFT_UNKNOWN, SGF_SHIFT_NONE, SGF_SHIFT_SOME } shift; /* see sgf_has_shift */
    uint64_t read;                                                    /* bytes read so far, in all readings */
};

/* Choose the character set of the game that sgf_find_game has found, and set it in the scan. Returns false if the scan
 * has a fault, or an outcome other than OUTCOME_DONE. */
bool sgf_encoding_choose(struct sgf_encoding *encoding, struct sgf_scan *scan);
