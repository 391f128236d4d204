/* Reading the judges' text: tokens between white space, with their places.
 *
 * There are two ways. The exact way reads any token and words every fault. The quick way knows one line only, which is
 * what nearly all of a text consists of: two numbers of at most four digits, one blank between them, a line feed at the
 * end. A word of the text is loaded and the line is read from it with no branch on its digits. What the quick way does
 * not know it leaves where it is, to the exact way: faults have one origin, and their places are looked for when there
 * are faults.
 *
 * Text is paid for by chunks, before it is looked at, so that a long case can be given up within. */
#pragma once

#include "api/fault/fault.h"
#include "base/arena.h"
#include "base/work.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One reading, from `at` on. It stops at the first fault. It may begin at any case, in a struct that is otherwise as at
 * the beginning of the text: no case needs to know of those before it, but for `total`. */
struct text_reader {
    const char *text;
    size_t length, at;
    size_t paid; /* work is paid for the text up to here; less than `at`, as in a new struct: for nothing behind that */
    uint64_t max_cases;
    const void *limits; /* of the game whose cases are read */
    struct fault_list *faults;
    bool malformed;       /* of the fault: the text is not in this format; false: it is, and is not allowed */
    struct arena *arena;  /* what cases point to */
    struct work *work;    /* what the text and the memory of cases are paid with */
    enum outcome outcome; /* OUTCOME_DONE until memory or work gives out */
    uint64_t total;       /* what the cases so far take of the limit on a request */
};

struct text_token {
    size_t at, length; /* in the text */
};

/* Each function that returns a bool returns false where the reading has stopped: a fault was added, or memory or work
 * gave out.
 * In details `what` names the thing that is read: "a move's row". */

/* Pay for the next chunk of the text behind what is paid for; false when work gives out. */
bool text_pay(struct text_reader *reader);

/* Read the next token. */
bool text_read_token(struct text_reader *reader, const char *what, struct text_token *ret_token);

/* Read a number: decimal digits with an optional minus, of any size. Those beyond 64 bits become the nearest. */
bool text_read_number(struct text_reader *reader, const char *what, struct text_token *ret_token, int64_t *ret_value);

/* Stop at the token unless the number that it holds is from `min` to `max`. */
bool text_check_range(struct text_reader *reader, const char *what, struct text_token token, int64_t min, int64_t max,
                      int64_t value);

/* Read a number from `min` to `max`. */
bool text_read_ranged(struct text_reader *reader, const char *what, int64_t min, int64_t max, int64_t *ret_value);

/* Read how many cases follow: 1 to reader->max_cases. */
bool text_read_case_count(struct text_reader *reader, uint64_t *ret_cases);

/* Is there nothing but white space left? Adds a fault when there is more. */
bool text_read_end(struct text_reader *reader);

/* Stop at the byte `at`: the text cannot be read as the format. Always false. */
bool text_malformed(struct text_reader *reader, size_t at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Stop at the byte `at`: the text can be read, and is not allowed. Always false. */
bool text_refuse(struct text_reader *reader, size_t at, enum fault_code code, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Zeroed memory for `count` elements of `size` bytes of a case, which are paid for; NULL ends the reading. */
void *text_alloc(struct text_reader *reader, size_t count, size_t size);

/* Add `amount` to the request's total; stops at the byte `at` when it passes `max`, the limit called `name`. */
bool text_add_total(struct text_reader *reader, size_t at, uint64_t amount, uint64_t max, const char *name);

/* ---- the quick way ---- */

enum { TEXT_WORD = 8 };

/* Where the next line begins, from `at` on: the exact way leaves the end of a line, and a line feed may follow a
 * carriage return. */
static inline size_t text_line(const char *text, size_t at, size_t paid) {
    while (__builtin_expect(at < paid && (text[at] == '\n' || text[at] == '\r'), false))
        at++;
    return at;
}

/* Two numbers on a line. */
struct text_pair {
    unsigned first, second; /* at most 9999 */
    unsigned length;        /* bytes of the line, the one that ends it included; 0: it is no such line */
};

/* The line at the beginning of a word, `123 45` and a line feed or carriage return, if all of it is there. */
static inline struct text_pair text_pair_in(uint64_t word) {
    const uint64_t each = 0x0101010101010101u;
    uint64_t digits = word ^ '0' * each;
    /* The high bit of a byte that is no digit. Only beyond bytes that are not ASCII, which end no number here, may
     * there be one too many. */
    uint64_t ends = ((digits + (0x80 - 10) * each) | digits) & 0x80 * each, rest = ends & (ends - 1);
    struct text_pair none = {0, 0, 0};
    if (rest == 0)
        return none;
    /* The bits at which the first and the second number end, and how many bits the digits of each have. */
    unsigned first_end = (unsigned)__builtin_ctzll(ends) - 7, second_end = (unsigned)__builtin_ctzll(rest) - 7;
    unsigned first_bits = first_end, second_bits = second_end - first_end - 8;
    if (first_bits - 8 > 24 || second_bits - 8 > 24 || (word >> first_end & 0xff) != ' ' ||
        ((word >> second_end & 0xff) != '\n' && (word >> second_end & 0xff) != '\r'))
        return none;
    /* Four digits for each, the first one in the lowest byte, with zeros in front; then two, then one number of them.
     */
    uint64_t both = (uint32_t)(digits << (32 - first_bits)) | digits >> (first_end + 8) << (64 - second_bits);
    both = (both * 10 + (both >> 8)) & 0x00ff00ff00ff00ffu;
    both = both * 100 + (both >> 16);
    return (struct text_pair){both & 0xffff, both >> 32 & 0xffff, second_end / 8 + 1};
}
