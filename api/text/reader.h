/* Reads the contest format: tokens separated by white space, with their positions.
 *
 * There are two ways to read a text. The exact way reads any token and can describe every fault. The quick way handles
 * only the kind of line that makes up nearly all of a text: two numbers of at most four digits, a blank between them,
 * and a line feed. It loads a word of eight bytes and reads the line from it without a branch per digit. Everything
 * else is left to the exact way, so faults are created in one place, and their positions are computed only if there are
 * any.
 *
 * Work is charged for each chunk before it is read, so that reading a long case can be stopped. */
#pragma once

#include "api/fault/fault.h"
#include "base/arena.h"
#include "base/work.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The state of reading. Reading stops at the first fault. It can begin at any case with a fresh struct, as it does at
 * the beginning of the text, because only `total` depends on earlier cases. */
struct text_reader {
    const char *text;
    size_t length, at;
    size_t paid; /* the text up to here has been charged; if less than `at`, as in a fresh struct, nothing from `at` on
                  * has been charged */
    uint64_t max_cases;
    const void *limits; /* the game's limits */
    struct fault_list *faults;
    bool malformed;       /* after a fault: true if the text is not in this format, false if it is but is not allowed */
    struct arena *arena;  /* for the memory of cases */
    struct work *work;    /* charged for the text and the memory of cases */
    enum outcome outcome; /* OUTCOME_DONE until memory or the budget runs out */
    uint64_t total;       /* the sum of the sizes of the cases so far */
};

struct text_token {
    size_t at, length; /* where the token begins in the text, and its length */
};

/* A function with a bool result returns false when reading has stopped: a fault was added, or memory or the budget is
 * exhausted. `what` is the name of the value in details, such as "the move's row". */

/* Read the next token. */
bool text_read_token(struct text_reader *reader, const char *what, struct text_token *ret_token);

/* Read a number of any length: decimal digits with an optional minus sign. A number that does not fit into 64 bits
 * becomes the nearest one that does. */
bool text_read_number(struct text_reader *reader, const char *what, struct text_token *ret_token, int64_t *ret_value);

/* Stop at the token unless its number is in the range `min` to `max`. */
bool text_check_range(struct text_reader *reader, const char *what, struct text_token token, int64_t min, int64_t max,
                      int64_t value);

/* Read a number from `min` to `max`. */
bool text_read_ranged(struct text_reader *reader, const char *what, int64_t min, int64_t max, int64_t *ret_value);

/* Read the number of cases, from 1 to reader->max_cases. */
bool text_read_case_count(struct text_reader *reader, uint64_t *ret_cases);

/* Check that only white space is left. Adds a fault if there is more. */
bool text_read_end(struct text_reader *reader);

/* Stop at the byte `at` with a fault. FAULT_SYNTAX means that the text is not in this format; any other code means that
 * it is, but is not allowed. Always returns false. */
bool text_refuse(struct text_reader *reader, size_t at, enum fault_code code, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Allocate `count` zeroed elements of `size` bytes for a case, and charge for them. Returns NULL when reading has
 * stopped. */
void *text_alloc(struct text_reader *reader, size_t count, size_t size);

/* Add `amount` to the request's total. Stops at the byte `at` if the total exceeds `max`, the limit called `name`. */
bool text_add_total(struct text_reader *reader, size_t at, uint64_t amount, uint64_t max, const char *name);

/* ---- the quick way ---- */

enum { TEXT_WORD = 8 };

/* Get the start of the next line, from `at` on. The exact way leaves the end of a line unread, and a carriage return
 * can precede the line feed. */
static inline size_t text_line(const char *text, size_t at, size_t paid) {
    while (__builtin_expect(at < paid && (text[at] == '\n' || text[at] == '\r'), false))
        at++;
    return at;
}

/* Two numbers on a line. */
struct text_pair {
    unsigned first, second; /* at most 9999 */
    unsigned length;        /* bytes of the line, including the one that ends it; 0 if it is not such a line */
};

/* Read the line at the beginning of a word, such as `123 45` followed by a line feed or carriage return, if it ends
 * within the word. */
static inline struct text_pair text_pair_in(uint64_t word) {
    const uint64_t each = 0x0101010101010101u;
    uint64_t digits = word ^ '0' * each;
    /* The high bit of each byte that is not a digit. A bit can be wrongly set only after a non-ASCII byte, and such a
     * byte never ends a number here. */
    uint64_t ends = ((digits + (0x80 - 10) * each) | digits) & 0x80 * each, rest = ends & (ends - 1);
    struct text_pair none = {0, 0, 0};
    if (rest == 0)
        return none;
    /* The bits at which the two numbers end, and the number of bits in their digits. */
    unsigned first_end = (unsigned)__builtin_ctzll(ends) - 7, second_end = (unsigned)__builtin_ctzll(rest) - 7;
    unsigned first_bits = first_end, second_bits = second_end - first_end - 8;
    if (first_bits - 8 > 24 || second_bits - 8 > 24 || (word >> first_end & 0xff) != ' ' ||
        ((word >> second_end & 0xff) != '\n' && (word >> second_end & 0xff) != '\r'))
        return none;
    /* Four digits for each number, padded with leading zeros, the first digit in the lowest byte. These are combined
     * into pairs, and then the pairs into numbers. */
    uint64_t both = (uint32_t)(digits << (32 - first_bits)) | digits >> (first_end + 8) << (64 - second_bits);
    both = (both * 10 + (both >> 8)) & 0x00ff00ff00ff00ffu;
    both = both * 100 + (both >> 16);
    return (struct text_pair){both & 0xffff, both >> 32 & 0xffff, second_end / 8 + 1};
}
