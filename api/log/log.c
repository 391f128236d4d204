/* A thread that logs composes the line on its stack, except for the time, and then takes the mutex to copy the line
 * into the ring.
 *
 * The writer writes whole lines, at most PIPE_BUF bytes at a time. A write of that size to a pipe is atomic (POSIX,
 * write), so no line is torn, even if the program ends while the writer is blocked, or if two programs share a pipe.
 * Bytes leave the ring once they are written. So an output that fails, such as a file on a full disk, is treated like a
 * slow reader: the lines wait, and the writer tries again every second, continuing with the rest of any line that was
 * partly written. Only lines that do not fit into the ring are dropped, and they are counted. After a write, the writer
 * pauses for a few milliseconds. Lines that arrive in that time do not have to wake it, and are written together.
 * Waking a thread takes longer than everything else that is done for a line: 4 us, compared with 250 ns. With a pause
 * of 5 ms, that happens at most 200 times a second. */
#include "api/log/log.h"

#include "api/work/clock.h"
#include "base/assert.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

const char *const log_level_names[] = {[LOG_LEVEL_ERROR] = "error",
                                       [LOG_LEVEL_WARN] = "warn",
                                       [LOG_LEVEL_INFO] = "info",
                                       [LOG_LEVEL_DEBUG] = "debug",
                                       NULL};

enum {
    SECOND_BYTES = 28,              /* {"time":"2000-01-01T00:00:00 */
    STAMP_BYTES = SECOND_BYTES + 7, /* .000Z", */
    MORE_BYTES = 2048,
    HALF = LOG_RING_BYTES / 2,
    BATCH_MS = 5,
    RETRY_MS = 1000, /* between two attempts to write to an output that fails */
    HOLD_DOWN_MS = 1000,
};

/* An event that was logged recently and is now suppressed for a while. */
struct held {
    uint64_t until, suppressed; /* milliseconds; lines */
};

/* Invariants: used <= LOG_RING_BYTES, and the ring ends between two lines. It begins between two lines, or within one
 * that was partly written. */
struct log {
    enum log_level level;
    int descriptor;
    pthread_t writer;
    pthread_mutex_t mutex;   /* for everything below */
    pthread_cond_t more;     /* signalled when there are lines to write */
    pthread_cond_t progress; /* signalled when the writer has made progress */
    bool idle;               /* the writer is waiting for a line, with no timeout */
    bool failing;            /* the latest write has failed, and the writer has not started another one */
    bool flush, ending,
        ended;             /* write without waiting for more lines; end when the ring is empty; the writer has ended */
    bool abandoned;        /* log_free has given up waiting: the writer frees everything */
    uint64_t put, written; /* bytes, since the start */
    uint64_t dropped;      /* lines dropped since the last one that fitted; until their number is logged, no line
                            * fits */
    uint64_t dropped_ever; /* lines dropped since the start */
    time_t second;         /* the second that `stamp` shows */
    char stamp[SECOND_BYTES + 1];
    struct held held[LOG_KINDS];
    size_t start, used;
    char ring[LOG_RING_BYTES];
};

/* The real clock, which tests cannot move, because threads actually wait for these times. */
static uint64_t milliseconds(void) { return clock_now_us() / 1000; }

/* ---- a line that is being composed ---- */

static void put(struct log_line *line, const char *bytes, size_t length) {
    ASSERT(length <= PIPE_BUF - line->length);
    memcpy(line->text + line->length, bytes, length);
    line->length += length;
}

#define PUT(line, literal) put((line), "" literal, sizeof(literal) - 1)

static void put_string(struct log_line *line, const char *string) { put(line, string, strlen(string)); }

/* Write at most `max` bytes of any text, in quotes. Each non-ASCII byte becomes the character with that code. */
static void put_text(struct log_line *line, const char *text, size_t max) {
    static const char digits[] = "0123456789abcdef";
    static const bool is_plain[256] = {
        [' ' ... '"' - 1] = true, ['"' + 1 ... '\\' - 1] = true, ['\\' + 1 ... '~'] = true};
    PUT(line, "\"");
    /* Leaves space for an escaped byte, the quote and the end of the line. */
    char *to = line->text + line->length, *last = line->text + PIPE_BUF - 9;
    for (; *text != 0 && max != 0 && to <= last; text++, max--) {
        unsigned char c = (unsigned char)*text;
        if (is_plain[c]) {
            *to++ = (char)c;
        } else if (c == '"' || c == '\\') {
            *to++ = '\\';
            *to++ = (char)c;
        } else {
            memcpy(to, "\\u00", 4);
            to[4] = digits[c >> 4];
            to[5] = digits[c & 15];
            to += 6;
        }
    }
    line->length = (size_t)(to - line->text);
    PUT(line, "\"");
}

