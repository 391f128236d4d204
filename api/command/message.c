#include "api/command/message.h"

#include "base/buffer.h"
#include "base/utf8.h"

#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { MAX_ESCAPED = 24 /* maximum bytes needed to write one byte of a piece together with the held bytes */ };

static bool is_control(uint32_t c) {
    return c < 0x20 || (c >= 0x7f && c <= 0x9f) || c == 0x061c || c == 0x200e || c == 0x200f ||
           (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
}

/* Write the held bytes, which are either a whole character or not UTF-8. Returns how many bytes were written. */
static size_t put_held(struct escape *escape, char *text) {
    const char *held = escape->held;
    size_t length = escape->held_length, used = 0;
    escape->held_length = 0;
    if (length == 0)
        return 0;
    if (utf8_length(held, length) != length) {
        for (size_t i = 0; i < length; i++)
            used += (size_t)snprintf(text + used, 5, "\\x%02x", (unsigned char)held[i]);
        return used;
    }
    uint32_t c = utf8_decode(held, length);
    if (is_control(c) && !(c == '\n' && escape->keeps_line_ends))
        return (size_t)snprintf(text, 7, "\\u%04x", (unsigned)c);
    memcpy(text, held, length);
    return length;
}

size_t message_escape(struct escape *escape, const char **piece, size_t *length, char ret_text[ESCAPE_BYTES]) {
    size_t used = 0;
    for (; *length != 0 && used + MAX_ESCAPED < ESCAPE_BYTES; (*piece)++, (*length)--) {
        char c = **piece;
        bool goes_on = ((unsigned char)c & 0xc0) == 0x80;
        if (!goes_on)
            used += put_held(escape, ret_text + used);
        escape->held[escape->held_length++] = c;
        if (escape->held_length == sizeof escape->held || utf8_length(escape->held, escape->held_length) != 0)
            used += put_held(escape, ret_text + used);
    }
    return used;
}

void message_put_line(FILE *file, const char *text, size_t length) {
    struct escape escape = {.keeps_line_ends = false};
    char escaped[ESCAPE_BYTES + 1];
    while (length != 0) {
        size_t used = message_escape(&escape, &text, &length, escaped);
        if (length == 0)
            escaped[used++] = '\n';
        fwrite(escaped, 1, used, file);
    }
}

void message_print(const char *format, ...) {
    struct buffer text;
    va_list arguments;
    buffer_init(&text, SIZE_MAX, NULL);
    buffer_put_literal(&text, "arbiter: ");
    va_start(arguments, format);
    buffer_vprintf(&text, format, arguments);
    va_end(arguments);
    if (text.outcome == OUTCOME_DONE)
        message_put_line(stderr, text.data, text.length);
    else
        fputs("arbiter: out of memory\n", stderr);
    buffer_clear(&text);
}

void message_print_error(const char *name) {
    /* NOLINTNEXTLINE(concurrency-mt-unsafe): no other thread calls strerror, and glibc's is safe since 2.32 */
    message_print("%s: %s", name, strerror(errno));
}

bool message_flush_output(void) {
    bool good = ferror(stdout) == 0;
    good &= fflush(stdout) == 0;
    if (!good)
        message_print_error("standard output");
    return good;
}
