/* A pushdown automaton with a bit a level: inside an object, or inside an array. No recursion.
 *
 * A parser that builds trees (cJSON) is lax where this is strict: it takes 01, 1., control characters, bad UTF-8, cuts
 * a string at \u0000, and knows no line numbers. What passes here it reads exactly. */
#include "api/json/check.h"

#include "api/json/encode.h"
#include "base/utf8.h"

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

/* Four hexadecimal digits at c->at + 2; -1 when they are not. */
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

/* Is the checked number from `start` to `end` an integer? True when no nonzero digit of it stands behind the point,
 * once the exponent has moved it. */
static bool is_integer(const char *start, const char *end) {
    int64_t behind_point = 0, trailing_zeros = 0, exponent = 0;
    bool point = false, zero = true, negative = false;
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
    for (at += at < end; at < end; at++) {
        if (*at == '-')
            negative = true;
        else if (*at != '+' && exponent < INT64_MAX / 100)
            exponent = exponent * 10 + (*at - '0');
    }
    return behind_point - trailing_zeros <= (negative ? -exponent : exponent);
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
    if (!plain && !is_integer(start, c->at)) {
        memset(start, ' ', (size_t)(c->at - start));
        memcpy(start, "0.5", 3);
    }
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

static bool check_value(struct checker *c) {
    uint32_t objects = 0; /* bit d: level d is an object */
    unsigned depth = 0;
    for (;;) {
        skip_blanks(c);
        if (c->at == c->end)
            return fail(c, c->at, depth != 0 ? "an array or object without an end" : "no JSON value");
        bool opened = *c->at == '{' || *c->at == '[';
        if (opened) {
            if (depth == JSON_DEPTH)
                return fail(c, c->at, "more than 16 arrays and objects inside one another");
            bool object = *c->at++ == '{';
            objects = (objects & ~((uint32_t)1 << depth)) | (uint32_t)object << depth;
            depth++;
            c->values++;
            skip_blanks(c);
            if (c->at == c->end || *c->at != (object ? '}' : ']')) {
                if (object && !check_name(c))
                    return false;
                continue;
            }
        } else if (!check_scalar(c)) {
            return false;
        }
        /* A value is complete, or an empty array or object is about to be: close what closes, then the next value. */
        for (;;) {
            if (depth == 0)
                return true;
            bool object = objects >> (depth - 1) & 1;
            skip_blanks(c);
            if (c->at == c->end)
                return fail(c, c->at, "an array or object without an end");
            if (*c->at == (object ? '}' : ']')) {
                c->at++;
                depth--;
                continue;
            }
            if (*c->at != ',')
                return fail(c, c->at, "no comma between two values");
            c->at++;
            if (object && !check_name(c))
                return false;
            break;
        }
    }
}

struct json_report json_check(char *json, size_t length) {
    struct checker c = {.at = json, .end = json + length};
    if (check_value(&c)) {
        skip_blanks(&c);
        if (c.at != c.end)
            fail(&c, c.at, "something after the JSON value");
    }
    return (struct json_report){c.reason == NULL, (size_t)(c.at - json), c.reason, c.values};
}
