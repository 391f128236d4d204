/* Measures how busy a loop is, for the metrics. The loop's thread writes; any thread may read. */
#pragma once

#include <stdatomic.h>
#include <stdint.h>

/* Zeroed: nothing was measured. All times are in microseconds. */
struct meter {
    atomic_uint_fast64_t busy;       /* the sum of all rounds */
    atomic_uint_fast64_t longest[2]; /* the longest round of the current minute, and of the one before */
    atomic_uint_fast64_t minute;     /* the number of the minute of the last round; minutes are counted from any
                                      * beginning */
    atomic_uint_fast64_t began;      /* when the current round began; 0: the loop waits */
};

/* A round begins at `now`: the loop has stopped waiting. */
void meter_begin_round(struct meter *meter, uint64_t now);

/* A round ends at `now`: the loop is about to wait. */
void meter_end_round(struct meter *meter, uint64_t now);

/* Get the sum of the lengths of all rounds. */
uint64_t meter_busy(const struct meter *meter);

/* Get the length of the longest round in the one to two minutes before `now`. A source may have waited as long. The
 * current round counts with the time since it began, so that a loop that hangs is seen. */
uint64_t meter_longest(const struct meter *meter, uint64_t now);
