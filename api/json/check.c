/* A pushdown automaton without recursion. One bit per nesting level says whether that level is an object or an array.
 * Between two calls, the automaton is between tokens, in the blanks there, in a string, or in a number. Escapes,
 * literals and other short tokens are read at once, because the whole text is in memory.
 *
 * A parser that builds trees (cJSON) is less strict: it accepts 01, 1., control characters and invalid UTF-8, ends a
 * string at \u0000, and reports no line numbers. But it reads any text that passes this check correctly. */
#include "api/json/check.h"

#include "base/assert.h"
#include "base/utf8.h"

#include <stdio.h>
#include <string.h>

enum phase {
    VALUE,    /* blanks and a value */
    FIRST,    /* the same, or the end of the array or object just opened */
    NAME,     /* blanks and a member name */
    COLON,    /* blanks, a colon and a value */
    AFTER,    /* a value is complete: blanks, then a comma or the end of an array or object */
    END,      /* blanks after the whole value */
    STRING,   /* the inside of a string */
    IN_NAME,  /* the inside of a name */
    MANTISSA, /* the digits of a number that is long, or might be invalid */
    EXPONENT,
    FINISHED,
};

/* Stop at `where`. */
static bool fail(struct json_checker *c, const char *where, const char *reason) {
    c->report.offset = (size_t)(where - c->json);
    c->report.reason = reason;
    c->phase = FINISHED;
    return false;
}

static bool in_object(const struct json_checker *c) { return c->objects >> (c->depth - 1) & 1; }

static bool is_digit(const struct json_checker *c, const char *at) { return at < c->end && *at >= '0' && *at <= '9'; }

/* Skip blanks. Returns false if the bytes for this call end first. */
static bool skip_blanks(struct json_checker *c) {
    while (c->at < c->stop && (*c->at == ' ' || *c->at == '\n' || *c->at == '\t' || *c->at == '\r'))
        c->at++;
    return c->at < c->stop || c->stop == c->end;
}

/* ---- reported positions ---- */

/* A value begins at the depth whose values are being reported. */
static void note_begin(struct json_checker *c) {
    size_t offset = (size_t)(c->at - c->json);
    if (c->depth == 0 && c->member != NULL && *c->at == '[') {
        /* Read it like the member of an object around it. */
        c->report.is_bare = true;
        c->depth = c->objects = c->noted = 1;
    }
    if (c->noted == 1) {
        c->report.has_member = true;
        c->report.member.begin = offset;
        c->report.member_is_array = *c->at == '[';
        c->noted += c->report.member_is_array;
    } else if (c->noted == 2) {
        c->element = offset;
    }
}

/* A value at that depth, or above it, ends before `at`. */
static void note_end(struct json_checker *c) {
    size_t offset = (size_t)(c->at - c->json);
    if (c->depth == 2) {
        c->report.elements++;
        buffer_put(c->spans, &(struct json_span){c->element, offset}, sizeof(struct json_span));
        if (c->spans->outcome == OUTCOME_NO_MEMORY) {
            c->report.no_memory = true;
            fail(c, c->at, NULL);
        }
    } else if (c->depth == 1) {
        c->report.member.end = offset;
        c->noted = 0;
        if (c->skips)
            c->phase = FINISHED;
        if (c->report.is_bare) {
            c->depth = 0;
            c->phase = END;
        }
    }
}

/* A value is complete. */
static void complete(struct json_checker *c) {
    c->phase = c->depth != 0 ? AFTER : END;
    if (c->depth <= c->noted)
        note_end(c);
}

/* Read the code unit of the escape \uXXXX at `at`, or -1 if it is incomplete or not hexadecimal. */
static int32_t read_unit(const struct json_checker *c, const char *at) {
    int32_t unit = 0;
    if (c->end - at < 6 || at[0] != '\\' || at[1] != 'u')
        return -1;
    for (int i = 2; i < 6; i++) {
        char d = at[i];
        int value = d >= '0' && d <= '9'   ? d - '0'
                    : d >= 'a' && d <= 'f' ? d - 'a' + 10
                    : d >= 'A' && d <= 'F' ? d - 'A' + 10
                                           : -1;
        if (value < 0)
            return -1;
        unit = unit * 16 + value;
    }
    return unit;
}

/* Is the name that ends before `at` the one being searched for? */
static bool is_member(const struct json_checker *c) {
    static const char escapes[] = "\"\\/bfnrt", escaped[] = "\"\\/\b\f\n\r\t";
    const char *member = c->member, *at = c->start + 1;
    for (; at < c->at - 1 && *member != 0; member++) {
        int32_t unit = (unsigned char)*at;
        if (unit != '\\') {
            at++;
        } else if (at[1] == 'u') {
            unit = read_unit(c, at);
            at += 6;
        } else {
            unit = (unsigned char)escaped[strchr(escapes, at[1]) - escapes];
            at += 2;
        }
        if (unit != *member)
            return false;
    }
    return at == c->at - 1 && *member == 0;
}

