/* Timers: functions that are called at a given time.
 *
 * All timers of a thread are in one structure, struct timers. Times are milliseconds of the monotonic clock (clock.h).
 * The caller passes the time, so a test may use a clock of its own. Nothing here allocates or fails. */
#pragma once

#include "api/work/heap.h"

#include <stdbool.h>
#include <stdint.h>

/* A timer. The caller owns its memory, and sets `fire` before it uses the timer; the rest is zeroed. */
struct timer {
    void (*fire)(struct timer *timer); /* called by timers_run; may set and stop any timer, and free this one */
    struct heap_node node;
    bool is_set;
};

/* Zeroed: no timer is set. */
struct timers {
    struct heap heap;
};

/* Let a timer fire at `due`. A time that was set before is replaced. */
void timer_set(struct timers *timers, struct timer *timer, uint64_t due);

/* Stop a timer. Nothing happens if it is not set. */
void timer_stop(struct timers *timers, struct timer *timer);

/* Fire the timers that are due at `now`, the earliest first. A timer is no longer set when it fires. */
void timers_run(struct timers *timers, uint64_t now);

/* Get the milliseconds from `now` until the next timer is due: 0 if one is due; UINT64_MAX if none is set. */
uint64_t timers_pause(const struct timers *timers, uint64_t now);
