/* Reading a game of Go from an SGF record: FF[3] and FF[4], the main line of the first game. What SGF looks like and
 * how it is read stands at the head of sgf.c.
 *
 * A record is bytes, and its property CA names the character set of its texts. That matters here in one way only: in
 * GB18030 (GBK, GB2312), Big5 and Shift_JIS the second byte of a character may be the code of ']' or of '\', and then
 * it neither ends nor escapes a value. The CA of the root node holds for all values after it; of several the last one
 * counts. Values before it, and all values where there is no CA in the root node, or one that names another set, are
 * read byte by byte, which is right for UTF-8, ISO-8859, EUC and whatever else keeps bytes below 0x80 for ASCII. (Some
 * programs write a backslash inside such a character, before its second byte. Their records are not told apart from
 * right ones, where that backslash is a second byte itself and the value ends after it.)
 *
 * A record that comes as Unicode, out of a JSON string, has been decoded already: its CA says what it was. */
#pragma once

#include "api/go/case.h"
#include "base/arena.h"
#include "base/work.h"

#include <stdbool.h>
#include <stddef.h>

/* What is wrong with a record. */
struct sgf_fault {
    size_t offset; /* in the record, in bytes; its length, where something is missing at its end */
    enum fault_code code;
    bool malformed;   /* it cannot be read as SGF; else it can, and is not allowed */
    char detail[200]; /* one sentence without a full stop, terminated */
};

enum sgf_bytes {
    SGF_AS_WRITTEN, /* CA names the character set */
    SGF_UNICODE,    /* UTF-8, whatever CA says */
};

/* Read the main line of the first game into ret_case: size, setup (NULL without a stone set up), moves (NULL without
 * a move) and move_count. The caller has zeroed it; nothing else in it is touched. That every chain of the set-up has
 * a liberty is for the caller to check.
 *
 * WORK_DONE with *ret_good: the case is written, or false and the fault is. The whole first game is looked at,
 * variations too, before anything in it is refused: of a record that cannot be read the fault is always a malformed
 * one, and of one that can it is the size's or else the first in the order of the record. WORK_NO_MEMORY or
 * WORK_EXHAUSTED: nothing is written. Memory comes from `arena`; the record is not changed and not pointed to. */
enum work_outcome sgf_read(const char *sgf, size_t length, enum sgf_bytes bytes, uint64_t most_moves,
                           struct arena *arena, struct work *work, struct go_case *ret_case, bool *ret_good,
                           struct sgf_fault *ret_fault);