/* ---- strings ---- */

static char *skip_plain(char *at, const char *end) {
    while (at < end && (unsigned char)*at >= 0x20 && (unsigned char)*at < 0x80 && *at != '"' && *at != '\\')
        at++;
    return at;
}

/* Skip an escape. */
static bool skip_escape(struct json_checker *c) {
    char *at = c->at;
    if (c->end - at >= 2 && at[1] != 'u') {
        if (memchr("\"\\/bfnrt", at[1], 8) == NULL)
            return fail(c, at, "unknown escape sequence in a string");
        c->at += 2;
        return true;
    }
    int32_t unit = read_unit(c, at);
    if (unit < 0)
        return fail(c, at, "incomplete or invalid \\u escape in a string");
    if (unit == 0)
        return fail(c, at, "\\u0000 is not allowed in a string");
    c->at += 6;
    if (unit < 0xd800 || unit > 0xdfff)
        return true;
    int32_t low = read_unit(c, c->at);
    if (unit > 0xdbff || low < 0xdc00 || low > 0xdfff)
        return fail(c, at, "unpaired surrogate in a string");
    c->at += 6;
    return true;
}

/* Skip a character that is not plain ASCII and does not end the string. */
static bool skip_special(struct json_checker *c) {
    if (*c->at == '\\')
        return skip_escape(c);
    if ((unsigned char)*c->at < 0x20)
        return fail(c, c->at, "unescaped control character in a string");
    size_t step = utf8_length(c->at, (size_t)(c->end - c->at));
    if (step == 0)
        return fail(c, c->at, "invalid UTF-8");
    c->at += step;
    return true;
}

static void end_string(struct json_checker *c) {
    if (c->phase == STRING) {
        complete(c);
        return;
    }
    c->phase = COLON;
    if (c->depth == 1 && c->member != NULL && !c->report.has_member && is_member(c))
        c->noted = 1;
}

static void read_string(struct json_checker *c) {
    while (c->at < c->stop) {
        c->at = skip_plain(c->at, c->stop);
        if (c->at == c->stop)
            break;
        if (*c->at == '"') {
            c->at++;
            end_string(c);
            return;
        }
        if (!skip_special(c))
            return;
    }
    if (c->stop == c->end)
        fail(c, c->start, "unterminated string");
}

static void begin_string(struct json_checker *c, enum phase phase) {
    c->start = c->at++;
    c->phase = (int)phase;
    read_string(c);
}

/* ---- numbers ---- */

enum { EXACT_DIGITS = 15 /* decimal digits that a double always preserves */ };

static void keep_digit(struct json_number *number, char digit) {
    if (number->count < sizeof number->digits)
        number->digits[number->count] = digit;
    if (number->count <= sizeof number->digits)
        number->count++;
}

