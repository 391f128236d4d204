/* The log: JSON lines on standard error, a write each. Any thread. */
#pragma once

#include <stdarg.h>

enum log_level { LOG_LEVEL_ERROR, LOG_LEVEL_WARN, LOG_LEVEL_INFO, LOG_LEVEL_DEBUG };

/* The names of the levels, in order; a NULL ends them. */
extern const char *const log_level_names[];

struct log {
    enum log_level level; /* what is less urgent is not written */
};

/* Write {"time":…,"level":…,"event":`event`, MORE}, where MORE is the format's text: JSON members, or nothing. Strings
 * from outside do not belong into it: use log_text. */
void log_event(const struct log *log, enum log_level level, const char *event, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* The same with one member, whose value is any text, escaped. */
void log_text(const struct log *log, enum log_level level, const char *event, const char *member, const char *text);
