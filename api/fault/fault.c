/* A kept fault is a record in one buffer, behind the others:
 *
 *     [struct record: code, line, column, which strings follow] [parameter \0] [pointer \0] [detail \0]
 */
#include "api/fault/fault.h"

#include "base/assert.h"
#include "base/utf8.h"

#include <string.h>

const char *const fault_code_names[FAULT_CODES] = {
    [FAULT_SYNTAX] = "syntax",
    [FAULT_TYPE] = "type",
    [FAULT_MISSING] = "missing",
    [FAULT_UNKNOWN_MEMBER] = "unknown-member",
    [FAULT_DUPLICATE_MEMBER] = "duplicate-member",
    [FAULT_RANGE] = "range",
    [FAULT_VALUE] = "value",
    [FAULT_LENGTH] = "length",
    [FAULT_COUNT] = "count",
    [FAULT_CONFLICT] = "conflict",
    [FAULT_LIBERTY] = "liberty",
};

/* Twenty faults come nowhere near this: what is quoted in them is cut. */
enum { MOST_BYTES = 1 << 20 };

struct record {
    size_t line, column;
    enum fault_code code;
    bool has_parameter, has_pointer;
};

void faults_init(struct faults *faults, struct account *account) {
    *faults = (struct faults){0};
    buffer_init(&faults->records, MOST_BYTES, account);
}

void faults_clear(struct faults *faults) {
    buffer_clear(&faults->records);
    faults->count = 0;
}

bool faults_are_whole(const struct faults *faults) { return faults->records.state == BUFFER_GOOD; }

/* The string that begins at *at, which moves behind its end. */
static const char *next_string(const struct faults *faults, size_t *at) {
    const char *string = faults->records.data + *at;
    *at += strlen(string) + 1;
    ASSERT(*at <= faults->records.length);
    return string;
}

bool faults_next(const struct faults *faults, size_t *at, struct fault *ret_fault) {
    struct record record;
    if (*at == faults->records.length)
        return false;
    ASSERT(faults_are_whole(faults) && faults->records.length - *at > sizeof record);
    memcpy(&record, faults->records.data + *at, sizeof record);
    *at += sizeof record;
    ret_fault->code = record.code;
    ret_fault->line = record.line;
    ret_fault->column = record.column;
    ret_fault->parameter = record.has_parameter ? next_string(faults, at) : faults->parameter;
    ret_fault->pointer = record.has_pointer ? next_string(faults, at) : NULL;
    ret_fault->detail = next_string(faults, at);
    return true;
}

struct fault_quote fault_quote(const char *input, size_t length) {
    struct fault_quote quote;
    size_t at = 0, characters = 0, used = 0;
    while (at < length && characters < 40) {
        size_t step = utf8_length(input + at, length - at);
        if (step == 0 || input[at] == 0) {
            quote.text[used++] = '?';
            at++;
        } else {
            memcpy(quote.text + used, input + at, step);
            used += step;
            at += step;
        }
        characters++;
    }
    memcpy(quote.text + used, at < length ? "..." : "", at < length ? 4 : 1);
    return quote;
}

struct fault_quote fault_quote_string(const char *string) {
    return fault_quote(string, strlen(string));
}

struct fault_quote fault_quote_character(const char *input, size_t length) {
    size_t step = utf8_length(input, length);
    return fault_quote(input, step != 0 ? step : 1);
}

/* Write the JSON Pointer of a place, the outermost part first. As deep as the JSON check allows, and no deeper. */
static void put_pointer(struct buffer *out, const struct place *place) {
    if (place->parent == NULL)
        return;
    put_pointer(out, place->parent);
    buffer_put_char(out, '/');
    if (place->member == NULL) {
        buffer_put_integer(out, (int64_t)place->index);
        return;
    }
    for (const char *c = place->member; *c != 0;) {
        size_t plain = strcspn(c, "~/");
        buffer_put(out, c, plain);
        c += plain;
        if (*c != 0)
            buffer_put_string(out, *c++ == '~' ? "~0" : "~1");
    }
}

/* Line and column of an offset, both from 1. A line ends with LF, CRLF or CR. */
static void find_line(const char *text, size_t offset, struct record *record) {
    size_t start = 0;
    record->line = 1;
    for (size_t i = 0; i < offset; i++)
        if (text[i] == '\n' || (text[i] == '\r' && (i + 1 >= offset || text[i + 1] != '\n'))) {
            record->line++;
            start = i + 1;
        }
    record->column = offset - start + 1;
}

/* Keep a fault, unless enough are kept. `parameter` and `place` may be NULL. */
__attribute__((format(printf, 5, 0))) static void keep(struct faults *faults, struct record record,
                                                       const char *parameter, const struct place *place,
                                                       const char *format, va_list arguments) {
    struct buffer *out = &faults->records;
    if (faults->count++ >= FAULTS_LISTED)
        return;
    record.has_parameter = parameter != NULL;
    record.has_pointer = place != NULL;
    buffer_put(out, &record, sizeof record);
    if (parameter != NULL)
        buffer_put(out, parameter, strlen(parameter) + 1);
    if (place != NULL) {
        put_pointer(out, place);
        buffer_put_char(out, 0);
    }
    buffer_vprintf(out, format, arguments);
    buffer_put_char(out, 0);
}

void fault_at(struct faults *faults, const struct place *place, enum fault_code code, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    keep(faults, (struct record){.code = code}, NULL, place, format, arguments);
    va_end(arguments);
}

void fault_in_text(struct faults *faults, const char *text, size_t offset, enum fault_code code, const char *format,
                   ...) {
    struct record record = {.code = code};
    va_list arguments;
    find_line(text, offset, &record);
    va_start(arguments, format);
    keep(faults, record, NULL, NULL, format, arguments);
    va_end(arguments);
}

void fault_in_member(struct faults *faults, const struct place *place, const char *text, size_t offset,
                     enum fault_code code, const char *format, ...) {
    struct record record = {.code = code};
    va_list arguments;
    /* A byte order mark is no column. That of a body is gone by now. */
    size_t mark = strncmp(text, "\xef\xbb\xbf", 3) == 0 && offset >= 3 ? 3 : 0;
    find_line(text + mark, offset - mark, &record);
    va_start(arguments, format);
    keep(faults, record, NULL, place, format, arguments);
    va_end(arguments);
}

void fault_in_query(struct faults *faults, const char *parameter, size_t length, enum fault_code code,
                    const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    keep(faults, (struct record){.code = code}, fault_quote(parameter, length).text, NULL, format, arguments);
    va_end(arguments);
}
