/* The progress of `arbiter solve`, shown on a single line on standard error.
 *
 * Owned by the caller. Used by one thread. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* When to show the line. */
enum progress_when {
    PROGRESS_AUTO, /* if standard error is a terminal and standard output is a file or /dev/null; otherwise the next
                    * program in a pipe might write to the same terminal */
    PROGRESS_ALWAYS,
    PROGRESS_NEVER,
};

/* Their names in order, with a NULL at the end. */
extern const char *const progress_words[];

struct progress {
    bool on;            /* the line is to be shown at all */
    bool shown;         /* the line is on the terminal now */
    uint64_t begun;     /* milliseconds of the monotonic clock */
    uint64_t next_show; /* the same: when to update the line next */
};

/* The numbers to show. */
struct progress_state {
    size_t cases;        /* done */
    uint64_t bytes, all; /* bytes of input, done and in total; the total is 0 if it is unknown */
};

/* Begin. */
void progress_begin(struct progress *progress, enum progress_when when);

/* Get the milliseconds until the line is to be shown again: 0 for now, -1 for never. */
int progress_pause(const struct progress *progress);

/* Show the line. Call it when progress_pause returns 0. */
void progress_show(struct progress *progress, const struct progress_state *state);

/* Remove the line so that other output can be written. progress_show brings it back. */
void progress_wipe(struct progress *progress);
