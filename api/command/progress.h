/* The progress of `arbiter solve`, shown in one line on standard error.
 *
 * Held by the caller. For one thread. */
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
    uint64_t bytes, all; /* bytes of the input, done and in total; total 0 if unknown */
};

/* Begin. */
void progress_begin(struct progress *progress, enum progress_when when);

/* Get the milliseconds until the line is to be shown again: 0 for now, -1 for never. */
int progress_pause(const struct progress *progress);

/* Show the line. To be called when it is time. */
void progress_show(struct progress *progress, const struct progress_state *state);

/* Remove the line so that other output can be written. progress_show brings it back. */
void progress_wipe(struct progress *progress);
