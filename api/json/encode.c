#include "api/json/encode.h"

#include "base/ascii.h"
#include "base/utf8.h"

void json_put_escaped(struct buffer *buffer, const char *bytes, size_t length) {
    for (size_t i = 0, step; i < length; i += step != 0 ? step : 1) {
        unsigned char c = (unsigned char)bytes[i];
        step = utf8_length(bytes + i, length - i);
        if (step == 0)
            buffer_put_literal(buffer, "\xef\xbf\xbd");
        else if (c == '"' || c == '\\')
            buffer_put(buffer, (const char[]){'\\', (char)c}, 2);
        else if (c < 0x20 || c == 0x7f)
            buffer_printf(buffer, "\\u%04x", c);
        else
            buffer_put(buffer, bytes + i, step);
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

void json_put_compact(struct buffer *buffer, const char *json, size_t length) {
    const char *end = json + length, *span = json;
    bool in_string = false;
    for (const char *c = json; c < end; c++)
        if (*c == '"') {
            in_string = !in_string;
        } else if (*c == '\\') {
            c++; /* an escaped byte in a string is never the last byte */
        } else if (!in_string && ascii_is_space(*c)) {
            buffer_put(buffer, span, (size_t)(c - span));
            span = c + 1;
        }
    buffer_put(buffer, span, (size_t)(end - span));
}