/* Write a number with at least `min` digits. */
static void put_number(struct log_line *line, uint64_t value, int min) {
    char digits[20];
    size_t at = sizeof digits;
    for (; value != 0 || min > 0; value /= 10, min--)
        digits[--at] = (char)('0' + value % 10);
    put(line, digits + at, sizeof digits - at);
}

void log_put_text(struct log_line *line, const char *name, const char *text, size_t max) {
    if (*text == 0)
        return;
    put_string(line, name);
    put_text(line, text, max);
}

void log_put_number(struct log_line *line, const char *name, uint64_t value) {
    put_string(line, name);
    put_number(line, value, 1);
}

void log_put_milliseconds(struct log_line *line, const char *name, uint64_t microseconds) {
    log_put_number(line, name, microseconds / 1000);
    PUT(line, ".");
    put_number(line, microseconds % 1000, 3);
}

void log_begin(struct log_line *line, enum log_level level, const char *event) {
    line->length = STAMP_BYTES;
    PUT(line, "\"level\":\"");
    put_string(line, log_level_names[level]);
    PUT(line, "\",\"event\":\"");
    put_string(line, event);
    PUT(line, "\"");
}

/* ---- the ring; the mutex is held ---- */

/* Write the time into a line. */
static void stamp_line(struct log *log, struct log_line *line) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (now.tv_sec != log->second) {
        struct tm utc;
        gmtime_r(&now.tv_sec, &utc);
        log->second = now.tv_sec;
        strftime(log->stamp, sizeof log->stamp, "{\"time\":\"%Y-%m-%dT%H:%M:%S", &utc);
    }
    unsigned fraction = (unsigned)(now.tv_nsec / 1000000);
    const char rest[] = {
        '.', (char)('0' + fraction / 100), (char)('0' + fraction / 10 % 10), (char)('0' + fraction % 10), 'Z', '"',
        ','};
    memcpy(line->text, log->stamp, SECOND_BYTES);
    memcpy(line->text + SECOND_BYTES, rest, sizeof rest);
}

/* End a line and put it into the ring. Returns false if there is no space for it. */
static bool put_in_ring(struct log *log, struct log_line *line) {
    PUT(line, "}\n");
    if (line->length > LOG_RING_BYTES - log->used)
        return false;
    stamp_line(log, line);
    size_t end = (log->start + log->used) % LOG_RING_BYTES, first = LOG_RING_BYTES - end;
    if (first > line->length)
        first = line->length;
    memcpy(log->ring + end, line->text, first);
    memcpy(log->ring, line->text + first, line->length - first);
    log->used += line->length;
    log->put += line->length;
    return true;
}

/* Called once half of the ring is free: log how many lines were dropped. They all came after the lines in the ring. */
static void put_dropped(struct log *log) {
    struct log_line line;
    if (log->dropped == 0 || log->used > HALF)
        return;
    log_begin(&line, LOG_LEVEL_WARN, "log-lines-dropped");
    log_put_number(&line, ",\"count\":", log->dropped);
    log->dropped = 0;
    put_in_ring(log, &line);
}

/* Copy whole lines, or the rest of one and then whole lines: at least one, and at most PIPE_BUF bytes. Returns the
 * number of bytes. */
static size_t copy_lines(const struct log *log, char *ret_lines) {
    ASSERT(log->used != 0);
    size_t length = log->used < PIPE_BUF ? log->used : PIPE_BUF, first = LOG_RING_BYTES - log->start;
    if (first > length)
        first = length;
    memcpy(ret_lines, log->ring + log->start, first);
    memcpy(ret_lines + first, log->ring, length - first);
    while (ret_lines[length - 1] != '\n') {
        length--;
        ASSERT(length != 0);
    }
    return length;
}

