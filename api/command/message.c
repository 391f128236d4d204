#include "api/command/message.h"

#include "api/command/escape.h"
#include "base/buffer.h"

#include <stdarg.h>
#include <stdio.h>

void message_print(const char *format, ...) {
    struct buffer text;
    va_list arguments;
    buffer_init(&text, SIZE_MAX, NULL);
    buffer_put_literal(&text, "arbiter: ");
    va_start(arguments, format);
    buffer_vprintf(&text, format, arguments);
    va_end(arguments);
    if (text.outcome == OUTCOME_DONE) {
        struct escape escape = {.keeps_line_ends = false};
        char escaped[ESCAPE_BYTES + 1];
        for (const char *rest = text.data; text.length != 0;) {
            size_t length = escape_next(&escape, &rest, &text.length, escaped);
            if (text.length == 0)
                escaped[length++] = '\n';
            fwrite(escaped, 1, length, stderr);
        }
    } else {
        fputs("arbiter: out of memory\n", stderr);
    }
    buffer_clear(&text);
}
