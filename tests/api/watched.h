/* Bytes that count how many of them are accessed: their pages are protected, and become accessible one by one at the
 * first access. So a test can say how much of a body is read under a budget, or after the stop flag was set, on a
 * machine of any speed. */
#pragma once

#include <stdatomic.h>
#include <stddef.h>

/* Allocate `length` zeroed bytes that end with a page. Only one such block at a time. */
char *watched_new(size_t length);

/* Begin to count. Without a flag all accesses count. With a flag only accesses after it is set count; it is set by an
 * access at or after `from`, once all bytes were read `passes` times. */
void watched_begin(size_t from, unsigned passes, atomic_bool *stop);

/* Get how many bytes of whole pages were accessed. Afterwards all are accessible, and not counted. */
size_t watched_end(void);

void watched_free(void);
