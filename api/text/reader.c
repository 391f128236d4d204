#include "api/text/reader.h"

#include "base/arena.h"
#include "base/ascii.h"
#include "base/checked.h"

#include <stdio.h>
#include <string.h>

/* The number of bytes charged at a time takes about 2 us to read. So the stop flag is checked often, and the cost of
 * the call is negligible. */
enum { CHUNK = 1024, BYTES_A_UNIT = 5 };

/* Charge for the next chunk of the text. Returns false when the budget runs out. */
static bool pay(struct text_reader *reader) {
    size_t from = reader->paid > reader->at ? reader->paid : reader->at, left = reader->length - from;
    size_t chunk = left < CHUNK ? left : CHUNK;
    if (!work_charge(reader->work, chunk / BYTES_A_UNIT)) {
        reader->outcome = work_failure(reader->work);
        return false;
    }
    reader->paid = from + chunk;
    return true;
}

/* Move to the first byte that is blank (or not blank), or to the end. Returns false when the budget runs out. */
static bool seek(struct text_reader *reader, bool blank) {
    for (;;) {
        size_t at = reader->at;
        while (at < reader->paid && ascii_is_space(reader->text[at]) != blank)
            at++;
        reader->at = at;
        if (at < reader->paid || at == reader->length)
            return true;
        if (!pay(reader))
            return false;
    }
}

bool text_refuse(struct text_reader *reader, size_t at, enum fault_code code, const char *format, ...) {
    char detail[sizeof(struct fault_quote) + 256]; /* one line with at most one quote */
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(detail, sizeof detail, format, arguments);
    va_end(arguments);
    reader->malformed = code == FAULT_SYNTAX;
    fault_in_line(reader->faults, NULL, fault_find_line(reader->text, at, FAULT_FIRST_BYTE), code, "%s", detail);
    return false;
}

bool text_read_token(struct text_reader *reader, const char *what, struct text_token *ret_token) {
    if (!seek(reader, false))
        return false;
    size_t start = reader->at;
    if (!seek(reader, true))
        return false;
    *ret_token = (struct text_token){start, reader->at - start};
    if (ret_token->length != 0)
        return true;
    return text_refuse(reader, start, FAULT_SYNTAX, "expected %s, found the end of the text", what);
}

/* "the number of rows" needs no hint, but "the test id" does. */
static const char *type_hint(const char *what) {
    return strncmp(what, "the number", strlen("the number")) == 0 ? "" : " (a number)";
}

bool text_read_number(struct text_reader *reader, const char *what, struct text_token *ret_token, int64_t *ret_value) {
    if (!text_read_token(reader, what, ret_token))
        return false;
    const char *digit = reader->text + ret_token->at, *end = digit + ret_token->length;
    bool negative = *digit == '-';
    int64_t value = 0;
    digit += negative;
    bool number = digit < end;
    for (; digit < end && ascii_is_digit(*digit); digit++)
        if (__builtin_mul_overflow(value, 10, &value) || __builtin_add_overflow(value, *digit - '0', &value))
            value = INT64_MAX;
    if (!number || digit < end)
        return text_refuse(reader, ret_token->at, FAULT_SYNTAX, "expected %s%s, found '%s'", what, type_hint(what),
                           fault_quote(reader->text + ret_token->at, ret_token->length).text);
    *ret_value = negative ? -value : value;
    return true;
}

bool text_check_range(struct text_reader *reader, const char *what, struct text_token token, int64_t min, int64_t max,
                      int64_t value) {
    return (value >= min && value <= max) ||
           text_refuse(reader, token.at, FAULT_RANGE, "%s is %s; it must be between %lld and %lld", what,
                       fault_quote(reader->text + token.at, token.length).text, (long long)min, (long long)max);
}

bool text_read_ranged(struct text_reader *reader, const char *what, int64_t min, int64_t max, int64_t *ret_value) {
    struct text_token token;
    return text_read_number(reader, what, &token, ret_value) &&
           text_check_range(reader, what, token, min, max, *ret_value);
}

bool text_read_case_count(struct text_reader *reader, uint64_t *ret_cases) {
    int64_t cases;
    if (!text_read_ranged(reader, "the number of cases", 1, (int64_t)reader->max_cases, &cases))
        return false;
    *ret_cases = (uint64_t)cases;
    return true;
}

bool text_read_end(struct text_reader *reader) {
    if (!seek(reader, false))
        return false;
    return reader->at == reader->length ||
           text_refuse(reader, reader->at, FAULT_SYNTAX, "unexpected text after the last case");
}

void *text_alloc(struct text_reader *reader, size_t count, size_t size) {
    size_t bytes;
    /* Memory is zeroed at about 4 GB per second, and fresh pages cost more. */
    if (checked_mul(count, size, &bytes) && !work_charge(reader->work, bytes / 32)) {
        reader->outcome = work_failure(reader->work);
        return NULL;
    }
    void *block = arena_calloc(reader->arena, count, size);
    if (block == NULL)
        reader->outcome = OUTCOME_NO_MEMORY;
    return block;
}

bool text_add_total(struct text_reader *reader, size_t at, uint64_t amount, uint64_t max, const char *name) {
    reader->total += amount;
    return reader->total <= max || text_refuse(reader, at, FAULT_RANGE, "with this case, the request exceeds %s", name);
}
