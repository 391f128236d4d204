/* The monotonic clock. Any thread.
 *
 * Deadlines are in milliseconds, and the durations of work in microseconds. In builds with tests (ARBITER_TEST_CLOCK) a
 * test can stop the clock of the deadlines and move it, so that a deadline passes when the test says so, and not when
 * the machine is slow. The protocol is in clock.c; the other side is tests/server/clock.mjs. */
#pragma once

#include <stdint.h>

/* Get microseconds, for durations of work. No test moves this clock. */
uint64_t clock_now_us(void);

/* Get milliseconds, for deadlines. They may lag by a few milliseconds, because the coarse clock is cheaper and is read
 * several times a request. */
uint64_t clock_now_ms(void);

/* Get the timeout for poll() of a loop that has done what was due at `now`, and whose next deadline is in `pause`
 * milliseconds (UINT64_MAX: it has none). The timeout is a millisecond longer, so that the deadline has passed when
 * poll returns. */
int clock_poll_timeout(uint64_t now, uint64_t pause);

/* The calling thread is a loop that uses clock_poll_timeout until clock_leave. A test that moves the clock waits until
 * each such loop has done what is due. At most CLOCK_LOOPS at once. */
enum { CLOCK_LOOPS = 128 };
void clock_enter(void);
void clock_leave(void);
