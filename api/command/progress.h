/* The progress of the command solve, in one line of standard error.
 *
 * The caller holds the struct. One thread. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* When it is shown. */
enum progress_when {
    PROGRESS_AUTO, /* where standard error is a terminal, and standard output a file or /dev/null: the next program in a
                      pipe may write to the same terminal */
    PROGRESS_ALWAYS,
    PROGRESS_NEVER,
};

/* Their names, in order; a NULL ends them. */
extern const char *const progress_words[];

struct progress {
    bool on;            /* it is shown */
    bool shown;         /* the line stands there */
    uint64_t begun;     /* milliseconds of the monotonic clock */
    uint64_t next_show; /* likewise */
};

/* What there is to show. */
struct progress_state {
    size_t cases;        /* done */
    uint64_t bytes, all; /* of what is read: done, and in all; 0: nobody knows how many there will be */
};

/* Begin. If the line is shown, SIGINT and SIGTERM wipe it from here on, before they end the program. */
void progress_begin(struct progress *progress, enum progress_when when);

/* In how many milliseconds it is time to show it again; 0: now; -1: never. */
int progress_pause(const struct progress *progress);

/* Show the line. It is time to. */
void progress_show(struct progress *progress, const struct progress_state *state);

/* Take the line away, so that something else can be written; it comes back when it is shown next. */
void progress_wipe(struct progress *progress);
