#include "api/json/encode.h"

#include "base/utf8.h"

void json_put_escaped(struct buffer *buffer, const char *bytes, size_t length) {
    for (size_t i = 0; i < length;) {
        unsigned char c = (unsigned char)bytes[i];
        size_t plain = utf8_length(bytes + i, length - i);
        if (plain == 0) {
            buffer_put_literal(buffer, "\xef\xbf\xbd");
            i++;
        } else if (c == '"' || c == '\\') {
            const char escape[2] = {'\\', (char)c};
            buffer_put(buffer, escape, 2);
            i++;
        } else if (c < 0x20 || c == 0x7f) {
            buffer_printf(buffer, "\\u%04x", c);
            i++;
        } else {
            buffer_put(buffer, bytes + i, plain);
            i += plain;
        }
    }
}

void json_put_string(struct buffer *buffer, const char *bytes, size_t length) {
    buffer_put_char(buffer, '"');
    json_put_escaped(buffer, bytes, length);
    buffer_put_char(buffer, '"');
}

void json_put_rows(struct buffer *buffer, const char *cells, unsigned rows, unsigned cols) {
    for (unsigned row = 0; row < rows; row++) {
        buffer_put_string(buffer, row == 0 ? "[\"" : ",\"");
        buffer_put(buffer, cells + (size_t)row * cols, cols);
        buffer_put_char(buffer, '"');
    }
    buffer_put_char(buffer, ']');
}

/* Find the next span without blanks between tokens. The text is valid JSON. The search begins at *at, which is moved to
 * the end of the span. Returns its length; 0: there is none. */
static size_t next_span(const char **at, const char *end, const char **ret_span) {
    const char *c = *at;
    bool in_string = false;
    while (c < end && (*c == ' ' || *c == '\t' || *c == '\n' || *c == '\r'))
        c++;
    *ret_span = c;
    for (; c < end && (in_string || (*c != ' ' && *c != '\t' && *c != '\n' && *c != '\r')); c++)
        if (*c == '"')
            in_string = !in_string;
        else if (*c == '\\')
            c++; /* an escaped byte in a string, never the last byte */
    *at = c;
    return (size_t)(c - *ret_span);
}

void json_put_compact(struct buffer *buffer, const char *json, size_t length) {
    const char *end = json + length, *span;
    for (size_t bytes; (bytes = next_span(&json, end, &span)) != 0;)
        buffer_put(buffer, span, bytes);
}

size_t json_compact_length(const char *json, size_t length) {
    const char *end = json + length, *span;
    size_t sum = 0;
    for (size_t bytes; (bytes = next_span(&json, end, &span)) != 0;)
        sum += bytes;
    return sum;
}
