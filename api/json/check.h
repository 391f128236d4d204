/* A strict check for JSON (RFC 8259). It reads the bytes once, before any parser, in as many calls as the caller likes.
 * It reports where the value of one member is, and where the elements of that value are, so that each can be parsed by
 * itself. */
#pragma once

#include "base/arena.h"
#include "base/buffer.h"
#include "base/work.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { JSON_DEPTH = 16, JSON_NUMBER_BYTES = 63 };

/* A range of bytes of a text. */
struct json_span {
    size_t begin, end; /* exclusive */
};

struct json_report {
    bool good;
    size_t offset;         /* if not good: of the first fault */
    const char *reason;    /* if not good: a phrase; NULL with no_memory */
    uint64_t values;       /* objects, arrays, strings, numbers and literals, without names */
    bool has_long_numbers; /* integers of more than JSON_NUMBER_BYTES bytes: see json_shorten_numbers */

    /* About the member that is searched for. If not good: what was found before the fault. */
    bool has_member;
    bool member_is_array;
    struct json_span member; /* its value */
    size_t elements;         /* the number of elements, if it is an array */
    bool no_memory; /* there was no memory for the spans: the check has stopped, not good and without a fault */
};

/* A number that is read byte by byte, and may come in pieces. This suffices to tell whether it is an integer, and to
 * write it in few bytes; it does not grow with the number. Zeroed at first, except `negative`. */
struct json_number {
    char digits[40];  /* without leading and trailing zeros */
    size_t count;     /* the number of digits; 0: the value is 0 so far; one more than fit: there are more digits */
    int64_t zeros;    /* digits 0 after the last of these */
    int64_t fraction; /* digits after the point */
    int64_t exponent; /* as written, without its sign; very large values are saturated */
    bool negative, point, negative_exponent;
};

/* A check in progress. The caller holds it. Only `report` is for the caller, once the check has finished. */
struct json_checker {
    struct json_report report;
    char *json, *end;
    char *at;   /* the next byte, ... */
    char *stop; /* ... and the end of this call */
    int phase;  /* enum phase in check.c: what is expected at `at` */
    unsigned depth;
    uint32_t objects; /* bit d: level d is an object */
    char *start;      /* the start of the string, name or number that `at` is in */
    struct json_number number;
    const char *member;
    unsigned noted; /* the depth of the values that are reported now: 1: the member; 2: its elements; 0: none */
    size_t element; /* the start of the element that `at` is in */
    struct buffer *spans;
    bool shortens; /* long integers are overwritten */
    bool skips;    /* the check ends with the member */
};

/* Begin to check `length` bytes: syntax, UTF-8, no U+0000 and no lone surrogate in a string, at most JSON_DEPTH nested
 * arrays and objects, nothing after the value.
 *
 * A number that is not an integer is overwritten with 0.5 and blanks. No member of the contract is a fraction, and a
 * parser that keeps numbers as doubles would read 1e-400 as 0 and 1.00000000000000000001 as 1. This way the decoder
 * refuses such numbers at their positions. Nothing else is changed, so that a valid case can be copied as it was sent.
 *
 * `member` is a name in ASCII, or NULL: if the text is an object, the position of the first member of that name is
 * reported ("\u0063ases" is "cases"). If its value is an array, a struct json_span for each element is appended to
 * `spans`, up to the limit of that buffer; further elements are only counted. `spans` may be NULL if `member` is. All
 * of these must outlive the checker. */
void json_checker_init(struct json_checker *checker, char *json, size_t length, const char *member,
                       struct buffer *spans);

/* Check `bytes` more bytes: at least 1; the call may read a dozen more. True when the check has finished, good or not.
 */
bool json_checker_run(struct json_checker *checker, size_t bytes);

/* Check a whole text in one call. Nothing is reported or charged. OUTCOME_DONE or OUTCOME_CANCELLED. */
enum outcome json_check(char *json, size_t length, const struct work *work, struct json_report *ret_report);

/* Replace *json, which json_check has accepted, by a copy in `arena`, of the same length, in which each integer of more
 * than JSON_NUMBER_BYTES bytes is overwritten with a shorter one and blanks: of the same value if that fits, otherwise
 * of the same sign and outside of every range. cJSON up to 1.7.18 does not read longer integers. OUTCOME_DONE; any
 * other outcome writes nothing: memory is exhausted, or the stop flag of `work` was set. */
enum outcome json_shorten_numbers(const char **json, size_t length, struct arena *arena, const struct work *work);

/* Move *at from the beginning to the end of the value of a member. json_check must have accepted the object, which ends
 * before `end`. *ret_elements is the number of its elements, if it is an array. OUTCOME_DONE or OUTCOME_CANCELLED. */
enum outcome json_skip_value(const char **at, const char *end, const struct work *work, size_t *ret_elements);