/* ---- the writer ---- */

/* Write some of the lines, however long it takes. Returns the number of bytes written; 0 if the output fails. */
static size_t write_lines(int descriptor, const char *lines, size_t length) {
    struct pollfd ready = {.fd = descriptor, .events = POLLOUT};
    ssize_t written = write(descriptor, lines, length);
    while (written < 0 && (errno == EINTR || errno == EAGAIN)) {
        if (errno == EAGAIN)
            poll(&ready, 1, -1);
        written = write(descriptor, lines, length);
    }
    return written > 0 ? (size_t)written : 0;
}

/* Wait for a condition until a time as returned by `milliseconds`. Returns false once it has passed. */
static bool wait_until(pthread_cond_t *condition, pthread_mutex_t *mutex, uint64_t until) {
    struct timespec time = {.tv_sec = (time_t)(until / 1000), .tv_nsec = (long)(until % 1000) * 1000000};
    return pthread_cond_timedwait(condition, mutex, &time) != ETIMEDOUT;
}

/* Wait before the next write: briefly, because more lines may come, or, after a failure, until another attempt is
 * worthwhile. Then wait until there is a line or the log ends. */
static void wait_to_write(struct log *log) {
    bool failed = log->failing;
    uint64_t until = milliseconds() + (failed ? RETRY_MS : BATCH_MS);
    if (failed)
        log->flush = false; /* the flush was attempted */
    while (!log->flush && !log->ending && (failed || log->used <= HALF) && wait_until(&log->more, &log->mutex, until))
        ;
    log->failing = false;
    while (log->used == 0 && !log->ending) {
        log->flush = false;
        log->idle = true;
        pthread_cond_wait(&log->more, &log->mutex);
        log->idle = false;
    }
}

static void free_log(struct log *log) {
    pthread_cond_destroy(&log->more);
    pthread_cond_destroy(&log->progress);
    pthread_mutex_destroy(&log->mutex);
    free(log);
}

/* Write the contents of the ring until the output fails. Requires the mutex, which is released meanwhile. */
static void write_ring(struct log *log) {
    char lines[PIPE_BUF];
    while (log->used != 0 && !log->failing) {
        size_t length = copy_lines(log, lines);
        pthread_mutex_unlock(&log->mutex);
        size_t written = write_lines(log->descriptor, lines, length);
        pthread_mutex_lock(&log->mutex);
        log->start = (log->start + written) % LOG_RING_BYTES;
        log->used -= written;
        log->written += written;
        log->failing = written == 0;
        put_dropped(log);
        pthread_cond_broadcast(&log->progress);
    }
}

static void *write_log(void *cls) {
    struct log *log = cls;
    pthread_mutex_lock(&log->mutex);
    do {
        wait_to_write(log);
        write_ring(log);
    } while (!log->ending);
    log->ended = true;
    bool abandoned = log->abandoned;
    pthread_cond_broadcast(&log->progress);
    pthread_mutex_unlock(&log->mutex);
    if (abandoned)
        free_log(log);
    return NULL;
}

/* ---- life cycle ---- */

/* Start the writer with all signals blocked, because other threads wait for signals. */
static bool start_writer(struct log *log) {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    bool good = pthread_create(&log->writer, NULL, write_log, log) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return good;
}

struct log *log_new(enum log_level level, int descriptor) {
    struct log *log = malloc(sizeof *log);
    pthread_condattr_t monotonic;
    if (log == NULL)
        return NULL;
    memset(log, 0, offsetof(struct log, ring));
    log->level = level;
    log->descriptor = descriptor;
    log->second = -1;
    pthread_mutex_init(&log->mutex, NULL);
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&log->more, &monotonic);
    pthread_cond_init(&log->progress, &monotonic);
    pthread_condattr_destroy(&monotonic);
    if (start_writer(log))
        return log;
    free_log(log);
    return NULL;
}

/* Does the reader of the log accept more? */
static bool is_taken(const struct log *log) {
    struct pollfd ready = {.fd = log->descriptor, .events = POLLOUT};
    return poll(&ready, 1, 0) == 1 && (ready.revents & POLLOUT) != 0;
}

