/* A pushdown automaton with a bit a level: inside an object, or inside an array. No recursion.
 *
 * A parser that builds trees (cJSON) is lax where this is strict: it takes 01, 1., control characters, bad UTF-8, cuts
 * a string at \u0000, and knows no line numbers. What passes here it reads exactly. */
#include "api/json/check.h"

#include "base/assert.h"
#include "base/utf8.h"

#include <stdio.h>
#include <string.h>

struct checker {
    char *at, *end;
    const char *reason; /* NULL while all is good */
    uint64_t values;
};

/* Stop at `where`. */
static bool fail(struct checker *c, char *where, const char *reason) {
    c->at = where;
    c->reason = reason;
    return false;
}

static void skip_blanks(struct checker *c) {
    while (c->at < c->end && (*c->at == ' ' || *c->at == '\n' || *c->at == '\t' || *c->at == '\r'))
        c->at++;
}

static bool is_digit(const struct checker *c, const char *at) { return at < c->end && *at >= '0' && *at <= '9'; }

/* The value of the escape \uXXXX that stands at `at`; -1 when it is cut short or not hexadecimal. */
static int32_t read_unit(const struct checker *c, const char *at) {
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

/* A backslash and what follows it. */
static bool check_escape(struct checker *c) {
    char *at = c->at;
    if (c->end - at >= 2 && at[1] != 'u') {
        if (memchr("\"\\/bfnrt", at[1], 8) == NULL)
            return fail(c, at, "an unknown escape in a string");
        c->at += 2;
        return true;
    }
    int32_t unit = read_unit(c, at);
    if (unit < 0)
        return fail(c, at, "an escape that is cut short or not hexadecimal");
    if (unit == 0)
        return fail(c, at, "\\u0000 in a string");
    c->at += 6;
    if (unit < 0xd800 || unit > 0xdfff)
        return true;
    int32_t low = read_unit(c, c->at);
    if (unit > 0xdbff || low < 0xdc00 || low > 0xdfff)
        return fail(c, at, "a lone surrogate in a string");
    c->at += 6;
    return true;
}

static bool check_string(struct checker *c) {
    char *start = c->at++;
    while (c->at < c->end) {
        unsigned char byte = (unsigned char)*c->at;
        if (byte == '"') {
            c->at++;
            return true;
        }
        if (byte < 0x20)
            return fail(c, c->at, "a control character in a string");
        if (byte == '\\') {
            if (!check_escape(c))
                return false;
        } else if (byte < 0x80) {
            c->at++;
        } else {
            size_t step = utf8_length(c->at, (size_t)(c->end - c->at));
            if (step == 0)
                return fail(c, c->at, "bytes that are not UTF-8");
            c->at += step;
        }
    }
    return fail(c, start, "a string without an end");
}

/* The checked exponent from `at`, its sign included, to `end`. What is beyond all reason is only large. */
static int64_t read_exponent(const char *at, const char *end) {
    bool negative = *at == '-';
    int64_t exponent = 0;
    for (at += *at == '-' || *at == '+'; at < end; at++)
        if (exponent < INT64_MAX / 100)
            exponent = exponent * 10 + (*at - '0');
    return negative ? -exponent : exponent;
}

/* Is the checked number from `start` to `end` an integer? True when no nonzero digit of it stands behind the point,
 * once the exponent has moved it. */
static bool is_integer(const char *start, const char *end) {
    int64_t behind_point = 0, trailing_zeros = 0;
    bool point = false, zero = true;
    const char *at = start;
    for (; at < end && *at != 'e' && *at != 'E'; at++) {
        if (*at == '.')
            point = true;
        if (*at < '0' || *at > '9')
            continue;
        behind_point += point;
        trailing_zeros = *at == '0' ? trailing_zeros + 1 : 0;
        zero = zero && *at == '0';
    }
    if (zero)
        return true;
    return behind_point - trailing_zeros <= (at < end ? read_exponent(at + 1, end) : 0);
}

/* Overwrite the checked number from `start` to `end` with `text`, which is not longer, and blanks. */
static void overwrite(char *start, const char *end, const char *text) {
    memset(start, ' ', (size_t)(end - start));
    memcpy(start, text, strlen(text));
}

/* The digits of an integer without the zeros in front and behind, and the power of ten that they are taken times. */
struct significant {
    char digits[40];
    size_t count; /* 0: the number is 0; one more than fits: it has more digits */
    int64_t scale;
};

static void add_digits(struct significant *s, char digit, size_t times) {
    for (; times > 0 && s->count <= sizeof s->digits; times--) {
        if (s->count < sizeof s->digits)
            s->digits[s->count] = digit;
        s->count++;
    }
}

static struct significant read_significant(const char *start, const char *end) {
    struct significant s = {.count = 0};
    size_t zeros = 0; /* since the last digit that was none */
    bool point = false;
    const char *at = start;
    for (; at < end && *at != 'e' && *at != 'E'; at++) {
        point |= *at == '.';
        if (*at < '0' || *at > '9')
            continue;
        s.scale -= point;
        if (*at == '0') {
            zeros += s.count != 0;
            continue;
        }
        add_digits(&s, '0', zeros);
        add_digits(&s, *at, 1);
        zeros = 0;
    }
    s.scale += (int64_t)zeros;
    if (at < end)
        s.scale += read_exponent(at + 1, end);
    return s;
}

/* Write a long integer in fewer bytes: see json_check. */
static void shorten(char *start, const char *end) {
    const char *sign = *start == '-' ? "-" : "";
    struct significant s = read_significant(start, end);
    char text[JSON_NUMBER_BYTES + 1];
    if (s.count == 0)
        snprintf(text, sizeof text, "%s0", sign);
    else if (s.count > sizeof s.digits || s.scale > 200)
        snprintf(text, sizeof text, "%s1e300", sign);
    else
        snprintf(text, sizeof text, "%s%.*se%d", sign, (int)s.count, s.digits, (int)s.scale);
    overwrite(start, end, text);
}

static bool check_number(struct checker *c) {
    char *start = c->at;
    bool plain = true;
    if (*c->at == '-')
        c->at++;
    if (!is_digit(c, c->at))
        return fail(c, start, "a minus without a number");
    if (*c->at == '0' && is_digit(c, c->at + 1))
        return fail(c, start, "a number that begins with 0");
    while (is_digit(c, c->at))
        c->at++;
    if (c->at < c->end && *c->at == '.') {
        plain = false;
        if (!is_digit(c, ++c->at))
            return fail(c, start, "a number without a digit after its point");
        while (is_digit(c, c->at))
            c->at++;
    }
    if (c->at < c->end && (*c->at == 'e' || *c->at == 'E')) {
        plain = false;
        c->at++;
        if (c->at < c->end && (*c->at == '+' || *c->at == '-'))
            c->at++;
        if (!is_digit(c, c->at))
            return fail(c, start, "a number without a digit in its exponent");
        while (is_digit(c, c->at))
            c->at++;
    }
    if (!plain && !is_integer(start, c->at))
        overwrite(start, c->at, "0.5");
    else if (c->at - start > JSON_NUMBER_BYTES)
        shorten(start, c->at);
    return true;
}

static bool check_literal(struct checker *c) {
    static const char *const literals[] = {"true", "false", "null"};
    for (int i = 0; i < 3; i++) {
        size_t length = strlen(literals[i]);
        if ((size_t)(c->end - c->at) >= length && memcmp(c->at, literals[i], length) == 0) {
            c->at += length;
            return true;
        }
    }
    return fail(c, c->at, "something that is no JSON value");
}

static bool check_scalar(struct checker *c) {
    c->values++;
    if (*c->at == '"')
        return check_string(c);
    if (*c->at == '-' || is_digit(c, c->at))
        return check_number(c);
    return check_literal(c);
}

/* A name and its colon, up to the value. */
static bool check_name(struct checker *c) {
    skip_blanks(c);
    if (c->at == c->end)
        return fail(c, c->at, "an object without an end");
    if (*c->at != '"')
        return fail(c, c->at, "a member without a name in quotes");
    if (!check_string(c))
        return false;
    skip_blanks(c);
    if (c->at == c->end || *c->at != ':')
        return fail(c, c->at, "a name without a colon");
    c->at++;
    return true;
}

/* Where the automaton is: how many arrays and objects are open, and which are objects. */
struct nesting {
    unsigned depth;
    uint32_t objects; /* bit d: level d is an object */
};

static bool in_object(const struct nesting *nesting) { return nesting->objects >> (nesting->depth - 1) & 1; }

/* Pass the bracket that opens an array or object, and its first name if it has one. False in *ret_empty: a value
 * follows. */
static bool open_level(struct checker *c, struct nesting *nesting, bool *ret_empty) {
    if (nesting->depth == JSON_DEPTH)
        return fail(c, c->at, "more than 16 arrays and objects inside one another");
    bool object = *c->at++ == '{';
    nesting->objects = (nesting->objects & ~((uint32_t)1 << nesting->depth)) | (uint32_t)object << nesting->depth;
    nesting->depth++;
    c->values++;
    skip_blanks(c);
    *ret_empty = c->at < c->end && *c->at == (object ? '}' : ']');
    return *ret_empty || !object || check_name(c);
}

/* A value is complete, or an empty array or object is about to be: close what closes, and pass the comma before the
 * next value, if there is one. */
static bool close_levels(struct checker *c, struct nesting *nesting) {
    while (nesting->depth != 0) {
        bool object = in_object(nesting);
        skip_blanks(c);
        if (c->at == c->end)
            return fail(c, c->at, "an array or object without an end");
        if (*c->at != (object ? '}' : ']')) {
            if (*c->at != ',')
                return fail(c, c->at, "no comma between two values");
            c->at++;
            return !object || check_name(c);
        }
        c->at++;
        nesting->depth--;
    }
    return true;
}

static bool check_value(struct checker *c) {
    struct nesting nesting = {0};
    do {
        skip_blanks(c);
        if (c->at == c->end)
            return fail(c, c->at, nesting.depth != 0 ? "an array or object without an end" : "no JSON value");
        if (*c->at == '{' || *c->at == '[') {
            bool empty;
            if (!open_level(c, &nesting, &empty))
                return false;
            if (!empty)
                continue;
        } else if (!check_scalar(c)) {
            return false;
        }
        if (!close_levels(c, &nesting))
            return false;
    } while (nesting.depth != 0);
    return true;
}

struct json_report json_check(char *json, size_t length) {
    struct checker c = {.at = json, .end = json + length};
    if (check_value(&c)) {
        skip_blanks(&c);
        if (c.at != c.end)
            fail(&c, c.at, "something after the JSON value");
    }
    ASSERT(json <= c.at && c.at <= c.end);
    return (struct json_report){c.reason == NULL, (size_t)(c.at - json), c.reason, c.values};
}