/* Add a digit to the mantissa. If number->point is set, the digit comes after the decimal point. */
static void add_digit(struct json_number *number, char digit) {
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

static void add_exponent(struct json_number *number, char digit) {
    if (number->exponent < INT64_MAX / 100)
        number->exponent = number->exponent * 10 + (digit - '0');
}

/* Get the power of ten by which the digits, the last of which is not 0, must be multiplied. */
static int64_t scale_of(const struct json_number *number) {
    return number->zeros - number->fraction + (number->negative_exponent ? -number->exponent : number->exponent);
}

/* Is this an integer, or an integer and a half that a double has room for? */
static bool is_readable(const struct json_number *number) {
    bool half = number->count <= EXACT_DIGITS && number->count != 0 && number->digits[number->count - 1] == '5';
    return number->count == 0 || scale_of(number) >= (half ? -1 : 0);
}

/* Write a readable number in at most JSON_NUMBER_BYTES bytes. Returns its length. */
static size_t shorten(const struct json_number *number, char ret_text[JSON_NUMBER_BYTES + 1]) {
    enum { SIZE = JSON_NUMBER_BYTES + 1 };
    const char *sign = number->negative ? "-" : "";
    int64_t scale = scale_of(number);
    int written = 0;
    ASSERT(is_readable(number));
    if (number->count == 0)
        written = snprintf(ret_text, SIZE, "%s0", sign);
    else if (number->count > sizeof number->digits || scale > 200)
        written = snprintf(ret_text, SIZE, "%s1e300", sign);
    else
        written = snprintf(ret_text, SIZE, "%s%.*se%d", sign, (int)number->count, number->digits, (int)scale);
    ASSERT(written > 0 && written < SIZE);
    return (size_t)written;
}

/* Skip an integer of at most 18 digits, which needs no further check. `digits` is where it starts, without the sign. */
static bool skip_short_integer(struct json_checker *c, char *digits) {
    char *end = digits;
    while (end - digits < 18 && is_digit(c, end))
        end++;
    if (end < c->end && (is_digit(c, end) || *end == '.' || *end == 'e' || *end == 'E'))
        return false;
    c->at = end;
    return true;
}

static void begin_number(struct json_checker *c) {
    bool negative = *c->at == '-';
    char *digits = c->at + negative;
    if (!is_digit(c, digits)) {
        fail(c, c->at, "no digit after the minus sign");
    } else if (*digits == '0' && is_digit(c, digits + 1)) {
        fail(c, c->at, "number with a leading zero");
    } else if (skip_short_integer(c, digits)) {
        complete(c);
    } else {
        c->start = c->at;
        c->at = digits;
        c->number = (struct json_number){.negative = negative};
        c->phase = MANTISSA;
    }
}

static void end_number(struct json_checker *c) {
    char text[JSON_NUMBER_BYTES + 1] = "0.1";
    size_t length = (size_t)(c->at - c->start), written = strlen(text);
    bool readable = is_readable(&c->number);
    bool is_long = readable && length > JSON_NUMBER_BYTES;
    c->report.has_long_numbers |= is_long;
    if (!readable || (is_long && c->shortens)) {
        if (readable)
            written = shorten(&c->number, text);
        memcpy(c->start, text, written);
        memset(c->start + written, ' ', length - written);
    }
    complete(c);
}

static void read_mantissa(struct json_checker *c) {
    for (; c->at < c->stop && is_digit(c, c->at); c->at++)
        add_digit(&c->number, *c->at);
    if (c->at == c->stop && c->stop != c->end)
        return;
    if (c->at < c->end && *c->at == '.' && !c->number.point) {
        c->number.point = true;
        if (is_digit(c, ++c->at))
            return;
        fail(c, c->start, "no digit after the decimal point");
    } else if (c->at < c->end && (*c->at == 'e' || *c->at == 'E')) {
        c->at++;
        c->number.negative_exponent = c->at < c->end && *c->at == '-';
        c->at += c->at < c->end && (*c->at == '+' || *c->at == '-');
        c->phase = EXPONENT;
        if (!is_digit(c, c->at))
            fail(c, c->start, "no digit in the exponent");
    } else {
        end_number(c);
    }
}

static void read_exponent(struct json_checker *c) {
    for (; c->at < c->stop && is_digit(c, c->at); c->at++)
        add_exponent(&c->number, *c->at);
    if (c->at != c->stop || c->stop == c->end)
        end_number(c);
}

/* ---- values ---- */

static void read_literal(struct json_checker *c) {
    static const char *const literals[] = {"true", "false", "null"};
    for (int i = 0; i < 3; i++) {
        size_t length = strlen(literals[i]);
        if ((size_t)(c->end - c->at) >= length && memcmp(c->at, literals[i], length) == 0) {
            c->at += length;
            complete(c);
            return;
        }
    }
    fail(c, c->at, "expected a JSON value");
}

/* The depth that no bracket may exceed; a bare array is counted as if there were an object around it. */
static unsigned max_depth(const struct json_checker *c) { return JSON_DEPTH + (unsigned)c->report.is_bare; }

/* Skip the bracket that opens an array or object. */
static void open_level(struct json_checker *c) {
    if (c->depth == max_depth(c)) {
        fail(c, c->at, "arrays and objects are nested more than 16 levels deep");
        return;
    }
    bool object = *c->at++ == '{';
    c->objects = (c->objects & ~((uint32_t)1 << c->depth)) | (uint32_t)object << c->depth;
    c->depth++;
    c->report.values++;
    c->phase = FIRST;
}

static void read_value(struct json_checker *c) {
    if (!skip_blanks(c))
        return;
    if (c->at == c->end) {
        fail(c, c->at, c->depth != 0 ? "unterminated array or object" : "no JSON value");
        return;
    }
    if (c->depth == c->noted)
        note_begin(c);
    if (*c->at == '{' || *c->at == '[') {
        open_level(c);
        return;
    }
    c->report.values++;
    if (*c->at == '"')
        begin_string(c, STRING);
    else if (*c->at == '-' || is_digit(c, c->at))
        begin_number(c);
    else
        read_literal(c);
}

static void close_level(struct json_checker *c) {
    c->at++;
    c->depth--;
    complete(c);
}

/* Read what follows the opening bracket. */
static void read_first(struct json_checker *c) {
    bool object = in_object(c);
    if (!skip_blanks(c))
        return;
    if (c->at < c->end && *c->at == (object ? '}' : ']'))
        close_level(c);
    else
        c->phase = object ? NAME : VALUE;
}

static void read_name(struct json_checker *c) {
    if (!skip_blanks(c))
        return;
    if (c->at == c->end)
        fail(c, c->at, "unterminated object");
    else if (*c->at != '"')
        fail(c, c->at, "expected a member name in double quotes");
    else
        begin_string(c, IN_NAME);
}

static void read_colon(struct json_checker *c) {
    if (!skip_blanks(c))
        return;
    if (c->at == c->end || *c->at != ':') {
        fail(c, c->at, "expected ':' after a member name");
        return;
    }
    c->at++;
    c->phase = VALUE;
}

/* Close an array or object, or skip the comma before the next value. */
static void read_after(struct json_checker *c) {
    bool object = in_object(c);
    if (!skip_blanks(c))
        return;
    if (c->at == c->end) {
        fail(c, c->at, object ? "unterminated object" : "unterminated array");
    } else if (*c->at == ',') {
        c->at++;
        c->phase = object ? NAME : VALUE;
    } else if (*c->at == (object ? '}' : ']')) {
        close_level(c);
    } else {
        fail(c, c->at, object ? "expected ',' or '}'" : "expected ',' or ']'");
    }
}

static void read_end(struct json_checker *c) {
    if (!skip_blanks(c))
        return;
    if (c->at != c->end) {
        fail(c, c->at, "unexpected text after the JSON value");
        return;
    }
    c->report.good = true;
    c->report.offset = (size_t)(c->at - c->json);
    c->phase = FINISHED;
}

/* ---- the whole text ---- */

typedef void reader(struct json_checker *c);

static reader *const readers[] = {
    [VALUE] = read_value,       [FIRST] = read_first,       [NAME] = read_name,     [COLON] = read_colon,
    [AFTER] = read_after,       [END] = read_end,           [STRING] = read_string, [IN_NAME] = read_string,
    [MANTISSA] = read_mantissa, [EXPONENT] = read_exponent,
};

void json_checker_init(struct json_checker *checker, char *json, size_t length, const char *member,
                       struct buffer *spans) {
    ASSERT(member == NULL || spans != NULL);
    *checker = (struct json_checker){
        .json = json, .at = json, .stop = json, .end = json + length, .member = member, .spans = spans};
}

bool json_checker_run(struct json_checker *checker, size_t bytes) {
    struct json_checker *c = checker;
    ASSERT(bytes > 0);
    c->stop = bytes < (size_t)(c->end - c->at) ? c->at + bytes : c->end;
    while (c->phase != FINISHED && (c->at < c->stop || c->stop == c->end))
        readers[c->phase](c);
    ASSERT(c->json <= c->at && c->at <= c->end && c->depth <= max_depth(c) &&
           c->report.offset <= (size_t)(c->end - c->json));
    return c->phase == FINISHED;
}

/* Check the text to its end, unless the stop flag is set. */
static enum outcome run(struct json_checker *c, const struct work *work) {
    do {
        if (work_is_stopped(work))
            return OUTCOME_CANCELLED;
    } while (!json_checker_run(c, WORK_CHUNK));
    return OUTCOME_DONE;
}

enum outcome json_check(char *json, size_t length, const struct work *work, struct json_report *ret_report) {
    struct json_checker checker;
    json_checker_init(&checker, json, length, NULL, NULL);
    enum outcome outcome = run(&checker, work);
    if (outcome == OUTCOME_DONE)
        *ret_report = checker.report;
    return outcome;
}

enum outcome json_shorten_numbers(const char **json, size_t length, struct arena *arena, const struct work *work) {
    struct json_checker checker;
    char *copy = arena_alloc(arena, length);
    if (copy == NULL)
        return OUTCOME_NO_MEMORY;
    memcpy(copy, *json, length);
    json_checker_init(&checker, copy, length, NULL, NULL);
    checker.shortens = true;
    enum outcome outcome = run(&checker, work);
    if (outcome == OUTCOME_DONE)
        *json = copy;
    return outcome;
}

enum outcome json_skip_value(const char **at, const char *end, const struct work *work, size_t *ret_elements) {
    struct json_checker checker;
    struct buffer counted_only;
    buffer_init(&counted_only, 0, NULL);
    /* This overwrites only what the first check has overwritten, with the same bytes. */
    json_checker_init(&checker, (char *)*at, (size_t)(end - *at), NULL, &counted_only);
    checker.skips = true;
    checker.depth = checker.objects = checker.noted = 1; /* in an object, at the member's value */
    enum outcome outcome = run(&checker, work);
    if (outcome == OUTCOME_DONE) {
        ASSERT(checker.report.member.end != 0);
        *at = checker.at;
        *ret_elements = checker.report.elements;
    }
    return outcome;
}
