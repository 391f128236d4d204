/* Is this JSON, to the letter of RFC 8259? One pass over the bytes, before any parser sees them, in as many turns as
 * the caller likes. On the way it notes where the value of one member stands and where that one's elements do, so that
 * each of them can be parsed by itself. */
#pragma once

#include "api/json/number.h"
#include "base/buffer.h"
#include "base/work.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { JSON_DEPTH = 16 };

/* Bytes of a text. */
struct json_span {
    size_t begin, end; /* exclusive */
};

struct json_report {
    bool good;
    size_t offset;         /* of the first fault, when not good */
    const char *reason;    /* a phrase, when not good; NULL with no_memory */
    uint64_t values;       /* objects, arrays, strings, numbers and literals; names do not count */
    bool has_long_numbers; /* integers of more than JSON_NUMBER_BYTES bytes: see json_shorten_numbers */

    /* Of the member that is looked for. When not good: what was seen of it before the fault. */
    bool has_member;
    bool member_is_array;
    struct json_span member; /* its value */
    size_t elements;         /* of the array that it is */
    bool no_memory;          /* the spans could not be kept: the check has ended there, not good and without a fault */
};

/* A check in progress. The caller holds it; only `report` is for others than check.c, once the check has finished. */
struct json_checker {
    struct json_report report;
    char *json, *end;
    char *at;   /* what is read next, ... */
    char *stop; /* ... up to here in this turn */
    int phase;  /* enum phase in check.c: what stands at `at` */
    unsigned depth;
    uint32_t objects; /* bit d: level d is an object */
    char *start;      /* of the string, name or number that `at` is in */
    struct json_number number;
    const char *member;
    unsigned noted; /* the depth of the values that are noted now: 1 the member, 2 its elements, 0 none */
    size_t element; /* where the element begins that `at` is in */
    struct buffer *spans;
};

/* Begin to check `length` bytes: syntax, UTF-8, no U+0000 and no lone surrogate in a string, at most JSON_DEPTH arrays
 * and objects inside one another, nothing after the value.
 *
 * A number that is no integer is overwritten with 0.5 and blanks. Nothing in the contract takes a fraction, and a
 * parser that keeps numbers as doubles would take 1e-400 for 0 and 1.00000000000000000001 for 1: this way the decoder
 * refuses them at their places. Nothing else is changed, so that a good case can be copied as it was sent.
 *
 * `member` is a name in ASCII, or NULL: when the text is an object, the value of its first member of that name is noted
 * ("\u0063ases" is "cases"). When that is an array, a struct json_span for each of its elements is appended to `spans`,
 * which may be NULL when `member` is, as far as its `max` allows: those beyond it are only counted. All of these
 * outlive the checker. */
void json_checker_init(struct json_checker *checker, char *json, size_t length, const char *member,
                       struct buffer *spans);

/* Read some `bytes` more (at least 1, and at most a dozen too many). True when the check has finished, good or not. */
bool json_checker_run(struct json_checker *checker, size_t bytes);

/* Check a whole text in one call. Nothing is noted or charged. OUTCOME_DONE or OUTCOME_CANCELLED. */
enum outcome json_check(char *json, size_t length, const struct work *work, struct json_report *ret_report);
