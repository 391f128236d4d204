#include "api/server/log.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

const char *const log_level_names[] = {[LOG_LEVEL_ERROR] = "error",
                                       [LOG_LEVEL_WARN] = "warn",
                                       [LOG_LEVEL_INFO] = "info",
                                       [LOG_LEVEL_DEBUG] = "debug",
                                       NULL};

/* Longer lines are cut in `more`. */
enum { LINE_BYTES = 2048 };

static void write_line(enum log_level level, const char *event, const char *more) {
    char line[LINE_BYTES], stamp[32];
    struct timespec now;
    struct tm utc;
    clock_gettime(CLOCK_REALTIME, &now);
    gmtime_r(&now.tv_sec, &utc);
    strftime(stamp, sizeof stamp, "%Y-%m-%dT%H:%M:%S", &utc);
    int length = snprintf(line, sizeof line, "{\"time\":\"%s.%03ldZ\",\"level\":\"%s\",\"event\":\"%s\"%s%s}\n", stamp,
                          now.tv_nsec / 1000000, log_level_names[level], event, *more != 0 ? "," : "", more);
    if (length > 0 && length < (int)sizeof line && write(STDERR_FILENO, line, (size_t)length) < 0)
        return; /* nobody is left to be told */
}

void log_event(const struct log *log, enum log_level level, const char *event, const char *format, ...) {
    char more[LINE_BYTES - 256];
    if (level > log->level)
        return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(more, sizeof more, format, arguments);
    va_end(arguments);
    write_line(level, event, more);
}

void log_text(const struct log *log, enum log_level level, const char *event, const char *member, const char *text) {
    char more[LINE_BYTES - 256];
    if (level > log->level)
        return;
    size_t used = (size_t)snprintf(more, sizeof more, "\"%s\":\"", member);
    for (; *text != 0 && used + 8 < sizeof more; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            used += (size_t)snprintf(more + used, sizeof more - used, "\\%c", c);
        else if (c >= 0x20 && c < 0x7f)
            more[used++] = (char)c;
        else
            used += (size_t)snprintf(more + used, sizeof more - used, "\\u%04x", c);
    }
    snprintf(more + used, sizeof more - used, "\"");
    write_line(level, event, more);
}
