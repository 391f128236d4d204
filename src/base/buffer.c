#include "base/buffer.h"

#include "base/assert.h"
#include "base/checked.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void buffer_init(struct buffer *buffer, size_t max, struct account *account) {
    *buffer = (struct buffer){.max = max, .account = account};
}

void buffer_init_like(struct buffer *buffer, const struct buffer *other) {
    *buffer = (struct buffer){.max = other->max, .account = other->account, .uncharged = other->uncharged};
}

/* Get the number of bytes that a capacity takes from the account. */
static size_t charge_for(const struct buffer *buffer, size_t capacity) {
    return buffer->account == NULL || capacity <= buffer->uncharged ? 0 : capacity - buffer->uncharged;
}

void buffer_clear(struct buffer *buffer) {
    if (buffer == NULL)
        return;
    free(buffer->data);
    size_t charged = charge_for(buffer, buffer->capacity);
    if (charged != 0)
        account_give(buffer->account, charged);
    buffer->data = NULL;
    buffer->length = buffer->capacity = 0;
    buffer->outcome = OUTCOME_DONE;
}

/* Change the capacity. On failure the bytes are kept, and the outcome says why. */
static bool set_capacity(struct buffer *buffer, size_t capacity) {
    ASSERT(capacity > buffer->capacity);
    size_t growth = charge_for(buffer, capacity) - charge_for(buffer, buffer->capacity);
    if (growth != 0 && !account_take(buffer->account, growth)) {
        buffer->outcome = OUTCOME_NO_MEMORY;
        return false;
    }
    char *data = realloc(buffer->data, capacity);
    if (data == NULL) {
        if (growth != 0)
            account_give(buffer->account, growth);
        buffer->outcome = OUTCOME_NO_MEMORY;
        return false;
    }
    buffer->data = data;
    buffer->capacity = capacity;
    return true;
}

ASSERT_ONLY static bool is_consistent(const struct buffer *buffer) {
    return buffer->length <= buffer->capacity && buffer->capacity <= buffer->max &&
           (buffer->data != NULL) == (buffer->capacity != 0);
}

bool buffer_grow(struct buffer *buffer, size_t more) {
    ASSERT(is_consistent(buffer));
    if (buffer->outcome != OUTCOME_DONE)
        return false;
    size_t need;
    if (!checked_add(buffer->length, more, &need) || need > buffer->max) {
        buffer->outcome = OUTCOME_TOO_LARGE;
        return false;
    }
    size_t doubled;
    if (!checked_mul(buffer->capacity, 2, &doubled) || doubled > buffer->max)
        doubled = buffer->max;
    if (doubled < 256)
        doubled = buffer->max < 256 ? buffer->max : 256;
    /* Do not let the capacity grow beyond `uncharged` unless necessary. */
    if (need <= buffer->uncharged && doubled > buffer->uncharged)
        doubled = buffer->uncharged;
    return set_capacity(buffer, need > doubled ? need : doubled);
}

void buffer_put_string(struct buffer *buffer, const char *string) { buffer_put(buffer, string, strlen(string)); }

void buffer_put_integer(struct buffer *buffer, int64_t value) {
    char digits[20];
    size_t at = sizeof digits;
    uint64_t magnitude = value < 0 ? -(uint64_t)value : (uint64_t)value;
    do
        digits[--at] = (char)('0' + magnitude % 10);
    while ((magnitude /= 10) != 0);
    if (value < 0)
        digits[--at] = '-';
    buffer_put(buffer, digits + at, sizeof digits - at);
}

void buffer_vprintf(struct buffer *buffer, const char *format, va_list arguments) {
    char text[512];
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(text, sizeof text, format, arguments);
    if (length >= 0 && (size_t)length < sizeof text) {
        buffer_put(buffer, text, (size_t)length);
    } else {
        /* printf writes a terminator, for which the buffer may have no space. */
        char *block = length >= 0 ? malloc((size_t)length + 1) : NULL;
        if (block != NULL)
            buffer_put(buffer, block, (size_t)vsnprintf(block, (size_t)length + 1, format, again));
        else if (buffer->outcome == OUTCOME_DONE)
            buffer->outcome = OUTCOME_NO_MEMORY;
        free(block);
    }
    va_end(again);
}

void buffer_printf(struct buffer *buffer, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    buffer_vprintf(buffer, format, arguments);
    va_end(arguments);
}
