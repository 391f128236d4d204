/* A number as its bytes pass: what it takes to tell whether it is an integer, and to write it in few bytes. The state
 * does not grow with the number, which may come in pieces. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { JSON_NUMBER_BYTES = 63 };

/* It begins zeroed, but for `negative`. */
struct json_number {
    char digits[40];  /* without the zeros in front and behind */
    size_t count;     /* of them; 0: the number is 0 so far; one more than fit: it has more */
    int64_t zeros;    /* digits 0 since the last of them */
    int64_t fraction; /* digits behind the point */
    int64_t exponent; /* as written, without its sign; what is beyond all reason is only large */
    bool negative, point, has_exponent, negative_exponent;
};

/* A digit before the exponent, behind the point once `point` is set. */
void json_number_add_digit(struct json_number *number, char digit);

/* A digit of the exponent. */
void json_number_add_exponent(struct json_number *number, char digit);

/* Is it an integer? */
bool json_number_is_integer(const struct json_number *number);

/* Write an integer in at most JSON_NUMBER_BYTES bytes: the same value, or the same sign and beyond any range. Returns
 * the length. */
size_t json_number_shorten(const struct json_number *number, char ret_text[JSON_NUMBER_BYTES + 1]);
