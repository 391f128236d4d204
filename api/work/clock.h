/* The monotonic clock, for deadlines and for what work has taken. Any thread. */
#pragma once

#include <stdint.h>

/* Microseconds. */
uint64_t clock_now_us(void);

/* Milliseconds, some more or less: this clock is read several times a request. */
uint64_t clock_now_ms(void);
