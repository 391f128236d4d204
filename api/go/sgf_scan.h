/* The syntax of SGF: a scan that finds one piece of a record after the other (a parenthesis, a node, a name, a value)
 * and knows what may follow what.
 *
 *     collection = game {game}
 *     game       = "(" node {node} {game} ")"         where a game stands inside another it is a variation
 *     node       = ";" {property}
 *     property   = name value {value}
 *     value      = "[" anything, with "\" before "]" and "\" "]"
 *
 * with white space wherever it does not split a name or a value. In older records names may contain lower-case letters,
 * which do not count: Black[aa], SiZe[19]. Programs do not always keep to this, and it is clear what they mean where
 *
 *     something else stands before a game, between two and behind the last: it is skipped
 *     (B[aa]...     a game or a variation begins with a property: as if ";" stood before it
 *     (;B[aa];W[bb] closing parentheses are missing at the end: as if they were there
 *     ()            a variation is empty: it is skipped
 *     (..);W[bb]    a node follows a variation: it is one more child of the node that branches
 *
 * The depth of the tree is counted, with a bit for each level; nothing else is kept of it, so that no record can nest
 * too deep. */
#pragma once

#include "api/fault/fault.h"
#include "api/go/sgf_charset.h"
#include "base/arena.h"
#include "base/work.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What is wrong with a record. */
struct sgf_fault {
    size_t offset; /* in the record, in bytes; its length, where something is missing at its end */
    enum fault_code code;
    bool malformed;                                /* it cannot be read as SGF; else it can, and is not allowed */
    char detail[sizeof(struct fault_quote) + 128]; /* one sentence without a full stop, terminated */
};

/* Note a fault; always false. */
bool sgf_note(struct sgf_fault *fault, size_t offset, bool malformed, enum fault_code code, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

enum sgf_bytes {
    SGF_AS_WRITTEN, /* CA names the character set */
    SGF_UNICODE,    /* UTF-8, whatever CA says */
};

/* The properties that matter, in this order: those of the game, the set-up, the moves. */
enum sgf_property {
    SGF_OTHER,
    SGF_SIZE,
    SGF_GAME,
    SGF_RULES,
    SGF_CHARSET,
    SGF_ADD_BLACK,
    SGF_ADD_WHITE,
    SGF_ADD_EMPTY,
    SGF_MOVE_BLACK,
    SGF_MOVE_WHITE,
};

/* What the scan has just passed, and with it what may come next. */
enum sgf_state { SGF_AT_GAME, SGF_AT_OPEN, SGF_AT_NODE, SGF_AT_NAME, SGF_AT_VALUE, SGF_AT_CLOSE };

enum sgf_piece { SGF_PIECE_FAULT, SGF_PIECE_OPEN, SGF_PIECE_CLOSE, SGF_PIECE_NODE, SGF_PIECE_NAME, SGF_PIECE_VALUE };

/* Some bytes of the record. */
struct sgf_span {
    size_t at, length;
};

/* A scan. The caller fills in the first part, zeroes the rest, and reads it. */
struct sgf_scan {
    const char *text;
    size_t length;
    enum sgf_bytes bytes;
    struct arena *arena;     /* for the bits of the levels; NULL: variations are not counted */
    struct sgf_fault *fault; /* where one is noted */
    const struct work *work; /* the scan ends when its stop flag is set; nothing is charged here */

    size_t at;
    size_t next_check; /* the place at which the stop flag is to be looked at next */
    enum sgf_state state;
    size_t depth;                      /* parentheses that are open */
    size_t nodes;                      /* of this game so far: the first is the root */
    const struct sgf_charset *charset; /* NULL: every byte for itself */
    enum sgf_property property;        /* whose name was the last */
    struct sgf_span name, value;       /* the last ones */
    size_t values;                     /* of this property so far */
    size_t variations;                 /* nodes of this game with several children so far */
    uint64_t *branched;                /* [level_words]; a bit for each level: its last node is counted among them */
    size_t level_words;
    enum outcome outcome; /* if not OUTCOME_DONE, faults mean nothing and no further game is found: there was no
                                  memory for the bits of the levels, or the stop flag was set (OUTCOME_CANCELLED) */
};

/* Find the next game, at its parenthesis: "(" and then ";" or a property. False when there is none any more, or when
 * the outcome says so. */
bool sgf_find_game(struct sgf_scan *scan);

/* Pass the next piece of the game that was found. Its first is its parenthesis, and it is over when `depth` is 0 again;
 * then, and after a fault, this is not to be called. */
enum sgf_piece sgf_next(struct sgf_scan *scan);

/* Quote some bytes of the record. */
struct fault_quote sgf_quote(const struct sgf_scan *scan, struct sgf_span span);

/* Is this white space? */
static inline bool sgf_is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
