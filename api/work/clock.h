/* The monotonic clock. Can be used from any thread.
 *
 * Deadlines are in milliseconds, durations of work in microseconds. In builds with tests (ARBITER_TEST_CLOCK), a test
 * can stop and move the clock that deadlines use, so that a deadline passes when the test says so, however slow the
 * machine is. clock.c describes the protocol; tests/server/clock.mjs is the other side. */
#pragma once

#include <stdint.h>

/* Get the time in microseconds, for measuring work. Tests do not move this clock. */
uint64_t clock_now_us(void);

/* Get the time in milliseconds, for deadlines. It may lag by a few milliseconds: it is read several times per request,
 * and the coarse clock is cheaper. */
uint64_t clock_now_ms(void);

/* Returns the timeout that a loop passes to poll() when it has done everything that was due at `now` and its next
 * deadline is in `pause` milliseconds (UINT64_MAX: none). The timeout is one millisecond longer than the pause, so that
 * the deadline has passed when poll returns. */
int clock_poll_timeout(uint64_t now, uint64_t pause);

/* Declares that the calling thread is a loop that uses clock_poll_timeout until it calls clock_leave. A test that moves
 * the clock waits until each such loop has done everything that is due. At most CLOCK_LOOPS threads at a time. */
enum { CLOCK_LOOPS = 128 };
void clock_enter(void);
void clock_leave(void);
