#include "api/text/reader.h"

#include "base/arena.h"
#include "base/checked.h"

#include <stdio.h>

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

static void skip_blanks(struct text_reader *reader) {
    while (reader->at < reader->length && is_blank(reader->text[reader->at]))
        reader->at++;
}

bool text_malformed(struct text_reader *reader, size_t at, const char *detail) {
    reader->malformed = true;
    fault_in_text(reader->faults, reader->text, at, FAULT_SYNTAX, "%s", detail);
    return false;
}

bool text_refuse(struct text_reader *reader, size_t at, enum fault_code code, const char *format, ...) {
    char detail[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(detail, sizeof detail, format, arguments);
    va_end(arguments);
    fault_in_text(reader->faults, reader->text, at, code, "%s", detail);
    return false;
}

bool text_read_token(struct text_reader *reader, const char *what, struct text_token *ret_token) {
    skip_blanks(reader);
    size_t start = reader->at;
    while (reader->at < reader->length && !is_blank(reader->text[reader->at]))
        reader->at++;
    *ret_token = (struct text_token){start, reader->at - start};
    if (ret_token->length != 0)
        return true;
    char detail[160];
    snprintf(detail, sizeof detail, "the text ends where %s is needed", what);
    return text_malformed(reader, start, detail);
}

bool text_read_number(struct text_reader *reader, const char *what, struct text_token *ret_token, int64_t *ret_value) {
    if (!text_read_token(reader, what, ret_token))
        return false;
    const char *digit = reader->text + ret_token->at, *end = digit + ret_token->length;
    bool negative = *digit == '-';
    int64_t value = 0;
    digit += negative;
    bool number = digit < end;
    for (; digit < end; digit++) {
        if (*digit < '0' || *digit > '9') {
            number = false;
            break;
        }
        if (__builtin_mul_overflow(value, 10, &value) || __builtin_add_overflow(value, *digit - '0', &value))
            value = INT64_MAX;
    }
    if (!number) {
        char detail[400];
        snprintf(detail, sizeof detail, "'%s' is no number; %s is needed",
                 fault_quote(reader->text + ret_token->at, ret_token->length).text, what);
        return text_malformed(reader, ret_token->at, detail);
    }
    *ret_value = negative ? -value : value;
    return true;
}

bool text_check_range(struct text_reader *reader, const char *what, struct text_token token, int64_t least,
                      int64_t most, int64_t value) {
    return (value >= least && value <= most) ||
           text_refuse(reader, token.at, FAULT_RANGE, "%s is %s; it must be from %lld to %lld", what,
                       fault_quote(reader->text + token.at, token.length).text, (long long)least, (long long)most);
}

bool text_read_ranged(struct text_reader *reader, const char *what, int64_t least, int64_t most, int64_t *ret_value) {
    struct text_token token;
    return text_read_number(reader, what, &token, ret_value) &&
           text_check_range(reader, what, token, least, most, *ret_value);
}

bool text_read_case_count(struct text_reader *reader, uint64_t *ret_cases) {
    int64_t cases;
    if (!text_read_ranged(reader, "the number of cases", 1, (int64_t)reader->most_cases, &cases))
        return false;
    *ret_cases = (uint64_t)cases;
    return true;
}

bool text_read_end(struct text_reader *reader) {
    skip_blanks(reader);
    return reader->at == reader->length || text_malformed(reader, reader->at, "something after the last case");
}

void *text_alloc(struct text_reader *reader, size_t count, size_t size) {
    size_t bytes;
    /* Memory is zeroed at some 4 GB a second, and fresh pages cost more. */
    if (checked_mul(count, size, &bytes) && !work_charge(reader->work, bytes / 32)) {
        reader->outcome = WORK_EXHAUSTED;
        return NULL;
    }
    void *block = arena_calloc(reader->arena, count, size);
    if (block == NULL)
        reader->outcome = WORK_NO_MEMORY;
    return block;
}

bool text_add_total(struct text_reader *reader, size_t at, uint64_t amount, uint64_t most, const char *name) {
    reader->total += amount;
    return reader->total <= most || text_refuse(reader, at, FAULT_RANGE, "with this case the request passes %s", name);
}
