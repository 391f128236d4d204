/* The stored faults are in one buffer, one after the other:
 *
 *     [struct stored_fault] [id \0] [parameter \0] [pointer \0] [detail \0]
 */
#include "api/fault/fault.h"

#include "base/assert.h"
#include "base/utf8.h"
#include "base/words.h"

#include <stdio.h>
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

/* bytes; more than 20 faults need, because quotes are truncated */
enum { MAX_BYTES = 1 << 20, MAX_NAME_BYTES = 64 };

struct stored_fault {
    struct fault fault; /* its strings are those behind this struct, or NULL */
    bool is_in_drawing; /* the column is that of the cell; without a cell, 1 */
};

void fault_list_init(struct fault_list *faults, struct account *account) {
    *faults = (struct fault_list){0};
    buffer_init(&faults->bytes, MAX_BYTES, account);
}

void fault_list_clear(struct fault_list *faults) {
    buffer_clear(&faults->bytes);
    faults->count = faults->id = 0;
}

void fault_list_append(struct fault_list *faults, const struct fault_list *others) {
    size_t count = faults->count, at = 0, next = 0;
    struct fault fault;
    ASSERT(faults->parameter == others->parameter);
    if (faults->bytes.outcome == OUTCOME_DONE)
        faults->bytes.outcome = others->bytes.outcome;
    for (; fault_list_is_whole(faults) && count < FAULTS_LISTED && fault_list_next(others, &next, &fault); at = next) {
        count++;
        struct stored_fault stored;
        memcpy(&stored, others->bytes.data + at, sizeof stored);
        bool has_id = stored.fault.id != NULL; /* among its strings */
        stored.fault.line = fault.line;        /* the other list may have one line and one id for all of its faults */
        stored.fault.id = fault.id;
        buffer_put(&faults->bytes, &stored, sizeof stored);
        if (fault.id != NULL && !has_id)
            buffer_put(&faults->bytes, fault.id, strlen(fault.id) + 1);
        buffer_put(&faults->bytes, others->bytes.data + at + sizeof stored, next - at - sizeof stored);
    }
    faults->count += others->count;
}

void fault_list_add_advice(struct fault_list *faults, const char *format, ...) {
    struct buffer *out = &faults->bytes;
    va_list arguments;
    if (faults->count == 0 || faults->count > FAULTS_LISTED || out->outcome != OUTCOME_DONE)
        return;
    ASSERT(out->length != 0 && out->data[out->length - 1] == 0);
    out->length--;
    va_start(arguments, format);
    buffer_vprintf(out, format, arguments);
    va_end(arguments);
    buffer_put_char(out, 0);
}

void fault_list_add_cell(struct fault_list *faults, struct fault_cell cell) {
    struct stored_fault stored;
    struct fault fault;
    size_t last = 0;
    if (faults->count == 0 || faults->count > FAULTS_LISTED || !fault_list_is_whole(faults))
        return;
    for (size_t at = 0, next = 0; fault_list_next(faults, &next, &fault); at = next)
        last = at;
    memcpy(&stored, faults->bytes.data + last, sizeof stored);
    stored.fault.cell = cell;
    stored.fault.has_cell = true;
    if (stored.is_in_drawing)
        stored.fault.column = (size_t)cell.col + 1;
    memcpy(faults->bytes.data + last, &stored, sizeof stored);
}

bool fault_list_is_whole(const struct fault_list *faults) { return faults->bytes.outcome == OUTCOME_DONE; }

/* Get the string that begins at *at, and move *at past its end. */
static const char *next_string(const struct fault_list *faults, size_t *at) {
    const char *string = faults->bytes.data + *at;
    *at += strlen(string) + 1;
    ASSERT(*at <= faults->bytes.length);
    return string;
}

bool fault_list_next(const struct fault_list *faults, size_t *at, struct fault *ret_fault) {
    struct stored_fault stored;
    if (*at == (faults->id != 0 ? faults->id : faults->bytes.length))
        return false;
    ASSERT(fault_list_is_whole(faults) && faults->bytes.length - *at > sizeof stored);
    memcpy(&stored, faults->bytes.data + *at, sizeof stored);
    *at += sizeof stored;
    *ret_fault = stored.fault;
    const char *own_id = faults->id != 0 ? faults->bytes.data + faults->id : NULL;
    ret_fault->line = stored.fault.line != 0 ? stored.fault.line : faults->line;
    ret_fault->id = stored.fault.id != NULL ? next_string(faults, at) : own_id;
    ret_fault->parameter = stored.fault.parameter != NULL ? next_string(faults, at) : faults->parameter;
    ret_fault->pointer = stored.fault.pointer != NULL ? next_string(faults, at) : NULL;
    ret_fault->detail = next_string(faults, at);
    return true;
}

/* Could a reader overlook this character, or mistake it for another? True for control characters, invisible characters,
 * and letters of other alphabets that look like Latin ones. */
static bool misleads(uint32_t code) {
    static const struct {
        uint32_t first, last;
    } ranges[] = {
        {0x00, 0x1f},     {0x7f, 0xa0},     {0xad, 0xad},     {0x300, 0x36f},   {0x370, 0x52f},   {0x2000, 0x200f},
        {0x2028, 0x202f}, {0x205f, 0x206f}, {0x3000, 0x3000}, {0xfe00, 0xfe0f}, {0xfeff, 0xfeff}, {0xff01, 0xff5e},
    };
    for (size_t r = 0; r < sizeof ranges / sizeof *ranges; r++)
        if (code >= ranges[r].first && code <= ranges[r].last)
            return true;
    return false;
}

