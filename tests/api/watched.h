/* Memory that counts how many of its bytes are accessed: its pages are protected, and become accessible one by one on
 * first access. So a test can tell how much of a body is read under a budget, or after the stop flag was set, on a
 * machine of any speed. */
#pragma once

#include <stdatomic.h>
#include <stddef.h>

/* Allocate `length` zeroed bytes that end with a page. Only one such block at a time. */
char *watched_new(size_t length);

/* Start counting. Without a flag, all accesses count. With a flag, only accesses after it is set count; it is set by an
 * access at or after `from`, once all bytes have been read `passes` times. */
void watched_begin(size_t from, unsigned passes, atomic_bool *stop);

/* Get how many bytes of whole pages were accessed. Afterwards all of them are accessible, and no longer counted. */
size_t watched_end(void);

void watched_free(void);
