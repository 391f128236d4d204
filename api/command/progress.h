/* The progress of the command solve, in one line of standard error.
 *
 * The caller holds the struct. One thread. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* When the line is shown. */
enum progress_when {
    PROGRESS_AUTO, /* if standard error is a terminal, and standard output a file or /dev/null; a further program in a
                    * pipe may write to the same terminal */
    PROGRESS_ALWAYS,
    PROGRESS_NEVER,
};

/* Their names, in order; NULL after the last. */
extern const char *const progress_words[];

struct progress {
    bool on;            /* the line is to be shown */
    bool shown;         /* the line is on the terminal now */
    uint64_t begun;     /* milliseconds of the monotonic clock */
    uint64_t next_show; /* the same: when to show the line next */
};

/* The numbers to show. */
struct progress_state {
    size_t cases;        /* done */
    uint64_t bytes, all; /* bytes of the input: done, and in all; 0: not known in all */
};

/* Begin. */
void progress_begin(struct progress *progress, enum progress_when when);

/* Get the milliseconds until the line is to be shown again; 0: now; -1: never. */
int progress_pause(const struct progress *progress);

/* Show the line. Called when it is time. */
void progress_show(struct progress *progress, const struct progress_state *state);

/* Remove the line, so that other output can be written. progress_show restores it. */
void progress_wipe(struct progress *progress);
