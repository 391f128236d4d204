#include "base/utf8.h"

#include "base/assert.h"

#include <stdbool.h>
#include <string.h>

size_t utf8_length(const char *bytes, size_t length) {
    const unsigned char *b = (const unsigned char *)bytes;
    ASSERT(length > 0);
    size_t need = b[0] < 0x80 ? 1 : b[0] < 0xc2 ? 0 : b[0] < 0xe0 ? 2 : b[0] < 0xf0 ? 3 : b[0] < 0xf5 ? 4 : 0;
    if (need == 0 || need > length)
        return 0;
    if (need >= 2) {
        /* The first byte determines the range of the second. */
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

uint32_t utf8_decode(const char *bytes, size_t length) {
    const unsigned char *b = (const unsigned char *)bytes;
    uint32_t character = b[0] & (length == 1 ? 0x7fu : 0x7fu >> length);
    for (size_t i = 1; i < length; i++)
        character = character << 6 | (b[i] & 0x3fu);
    return character;
}

size_t utf8_mark_length(const char *bytes, size_t length) {
    return length >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
}

enum utf16_look utf16_look(const char *bytes, size_t length) {
    if (length >= 2 && (memcmp(bytes, "\xff\xfe", 2) == 0 || memcmp(bytes, "\xfe\xff", 2) == 0))
        return UTF16_MARKED;
    bool units = length >= 4 && (bytes[0] == 0) != (bytes[1] == 0) && (bytes[0] == 0) == (bytes[2] == 0) &&
                 (bytes[1] == 0) == (bytes[3] == 0);
    return units ? UTF16_UNMARKED : UTF16_NONE;
}