/* Wait until the writer has written `until` bytes or has ended. Requires the mutex. Returns false if the output fails
 * or it takes too long. */
static bool wait_for_writer(struct log *log, uint64_t until) {
    uint64_t now = milliseconds(), end = now + LOG_FLUSH_MS;
    log->flush = true;
    log->failing = false; /* try once more, immediately */
    pthread_cond_signal(&log->more);
    while (log->ending ? !log->ended : log->written < until && !log->failing) {
        uint64_t before = log->written, patience = now + LOG_STALL_MS;
        bool woken = wait_until(&log->progress, &log->mutex, patience < end ? patience : end);
        now = milliseconds();
        /* On a busy machine, the writer may not have run yet although its reader accepts more. */
        bool stalls = !woken && log->written == before && !is_taken(log);
        if (!log->ended && (stalls || now >= end))
            return false;
    }
    return log->ending || log->written >= until;
}

uint64_t log_dropped(struct log *log) {
    pthread_mutex_lock(&log->mutex);
    uint64_t dropped = log->dropped_ever;
    pthread_mutex_unlock(&log->mutex);
    return dropped;
}

bool log_flush(struct log *log) {
    pthread_mutex_lock(&log->mutex);
    bool done = wait_for_writer(log, log->put);
    pthread_mutex_unlock(&log->mutex);
    return done;
}

void log_free(struct log *log) {
    if (log == NULL)
        return;
    pthread_mutex_lock(&log->mutex);
    log->ending = true;
    pthread_t writer = log->writer;
    bool done = wait_for_writer(log, log->put);
    log->abandoned = !done;
    pthread_mutex_unlock(&log->mutex);
    if (!done) {
        pthread_detach(writer);
        return;
    }
    pthread_join(writer, NULL);
    free_log(log);
}

/* ---- logging ---- */

bool log_wants(const struct log *log, enum log_level level) { return log != NULL && level <= log->level; }

bool log_holds(struct log *log, int kind) {
    pthread_mutex_lock(&log->mutex);
    bool holds = milliseconds() < log->held[kind].until;
    pthread_mutex_unlock(&log->mutex);
    return holds;
}

/* Hand a line to the writer, or drop it. If `held` is given, that kind of event is then suppressed for a while,
 * measured by the times in the lines. */
static void send_line(struct log *log, struct log_line *line, struct held *held) {
    pthread_mutex_lock(&log->mutex);
    if (held != NULL && milliseconds() < held->until) {
        held->suppressed++;
    } else {
        if (held != NULL)
            log_put_number(line, ",\"suppressed\":", held->suppressed);
        bool fits = log->dropped == 0 && put_in_ring(log, line);
        log->dropped += !fits;
        log->dropped_ever += !fits;
        if (held != NULL)
            *held = (struct held){.until = milliseconds() + HOLD_DOWN_MS};
    }
    bool wake = log->idle || (log->used > HALF && !log->failing);
    log->idle = false;
    pthread_mutex_unlock(&log->mutex);
    if (wake)
        pthread_cond_signal(&log->more);
}

void log_write(struct log *log, enum log_level level, int kind, const char *event, const char *format, ...) {
    struct log_line line;
    char more[MORE_BYTES];
    va_list arguments;
    ASSERT(kind < LOG_KINDS);
    if (kind != LOG_ALWAYS && !log_wants(log, level))
        return;
    va_start(arguments, format);
    int length = vsnprintf(more, sizeof more, format, arguments);
    va_end(arguments);
    log_begin(&line, level, event);
    if (length != 0)
        PUT(&line, ",");
    if (length >= 0 && (size_t)length < sizeof more)
        put(&line, more, (size_t)length);
    else
        PUT(&line, "\"cut\":true");
    send_line(log, &line, kind >= 0 ? &log->held[kind] : NULL);
}

void log_send(struct log *log, struct log_line *line) { send_line(log, line, NULL); }

void log_text(struct log *log, enum log_level level, const char *event, const char *member, const char *text) {
    struct log_line line;
    if (!log_wants(log, level))
        return;
    log_begin(&line, level, event);
    PUT(&line, ",\"");
    put_string(&line, member);
    PUT(&line, "\":");
    put_text(&line, text, SIZE_MAX);
    log_send(log, &line);
}
