/* The log: JSON lines on standard error or another descriptor. Logging never blocks.
 *
 * Lines go into a ring of bounded size. The log's own thread writes them, and can wait for the reader. A line that does
 * not fit into the ring is dropped. Once half of the ring is free again, a line at the place where they are missing
 * says how many were dropped ("event":"log-lines-dropped", "count"). The output consists of whole lines, in the order
 * of their times. While the output fails (a full disk, a closed descriptor), lines wait in the ring in the same way;
 * those that are still waiting when the log ends are lost.
 *
 * Any thread can log, until log_free is called. */
#pragma once

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum log_level { LOG_LEVEL_ERROR, LOG_LEVEL_WARN, LOG_LEVEL_INFO, LOG_LEVEL_DEBUG };

/* The names of the levels in order, with a NULL at the end. */
extern const char *const log_level_names[];

enum {
    LOG_RING_BYTES = 256 << 10,
    LOG_KINDS = 8, /* kinds of events of which only one per second is written */
    LOG_EACH = -1,
    LOG_ALWAYS = -2,
    LOG_STALL_MS = 200, /* how long log_free waits for a reader that reads nothing ... */
    LOG_FLUSH_MS = 2000 /* ... and the longest it waits for one that reads */
};

struct log;

/* Create a log that writes lines at least as urgent as `level` to a descriptor, which belongs to the caller. It must
 * stay open as long as the log's thread lives, which can be longer than the log: see log_free. The thread receives no
 * signals. Returns NULL if memory or threads are exhausted. */
struct log *log_new(enum log_level level, int descriptor);

/* Write the lines in the ring, as far as the reader accepts them: for at most LOG_STALL_MS while it accepts nothing,
 * and at most LOG_FLUSH_MS in total, or a single attempt if the output fails. Returns false if lines are left. */
bool log_flush(struct log *log);

/* Call log_flush, end the thread and free everything. If the reader is blocking the thread, the thread is left behind
 * with its ring until the program ends. No thread may log during this call or afterwards. Accepts NULL. */
void log_free(struct log *log);

/* Are lines of this level written? Checked by log_event, log_limited and log_text; call it before composing a line that
 * is expensive. Always false without a log (NULL). */
bool log_wants(const struct log *log, enum log_level level);

/* Would a line of this kind (log_write) be suppressed now? */
bool log_holds(struct log *log, int kind);

/* Get the number of lines dropped since the start. */
uint64_t log_dropped(struct log *log);

/* Write {"time":…,"level":…,"event":`event`, MORE}, where MORE is the formatted text: JSON members, or nothing. It must
 * not contain strings from outside; use log_text for these. If MORE is longer than about 2,000 bytes, it is replaced by
 * "cut":true. `kind` is LOG_EACH; or LOG_ALWAYS, to ignore the log's level; or 0 to LOG_KINDS - 1: of each such kind,
 * at most one line is written per second, and the next one says how many were suppressed in between ("suppressed"). */
void log_write(struct log *log, enum log_level level, int kind, const char *event, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
#define log_event(log, level, ...) log_write((log), (level), LOG_EACH, __VA_ARGS__)
#define log_announce(log, ...) log_write((log), LOG_LEVEL_INFO, LOG_ALWAYS, __VA_ARGS__)
#define log_limited(log, level, kind, ...) log_write((log), (level), (kind), __VA_ARGS__)

/* The same with one member, whose value can be any text. It is escaped, and truncated so that the line is at most 4 KiB
 * long. */
void log_text(struct log *log, enum log_level level, const char *event, const char *member, const char *text);

/* ---- lines of many members ---- */

/* A line being composed: log_begin, log_put_..., log_send, if log_wants its level. The names of its members include
 * their comma and colon: ",\"status\":". There is space for PIPE_BUF bytes, and the caller must make sure that this
 * suffices. */
struct log_line {
    size_t length;       /* always at most PIPE_BUF */
    char text[PIPE_BUF]; /* begins with space for the time, which is filled in when the line is sent */
};

void log_begin(struct log_line *line, enum log_level level, const char *event);

/* Write a text, escaped: each non-ASCII byte becomes the character with that code. An empty text is left out. A longer
 * one is truncated to `max` bytes, each of which can become six, and to the space in the line. */
void log_put_text(struct log_line *line, const char *name, const char *text, size_t max);
void log_put_number(struct log_line *line, const char *name, uint64_t value);

/* Write microseconds as milliseconds with three decimals. */
void log_put_milliseconds(struct log_line *line, const char *name, uint64_t microseconds);

/* Hand a line to the writer, or drop it. */
void log_send(struct log *log, struct log_line *line);
