/* Reading the judges' text: tokens between white space, with their places. */
#pragma once

#include "api/fault/fault.h"
#include "base/arena.h"
#include "base/work.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One reading, from `at` on. It stops at the first fault. */
struct text_reader {
    const char *text;
    size_t length, at;
    uint64_t most_cases;
    const void *limits; /* of the game whose cases are read */
    struct faults *faults;
    bool malformed;            /* of the fault: the text is not in this format; false: it is, and is not allowed */
    struct arena *arena;       /* what cases point to */
    struct work *work;         /* what their memory is paid with; the text is paid for by its length */
    enum work_outcome outcome; /* WORK_DONE until memory or work gives out */
    uint64_t total;            /* what the cases so far take of the limit on a request */
};

struct text_token {
    size_t at, length; /* in the text */
};

/* Each function that returns a bool returns false where the reading has stopped: a fault was added, or memory or work
 * gave out.
 * In details `what` names the thing that is read: "a move's row". */

/* Read the next token. */
bool text_read_token(struct text_reader *reader, const char *what, struct text_token *ret_token);

/* Read a number: decimal digits with an optional minus, of any size. Those beyond 64 bits become the nearest. */
bool text_read_number(struct text_reader *reader, const char *what, struct text_token *ret_token, int64_t *ret_value);

/* Stop at the token unless the number that it holds is from `least` to `most`. */
bool text_check_range(struct text_reader *reader, const char *what, struct text_token token, int64_t least,
                      int64_t most, int64_t value);

/* Read a number from `least` to `most`. */
bool text_read_ranged(struct text_reader *reader, const char *what, int64_t least, int64_t most, int64_t *ret_value);

/* Read how many cases follow: 1 to reader->most_cases. */
bool text_read_case_count(struct text_reader *reader, uint64_t *ret_cases);

/* Is there nothing but white space left? Adds a fault when there is more. */
bool text_read_end(struct text_reader *reader);

/* Stop at the byte `at`: the text cannot be read as the format. Always false. */
bool text_malformed(struct text_reader *reader, size_t at, const char *detail);

/* Stop at the byte `at`: the text can be read, and is not allowed. Always false. */
bool text_refuse(struct text_reader *reader, size_t at, enum fault_code code, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Zeroed memory for `count` elements of `size` bytes of a case, which are paid for; NULL ends the reading. */
void *text_alloc(struct text_reader *reader, size_t count, size_t size);

/* Add `amount` to the request's total; stops at the byte `at` when it passes `most`, the limit called `name`. */
bool text_add_total(struct text_reader *reader, size_t at, uint64_t amount, uint64_t most, const char *name);
