/* A growing byte buffer with a limit.
 *
 * The first failure is remembered: later writes do nothing, and the writer checks `outcome` once at the end. The memory
 * can be drawn from an account, so that all buffers together are limited, too.
 *
 * The caller holds the struct (buffer_init / buffer_clear). A buffer belongs to one thread at a time. */
#pragma once

#include "base/account.h"
#include "base/outcome.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Invariants: length <= capacity <= max, and `data` is NULL if and only if `capacity` is 0. */
struct buffer {
    char *data; /* not terminated */
    size_t length, capacity;
    size_t max;
    size_t uncharged;        /* how much of the capacity is not taken from the account */
    struct account *account; /* provides the rest; NULL if nothing is charged */
    enum outcome outcome;    /* OUTCOME_DONE until a write fails with OUTCOME_TOO_LARGE or OUTCOME_NO_MEMORY */
};

/* Initialise an empty buffer. `account` may be NULL; otherwise it must outlive the buffer. All bytes are charged. */
void buffer_init(struct buffer *buffer, size_t max, struct account *account);

/* Initialise a buffer with the same limit, account and uncharged bytes as `other`. */
void buffer_init_like(struct buffer *buffer, const struct buffer *other);

/* Free the bytes and return them to the account. Accepts NULL and a zeroed struct. Afterwards the buffer is empty and
 * can be used again. */
void buffer_clear(struct buffer *buffer);

/* Get the number of bytes that the buffer has taken from its account. */
static inline size_t buffer_charged(const struct buffer *buffer) {
    return buffer->account != NULL && buffer->capacity > buffer->uncharged ? buffer->capacity - buffer->uncharged : 0;
}

/* Called by buffer_reserve. */
bool buffer_grow(struct buffer *buffer, size_t more);

/* Make sure that there is space for `more` bytes. Returns false if the buffer has failed, now or before. */
static inline bool buffer_reserve(struct buffer *buffer, size_t more) {
    return (buffer->outcome == OUTCOME_DONE && more <= buffer->capacity - buffer->length) || buffer_grow(buffer, more);
}

/* Append `length` bytes. Inline, so that a few bytes are stored without a call if their number is known at compile
 * time. */
static inline void buffer_put(struct buffer *buffer, const void *bytes, size_t length) {
    if (length == 0 || !buffer_reserve(buffer, length))
        return;
    memcpy(buffer->data + buffer->length, bytes, length);
    buffer->length += length;
}

/* Append a character. */
static inline void buffer_put_char(struct buffer *buffer, char c) { buffer_put(buffer, &c, 1); }

/* Append a string without its terminator, or a number in decimal digits. */
void buffer_put_string(struct buffer *buffer, const char *string);
void buffer_put_integer(struct buffer *buffer, int64_t value);

/* Append a string literal, whose length is known at compile time. */
#define buffer_put_literal(buffer, literal) buffer_put((buffer), "" literal, sizeof(literal) - 1)

/* Append what printf would print, of any length. */
void buffer_printf(struct buffer *buffer, const char *format, ...) __attribute__((format(printf, 2, 3)));
void buffer_vprintf(struct buffer *buffer, const char *format, va_list arguments);
