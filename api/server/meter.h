/* How busy a loop is: for the metrics. The thread of the loop writes; any thread may read. */
#pragma once

#include <stdatomic.h>
#include <stdint.h>

/* Zeroed: nothing was measured. Times in microseconds. */
struct meter {
    atomic_uint_fast64_t busy;       /* since the start */
    atomic_uint_fast64_t longest[2]; /* round of the current minute, and of the one before */
    atomic_uint_fast64_t minute;     /* of the last round, from any beginning */
    uint64_t began;                  /* when the current round began; 0: none has */
};

/* A round begins at `now`: the loop has stopped waiting. */
void meter_begin_round(struct meter *meter, uint64_t now);

/* A round ends at `now`: the loop is about to wait. */
void meter_end_round(struct meter *meter, uint64_t now);

/* Get how long all rounds together have taken. */
uint64_t meter_busy(const struct meter *meter);

/* Get how long the longest round of the one to two minutes before `now` has taken: so long nobody looked at the
 * sources.
 */
uint64_t meter_longest(const struct meter *meter, uint64_t now);
