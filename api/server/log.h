/* The log: JSON lines on standard error. Nobody who logs ever waits for who reads.
 *
 * Lines go into a ring of bounded size, and a thread of the log's own writes them, which may wait for its reader as
 * long as it likes. A line for which the ring has no room is dropped; once half of the ring is free again one line
 * tells how many were ("event":"log-lines-dropped", "count"), in the place where they are missing. What comes out are
 * whole lines, in the order of their times. When nobody is left to be told (a closed descriptor, a full disk) lines
 * vanish quietly.
 *
 * Any thread may log; only log_free needs to be the last. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum log_level { LOG_LEVEL_ERROR, LOG_LEVEL_WARN, LOG_LEVEL_INFO, LOG_LEVEL_DEBUG };

/* The names of the levels, in order; a NULL ends them. */
extern const char *const log_level_names[];

enum {
    LOG_RING_BYTES = 256 << 10,
    LOG_KINDS = 8,      /* of events that are held down */
    LOG_STALL_MS = 200, /* how long an end waits for a reader who does not read, ... */
    LOG_FLUSH_MS = 2000 /* ... and for one who does */
};

struct log;

/* Log to standard error what is at least as urgent as `level`. Its thread takes no signals. NULL when memory or threads
 * are exhausted. */
struct log *log_new(enum log_level level);

/* The same to another descriptor, which stays the caller's. It stays open as long as the log's thread lives, which may
 * be longer than the log: see log_free. */
struct log *log_open(enum log_level level, int descriptor);

/* Write what is in the ring, as far as the reader takes it: at most LOG_STALL_MS while it takes nothing, and at most
 * LOG_FLUSH_MS in all. False when something is left. */
bool log_flush(struct log *log);

/* log_flush, then end the thread and free everything. A thread that hangs on its reader is left behind with its ring
 * until the program ends. Nobody logs during or after it. Accepts NULL. */
void log_free(struct log *log);

/* Is a line of this level written? For what costs something to say. */
bool log_wants(const struct log *log, enum log_level level);

/* How many lines were dropped, ever. */
uint64_t log_dropped(struct log *log);

/* Write {"time":…,"level":…,"event":`event`, MORE}, where MORE is the format's text: JSON members, or nothing. Strings
 * from outside do not belong into it: use log_text. More than some 2,000 bytes are replaced by "cut":true. */
void log_event(struct log *log, enum log_level level, const char *event, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* The same, as information, whatever the level. */
void log_announce(struct log *log, const char *event, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* The same, at most once a second for each `kind` below LOG_KINDS. Those that were left out since the last line of the
 * kind are counted in the next one: "suppressed". */
void log_limited(struct log *log, enum log_level level, unsigned kind, const char *event, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* The same with one member, whose value is any text, escaped, and cut where the line would be longer than 4 KiB. */
void log_text(struct log *log, enum log_level level, const char *event, const char *member, const char *text);

/* A request that has ended. What is NULL is left out of its line. */
struct log_request {
    const char *id, *method;
    const char *route; /* the path of the table of routes, never the query; NULL: none */
    const char *peer;  /* NULL: not known */
    const char *trace; /* 32 hex digits, or NULL */
    unsigned status;   /* 0: there was no answer */
    uint64_t bytes_in, bytes_out;
    const char *lane; /* "io", "short", "long", or NULL */
    uint64_t waited_us, worked_us;
    const char *reason; /* NULL, or why it was refused or cut off */
};

/* One line for a request, as information; as a warning when there is a reason. Long texts are cut. Some 300 ns. */
void log_request(struct log *log, const struct log_request *request);
