/* Memory that counts how many of its bytes are accessed: its pages are protected, and become accessible one by one on
 * first access. A test can then tell how much of a body is read under a budget or after the stop flag is set, however
 * fast the machine is. */
#pragma once

#include <stdatomic.h>
#include <stddef.h>

/* Allocate `length` zeroed bytes that end at a page boundary. Only one such block can exist at a time. */
char *watched_new(size_t length);

/* Start counting. Without a flag, all accesses count. With a flag, only accesses after it is set count. It is set by
 * the first access at or after `from` once all bytes have been read `passes` times. */
void watched_begin(size_t from, unsigned passes, atomic_bool *stop);

/* Stop counting, and make all pages accessible. Returns the total size of the pages that were accessed. */
size_t watched_end(void);

void watched_free(void);
