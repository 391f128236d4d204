/* A number that is read byte by byte. The state suffices to tell whether it is an integer, and to write it in few
 * bytes. It does not grow with the number, which may come in pieces. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { JSON_NUMBER_BYTES = 63 };

/* Zeroed at first, except `negative`. */
struct json_number {
    char digits[40];  /* without leading and trailing zeros */
    size_t count;     /* the number of digits; 0: the value is 0 so far; one more than fit: there are more digits */
    int64_t zeros;    /* digits 0 after the last of these */
    int64_t fraction; /* digits after the point */
    int64_t exponent; /* as written, without its sign; very large values are saturated */
    bool negative, point, has_exponent, negative_exponent;
};

/* Add a digit before the exponent; it is after the point if `point` is set. */
void json_number_add_digit(struct json_number *number, char digit);

/* Add a digit of the exponent. */
void json_number_add_exponent(struct json_number *number, char digit);

/* Is it an integer? */
bool json_number_is_integer(const struct json_number *number);

/* Write an integer in at most JSON_NUMBER_BYTES bytes: the same value if that fits, otherwise a value of the same sign
 * that is outside of every range. Returns the length. */
size_t json_number_shorten(const struct json_number *number, char ret_text[JSON_NUMBER_BYTES + 1]);
