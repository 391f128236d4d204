/* The monotonic clock. Any thread.
 *
 * Deadlines are in milliseconds, and the time that work takes is in microseconds. In builds with the tests
 * (ARBITER_TEST_CLOCK) a test can stop the clock of the deadlines and move it: then a deadline passes when the test
 * says so, and not when the machine is slow. How: clock.c; the other side is tests/server/clock.mjs. */
#pragma once

#include <stdint.h>

/* Microseconds, for the time that work takes. No test moves it. */
uint64_t clock_now_us(void);

/* Milliseconds, for deadlines. It may lag by a few milliseconds: it is read several times a request. */
uint64_t clock_now_ms(void);

/* The time-out to give to poll() by a loop that has done all that was due at `now`, when nothing else is due for
 * `pause` milliseconds (UINT64_MAX: nothing at all). It is a millisecond more than that, so that what is due is due
 * when poll returns. */
int clock_poll_timeout(uint64_t now, uint64_t pause);

/* The calling thread is a loop that asks clock_poll_timeout, from here until clock_leave: a test that moves the clock
 * waits until each of them has done what is due. At most CLOCK_LOOPS at once. */
enum { CLOCK_LOOPS = 128 };
void clock_enter(void);
void clock_leave(void);
