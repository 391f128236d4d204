#include "api/json/number.h"

#include "base/assert.h"

#include <stdio.h>

static void keep_digit(struct json_number *number, char digit) {
    if (number->count < sizeof number->digits)
        number->digits[number->count] = digit;
    if (number->count <= sizeof number->digits)
        number->count++;
}

void json_number_add_digit(struct json_number *number, char digit) {
    number->fraction += number->point;
    if (digit == '0') {
        number->zeros += number->count != 0;
        return;
    }
    /* Zeros between other digits count as digits. Digits that do not fit are not counted exactly. */
    for (; number->zeros > 0 && number->count <= sizeof number->digits; number->zeros--)
        keep_digit(number, '0');
    number->zeros = 0;
    keep_digit(number, digit);
}

void json_number_add_exponent(struct json_number *number, char digit) {
    if (number->exponent < INT64_MAX / 100)
        number->exponent = number->exponent * 10 + (digit - '0');
}

/* The value is the digits, of which the last is not 0, times this power of ten. */
static int64_t scale_of(const struct json_number *number) {
    return number->zeros - number->fraction + (number->negative_exponent ? -number->exponent : number->exponent);
}

bool json_number_is_integer(const struct json_number *number) { return number->count == 0 || scale_of(number) >= 0; }

size_t json_number_shorten(const struct json_number *number, char ret_text[JSON_NUMBER_BYTES + 1]) {
    enum { SIZE = JSON_NUMBER_BYTES + 1 };
    const char *sign = number->negative ? "-" : "";
    int64_t scale = scale_of(number);
    int written = 0;
    ASSERT(json_number_is_integer(number));
    if (number->count == 0)
        written = snprintf(ret_text, SIZE, "%s0", sign);
    else if (number->count > sizeof number->digits || scale > 200)
        written = snprintf(ret_text, SIZE, "%s1e300", sign);
    else
        written = snprintf(ret_text, SIZE, "%s%.*se%d", sign, (int)number->count, number->digits, (int)scale);
    ASSERT(written > 0 && written < SIZE);
    return (size_t)written;
}
