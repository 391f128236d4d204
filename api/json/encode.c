#include "api/json/encode.h"

#include <stdint.h>

/* Table 3-7 of the Unicode standard: the second byte's range depends on the first. */
size_t utf8_length(const char *bytes, size_t length) {
    const unsigned char *b = (const unsigned char *)bytes;
    size_t need = b[0] < 0x80 ? 1 : b[0] < 0xc2 ? 0 : b[0] < 0xe0 ? 2 : b[0] < 0xf0 ? 3 : b[0] < 0xf5 ? 4 : 0;
    if (need == 0 || need > length)
        return 0;
    if (need >= 2) {
        unsigned char low = b[0] == 0xe0 ? 0xa0 : b[0] == 0xf0 ? 0x90 : 0x80;
        unsigned char high = b[0] == 0xed ? 0x9f : b[0] == 0xf4 ? 0x8f : 0xbf;
        if (b[1] < low || b[1] > high)
            return 0;
    }
    for (size_t i = 2; i < need; i++)
        if (b[i] < 0x80 || b[i] > 0xbf)
            return 0;
    return need;
}

void put_json_escaped(struct buffer *buffer, const char *bytes, size_t length) {
    for (size_t i = 0; i < length;) {
        unsigned char c = (unsigned char)bytes[i];
        size_t plain = utf8_length(bytes + i, length - i);
        if (plain == 0) {
            put_literal(buffer, "\xef\xbf\xbd");
            i++;
        } else if (c == '"' || c == '\\') {
            char escape[2] = {'\\', (char)c};
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

void put_json_string(struct buffer *buffer, const char *bytes, size_t length) {
    buffer_put_char(buffer, '"');
    put_json_escaped(buffer, bytes, length);
    buffer_put_char(buffer, '"');
}
