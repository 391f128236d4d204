/* The log: JSON lines on standard error, or another descriptor. Logging never blocks.
 *
 * Lines go into a ring of bounded size. A thread of the log writes them, and may wait for its reader. A line that does
 * not fit into the ring is dropped. Once half of the ring is free again, one line says how many were dropped
 * ("event":"log-lines-dropped", "count"), at the place where they are missing. The output consists of whole lines, in
 * the order of their times. While the output fails (a full disk, a closed descriptor), lines wait in the ring in the
 * same way; those that still wait when the log ends are lost.
 *
 * Any thread may log. log_free is the last call. */
#pragma once

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum log_level { LOG_LEVEL_ERROR, LOG_LEVEL_WARN, LOG_LEVEL_INFO, LOG_LEVEL_DEBUG };

/* The names of the levels, in order; NULL after the last. */
extern const char *const log_level_names[];

enum {
    LOG_RING_BYTES = 256 << 10,
    LOG_KINDS = 8,      /* kinds of events that log_limited can suppress */
    LOG_STALL_MS = 200, /* how long the end waits for a reader that reads nothing, ... */
    LOG_FLUSH_MS = 2000 /* ... and at most, for a reader that reads */
};

struct log;

/* Log the lines that are at least as urgent as `level` to a descriptor, which belongs to the caller. It must stay open
 * while the log's thread lives, which may be longer than the log: see log_free. The thread takes no signals. NULL when
 * memory or threads are exhausted. */
struct log *log_new(enum log_level level, int descriptor);

/* Write the lines in the ring, as far as the reader takes them: at most LOG_STALL_MS while it takes nothing, and at
 * most LOG_FLUSH_MS in all, or one attempt if the output fails. False when lines are left. */
bool log_flush(struct log *log);

/* Call log_flush, end the thread and free everything. If the thread is blocked by its reader, it is left with its ring
 * until the program ends. No thread may log during the call or after it. Accepts NULL. */
void log_free(struct log *log);

/* Are lines of this level written? Asked before lines that are expensive to compose, and by log_event, log_limited and
 * log_text. Without a log (NULL) none is. */
bool log_wants(const struct log *log, enum log_level level);

/* Get how many lines were dropped since the start. */
uint64_t log_dropped(struct log *log);

/* Write {"time":…,"level":…,"event":`event`, MORE}, where MORE is the format's text: JSON members, or nothing. It must
 * not have strings from outside: use log_text for these. If MORE is longer than some 2,000 bytes, "cut":true replaces
 * it. */
void log_event(struct log *log, enum log_level level, const char *event, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* The same, as information, at any level of the log. */
void log_announce(struct log *log, const char *event, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* The same, at most once a second for each `kind`, 0 to LOG_KINDS - 1. The lines of the kind that were suppressed since
 * the last one are counted in the next one: "suppressed". */
void log_limited(struct log *log, enum log_level level, unsigned kind, const char *event, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* The same with one member, whose value is any text, escaped, and cut so that the line has at most 4 KiB. */
void log_text(struct log *log, enum log_level level, const char *event, const char *member, const char *text);

/* ---- lines of many members ---- */

/* A line that is being composed: log_begin, log_put_..., log_send, if log_wants its level. The names of its members
 * have their comma and colon: ",\"status\":". There is space for PIPE_BUF bytes; the caller sees to it that they
 * suffice. */
struct log_line {
    size_t length;       /* always at most PIPE_BUF */
    char text[PIPE_BUF]; /* begins with space for the time, which is written when the line is sent */
};

void log_begin(struct log_line *line, enum log_level level, const char *event);

/* Write a text, escaped: bytes that are not ASCII become the characters of these numbers. An empty one is left out; of
 * a longer one there are `max` bytes, of which each may become six, and what the line has space for. */
void log_put_text(struct log_line *line, const char *name, const char *text, size_t max);
void log_put_number(struct log_line *line, const char *name, uint64_t value);

/* Write microseconds as milliseconds with three decimals. */
void log_put_milliseconds(struct log_line *line, const char *name, uint64_t microseconds);

/* Hand a line to the writer, or drop it. */
void log_send(struct log *log, struct log_line *line);
