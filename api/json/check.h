/* Is this JSON, to the letter of RFC 8259? One pass over the bytes, before any parser sees them. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { JSON_DEPTH = 16, JSON_NUMBER_BYTES = 63 };

struct json_report {
    bool good;
    size_t offset;      /* of the first fault, when not good */
    const char *reason; /* a phrase, when not good */
    uint64_t values;    /* objects, arrays, strings, numbers and literals; names do not count */
};

/* Check `length` bytes: syntax, UTF-8, no U+0000 and no lone surrogate in a string, at most JSON_DEPTH arrays and
 * objects inside one another, nothing after the value.
 *
 * A number that is no integer is overwritten with 0.5 and blanks. Nothing in the contract takes a fraction, and a
 * parser that keeps numbers as doubles would take 1e-400 for 0 and 1.00000000000000000001 for 1: this way the decoder
 * refuses them at their places. An integer of more than JSON_NUMBER_BYTES bytes is overwritten with a shorter one of
 * the same value, or of the same sign and beyond any range: cJSON up to 1.7.18 does not read longer ones. */
struct json_report json_check(char *json, size_t length);