/* Write a character of `step` bytes in its quoted form. Returns its length, at most 10. */
static size_t quote_one(const char *character, size_t step, char *ret_text) {
    char text[16];
    uint32_t code = step != 0 ? utf8_decode(character, step) : (unsigned char)*character;
    if (step != 0 && !misleads(code)) {
        memcpy(ret_text, character, step);
        return step;
    }
    const char *format = step != 0 ? "<U+%04X>" : "<byte %02X>";
    size_t length = (size_t)snprintf(text, sizeof text, format, (unsigned)code);
    memcpy(ret_text, text, length);
    return length;
}

struct fault_quote fault_quote(const char *input, size_t length) {
    struct fault_quote quote;
    size_t at = 0, characters = 0, used = 0;
    while (at < length && characters < FAULT_QUOTED) {
        size_t step = utf8_length(input + at, length - at);
        used += quote_one(input + at, step, quote.text + used);
        at += step != 0 ? step : 1;
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

struct fault_question fault_ask(const struct fault_list *faults, const char *const *words, const char *text,
                                size_t length) {
    struct fault_question question = {""};
    const char *meant = faults->count < FAULTS_LISTED ? words_nearest(words, text, length) : NULL;
    if (meant != NULL)
        snprintf(question.text, sizeof question.text, "; did you mean \"%s\"?", meant);
    return question;
}

/* Write the JSON Pointer of a place, the outermost part first. The JSON check limits the depth of the recursion. */
static void put_pointer(struct buffer *out, const struct place *place) {
    if (place->parent == NULL)
        return;
    put_pointer(out, place->parent);
    if (place->is_parent)
        return;
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

/* Get the offset just after the last occurrence of `byte`, or 0 if there is none. */
static size_t after_last(const char *text, size_t length, char byte) {
    const char *last = length != 0 ? memrchr(text, byte, length) : NULL;
    return last != NULL ? (size_t)(last + 1 - text) : 0;
}

struct fault_line fault_find_line(const char *text, size_t offset, struct fault_line from) {
    size_t line = from.line, feed = after_last(text, offset, '\n'), carriage = after_last(text, offset, '\r');
    size_t start = feed > carriage ? feed : carriage; /* the start of the last line */
    for (size_t i = 0; i + 1 < start; i++)            /* "\r\n" is one line end, counted at its second byte */
        line += (size_t)((text[i] == '\n') | ((text[i] == '\r') & (text[i + 1] != '\n')));
    line += start != 0;
    /* Column 1 is the first byte of a line. The first line may have begun before the text. */
    return (struct fault_line){line, offset - start + (start == 0 ? from.column : 1)};
}

/* Store a fault, unless FAULTS_LISTED are already stored. `parameter` and `place` may be NULL. */
__attribute__((format(printf, 6, 0))) static void store(struct fault_list *faults, enum fault_code code,
                                                        struct fault_line line, const char *parameter,
                                                        const struct place *place, const char *format,
                                                        va_list arguments) {
    struct buffer *out = &faults->bytes;
    bool is_in_drawing = place != NULL && place->line != 0;
    if (faults->count++ >= FAULTS_LISTED)
        return;
    if (is_in_drawing)
        line = (struct fault_line){place->line, 1};
    struct stored_fault stored = {{.code = code, .line = line.line, .column = line.column, .parameter = parameter},
                                  is_in_drawing};
    stored.fault.pointer = place != NULL && !is_in_drawing ? "" : NULL;
    buffer_put(out, &stored, sizeof stored);
    if (parameter != NULL)
        buffer_put(out, parameter, strlen(parameter) + 1);
    if (stored.fault.pointer != NULL) {
        put_pointer(out, place);
        buffer_put_char(out, 0);
    }
    buffer_vprintf(out, format, arguments);
    buffer_put_char(out, 0);
}

static const struct fault_line no_line = {0, 0};

void fault_at(struct fault_list *faults, const struct place *place, enum fault_code code, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    store(faults, code, no_line, NULL, place, format, arguments);
    va_end(arguments);
}

void fault_in_line(struct fault_list *faults, const struct place *place, struct fault_line line, enum fault_code code,
                   const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    store(faults, code, line, NULL, place, format, arguments);
    va_end(arguments);
}

void fault_in_query(struct fault_list *faults, const char *parameter, size_t length, enum fault_code code,
                    const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    store(faults, code, no_line, fault_quote(parameter, length).text, NULL, format, arguments);
    va_end(arguments);
}

void fault_unknown(struct fault_list *faults, const struct place *place, enum fault_code code, const char *kind,
                   const char *text, const char *const *words, const char *has) {
    /* Without a limit on the names that an answer repeats, a small request could cause a large answer. */
    if (place->member != NULL && strlen(place->member) > MAX_NAME_BYTES)
        place = place->parent;
    const struct fault_question question = fault_ask(faults, words, text, strlen(text));
    const struct fault_quote quoted = fault_quote_string(text);
    if (question.text[0] != 0)
        fault_at(faults, place, code, "unknown %s \"%s\"%s", kind, quoted.text, question.text);
    else
        fault_at(faults, place, code, "unknown %s \"%s\"; %s %s", kind, quoted.text, has,
                 words_list(words, "\"", " and ").text);
}
