/* Reading the judges' text: tokens between white space, with their places. */
#pragma once

#include "api/answer/problem.h"
#include "base/work.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One reading. It stops at the first fault. */
struct reader {
    const char *text;
    size_t length, at;
    const struct api_limits *limits;
    struct faults *faults;
    enum problem problem;      /* what a fault makes of the request: cannot be read, or not allowed */
    struct arena *arena;       /* what cases point to */
    enum work_outcome outcome; /* WORK_DONE until memory gives out */
    uint64_t total;            /* what the cases so far take of the limit on a request */
};

struct token {
    size_t at, length; /* in the text */
};

/* The next token; `what` is missing when there is none. */
bool read_token(struct reader *reader, const char *what, struct token *ret_token);

/* A number: decimal digits with an optional minus, of any size. Those beyond 64 bits become the nearest. */
bool read_number(struct reader *reader, const char *what, struct token *ret_token, int64_t *ret_value);

/* A number from `least` to `most`. */
bool read_ranged(struct reader *reader, const char *what, int64_t least, int64_t most, int64_t *ret_value);

/* Is there nothing but white space left? Adds a fault when there is more. */
bool read_end(struct reader *reader);

/* Stop: the text cannot be read as the format, or it can and is not allowed. Always false. */
bool reader_malformed(struct reader *reader, size_t at, const char *detail);
bool reader_refuse(struct reader *reader, size_t at, enum fault_code code, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Memory for a case; NULL ends the reading. */
void *reader_alloc(struct reader *reader, size_t count, size_t size);

/* Add to the request's total; a fault at `at` when it passes `most`, the limit called `name`. */
bool reader_add_total(struct reader *reader, size_t at, uint64_t amount, uint64_t most, const char *name);
