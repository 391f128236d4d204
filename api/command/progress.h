/* How far the command solve is, shown in one line of standard error while that is a terminal.
 *
 * The caller holds the struct. One thread. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct progress {
    bool on;            /* standard error is a terminal */
    bool shown;         /* the line stands there */
    uint64_t begun;     /* milliseconds of the monotonic clock */
    uint64_t next_show; /* likewise */
};

/* What there is to show. */
struct progress_state {
    size_t cases;        /* done */
    uint64_t bytes, all; /* of what is read: done, and in all; 0: nobody knows how many there will be */
};

/* Begin. On a terminal SIGINT and SIGTERM wipe the line from here on, before they end the program. */
void progress_begin(struct progress *progress);

/* In how many milliseconds it is time to show it again; 0: now; -1: never. */
int progress_pause(const struct progress *progress);

/* Show the line. It is time to. */
void progress_show(struct progress *progress, const struct progress_state *state);

/* Take the line away, so that something else can be written; it comes back when it is shown next. */
void progress_wipe(struct progress *progress);
