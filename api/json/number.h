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

/* What is to stand in place of the number, which takes `length` bytes: "0.5" when it is no integer, something shorter
 * of the same value, or beyond any range, when it has more than JSON_NUMBER_BYTES. Returns how long that is; 0: the
 * number stays as it is. */
size_t json_number_rewrite(const struct json_number *number, size_t length, char ret_text[JSON_NUMBER_BYTES + 1]);
