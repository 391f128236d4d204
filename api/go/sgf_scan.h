/* The syntax of SGF: a scanner that finds one piece of a record after the other (a parenthesis, a node, a name, a
 * value) and checks their order.
 *
 *     collection = game {game}
 *     game       = "(" node {node} {game} ")"         a game inside another one is a variation
 *     node       = ";" {property}
 *     property   = name value {value}
 *     value      = "[" anything, with "\" before "]" and "\" "]"
 *
 * There may be white space except within a name or a value. In older records, names may contain lower-case letters,
 * which are ignored: Black[aa], SiZe[19]. Programs write other forms, too. These are accepted:
 *
 *     other text before, between or after games: it is skipped, and so is a parenthesis in it
 *     (B[aa]...     a game begins with one of B W AB AW AE SZ GM FF CA, or a variation with any property: as if ";"
 * were before it
 *     (;B[aa];W[bb] closing parentheses are missing at the end: as if they were there
 *     ()            a variation is empty: it is skipped
 *     (..);W[bb]    a node follows a variation: it is a further child of the node that branches
 *
 * Only the depth of the tree and one bit per level are kept, so records can be nested to any depth. */
#pragma once

#include "api/fault/fault.h"
#include "api/go/sgf_charset.h"
#include "base/arena.h"
#include "base/work.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A fault in a record. */
struct sgf_fault {
    size_t offset;        /* byte offset in the record; its length if something is missing at the end */
    enum fault_code code; /* FAULT_SYNTAX if it cannot be parsed as SGF; any other code: it can, but is not allowed */
    char detail[sizeof(struct fault_quote) + 256]; /* one sentence without a full stop, terminated */
};

/* Write a fault. Always returns false. */
bool sgf_note(struct sgf_fault *fault, size_t offset, enum fault_code code, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* The properties that are used, in this order: game, set-up, moves. */
enum sgf_property {
    SGF_OTHER,
    SGF_PLAYER,
    SGF_RULES,
    SGF_KOMI,
    SGF_HANDICAP,
    SGF_SIZE, /* a game can begin with any of these without a semicolon */
    SGF_GAME,
    SGF_CHARSET,
    SGF_ADD_BLACK,
    SGF_ADD_WHITE,
    SGF_ADD_EMPTY,
    SGF_MOVE_BLACK,
    SGF_MOVE_WHITE,
};

/* The piece scanned last, which determines what can come next. */
enum sgf_state { SGF_AT_GAME, SGF_AT_OPEN, SGF_AT_NODE, SGF_AT_NAME, SGF_AT_VALUE, SGF_AT_CLOSE };

enum sgf_piece { SGF_PIECE_FAULT, SGF_PIECE_OPEN, SGF_PIECE_CLOSE, SGF_PIECE_NODE, SGF_PIECE_NAME, SGF_PIECE_VALUE };

/* A range of bytes of the record. */
struct sgf_span {
    size_t at, length;
};

/* The state of a scan. The caller fills in the first part and zeroes the rest, which it may read. */
struct sgf_scan {
    const char *text;
    size_t length;
    struct arena *arena;     /* for the bits of the levels; if NULL, variations are not counted */
    struct sgf_fault *fault; /* receives the fault */
    const struct work *work; /* its stop flag ends the scan; nothing is charged to it here */

    size_t at;
    size_t next_check; /* where to check the stop flag again */
    enum sgf_state state;
    size_t depth;                /* open parentheses */
    size_t nodes;                /* nodes in this game so far; the first one is the root */
    enum sgf_charset charset;    /* the game's character set; set by the caller at its opening parenthesis */
    enum sgf_property property;  /* the property that the last name denotes */
    struct sgf_span name, value; /* the last name and the last value */
    size_t variations;           /* nodes in this game with several children so far */
    uint64_t *branched;          /* [level_words] one bit per level: its last node is counted in `variations` */
    size_t level_words;
    enum outcome outcome; /* if not OUTCOME_DONE, there is neither a fault nor another game: there was no memory for
                           * the bits of the levels, or the stop flag was set (OUTCOME_CANCELLED) */
};

/* Find the opening parenthesis of the next game: "(" followed by ";" or one of the properties above. Returns false if
 * there are no more games, or if the outcome is not OUTCOME_DONE. */
bool sgf_find_game(struct sgf_scan *scan);

/* Scan the next piece of the game that was found, beginning with its opening parenthesis. The game has ended when
 * `depth` is 0 again. Must not be called after that, or after a fault. */
enum sgf_piece sgf_next(struct sgf_scan *scan);

/* Quote a span of the record. */
struct fault_quote sgf_quote(const struct sgf_scan *scan, struct sgf_span span);

/* Is this white space? */
static inline bool sgf_is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/* Remove the blanks around a span of a text. */
struct sgf_span sgf_trim(const char *text, struct sgf_span span);
