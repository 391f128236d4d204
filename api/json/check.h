/* A strict JSON checker (RFC 8259). It reads the bytes once, before any parser, in as many calls as the caller likes.
 * It reports where the value of one given member is, and where the elements of that value are, so that each can be
 * parsed separately. */
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
    size_t offset;         /* if not good: the offset of the first fault */
    const char *reason;    /* if not good: a phrase, or NULL with no_memory */
    uint64_t values;       /* objects, arrays, strings, numbers and literals, not counting names */
    bool has_long_numbers; /* there are readable ones longer than JSON_NUMBER_BYTES bytes: see json_shorten_numbers */

    /* About the member being searched for; if not good, only what was found before the fault. */
    bool has_member;
    bool member_is_array;
    bool is_bare;            /* the text itself is an array, and reported like the member */
    struct json_span member; /* its value */
    size_t elements;         /* the number of elements, if it is an array */
    bool no_memory; /* out of memory for the spans: the check has stopped, and is not good although there is no fault */
};

/* A number that is read byte by byte, possibly in pieces. This is enough to tell whether it is an integer or a half and
 * to write it in a few bytes, and its size does not depend on the number's length. Must be zeroed before use, except
 * `negative`. */
struct json_number {
    char digits[40];  /* without leading and trailing zeros */
    size_t count;     /* number of digits; 0: the value is 0 so far; one more than fit: there are further digits */
    int64_t zeros;    /* zero digits after the last of these */
    int64_t fraction; /* digits after the point */
    int64_t exponent; /* as written, without its sign; saturates */
    bool negative, point, negative_exponent;
};

/* A check in progress. The caller owns the memory, but may only use `report`, and only once the check has finished. */
struct json_checker {
    struct json_report report;
    char *json, *end;
    char *at;   /* the next byte */
    char *stop; /* the end of this call */
    int phase;  /* enum phase in check.c: what is expected at `at` */
    unsigned depth;
    uint32_t objects; /* bit d is set if level d is an object */
    char *start;      /* the start of the string, name or number that `at` is in */
    struct json_number number;
    const char *member;
    unsigned noted; /* the depth of the values being reported: 1 the member, 2 its elements, 0 none */
    size_t element; /* the start of the element that `at` is in */
    struct buffer *spans;
    bool shortens; /* overwrite long integers */
    bool skips;    /* end the check with the member */
};

/* Begin to check `length` bytes: syntax, UTF-8, no U+0000 and no lone surrogate in a string, at most JSON_DEPTH nested
 * arrays and objects, and nothing after the value.
 *
 * A number that is neither an integer nor, like 6.5, an integer and a half is overwritten with 0.1 and blanks. The API
 * has no members with other fractions, but a parser that stores numbers as doubles would read 1e-400 as 0 and
 * 1.00000000000000000001 as 1. This way, the decoder refuses such numbers where they occur. Nothing else is changed, so
 * that a valid case can be copied as it was sent.
 *
 * `member` is an ASCII name, or NULL. If the text is an object, the position of the first member with that name is
 * reported (`"\u0063ases"` matches `cases`). If its value is an array, a struct json_span is appended to `spans` for
 * each element, up to the limit of that buffer; further elements are only counted. A text that is itself an array is
 * reported in the same way. `spans` may be NULL if `member` is.
 * All of these must outlive the checker. */
void json_checker_init(struct json_checker *checker, char *json, size_t length, const char *member,
                       struct buffer *spans);

/*
 * Check `bytes` more bytes, at least 1; the call may read a dozen more. Returns true when the check has finished,
 * whether good or not.
 */
bool json_checker_run(struct json_checker *checker, size_t bytes);

/* Check a whole text in one call, without searching for a member or charging work. Returns OUTCOME_DONE or
 * OUTCOME_CANCELLED. */
enum outcome json_check(char *json, size_t length, const struct work *work, struct json_report *ret_report);

/* Replace *json, which json_check has accepted, by a copy of the same length in `arena`, in which each number longer
 * than JSON_NUMBER_BYTES bytes is overwritten with a shorter one and blanks. It has the same value if that fits;
 * otherwise the same sign, and a value outside every range. cJSON up to 1.7.18 cannot read longer integers. Returns
 * OUTCOME_DONE or, with nothing written, another outcome: memory is exhausted, or the stop flag of `work` was set. */
enum outcome json_shorten_numbers(const char **json, size_t length, struct arena *arena, const struct work *work);

/* Move *at from the beginning to the end of a member's value. json_check must have accepted the object, which ends
 * before `end`. If the value is an array, *ret_elements is set to its number of elements. Returns OUTCOME_DONE or
 * OUTCOME_CANCELLED. */
enum outcome json_skip_value(const char **at, const char *end, const struct work *work, size_t *ret_elements);
