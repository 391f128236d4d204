/* Bytes that tell how many of them are looked at: their pages are taken away, and come back one by one when somebody
 * touches them. So a test can say how much of a body is read under a budget, or after a stop flag was set, whatever the
 * speed of the machine. */
#pragma once

#include <stdatomic.h>
#include <stddef.h>

/* `length` bytes, zeroed, that end with a page. Only one such block at a time. */
char *watched_new(size_t length);

/* Begin to count. Without a flag all that is touched counts. With one only what is touched after the flag is set, which
 * is when a byte at or behind `from` is touched, after all bytes were passed `passes` times up to the last. */
void watched_begin(size_t from, unsigned passes, atomic_bool *stop);

/* How many bytes of whole pages were touched. All of them can be touched again without being counted. */
size_t watched_end(void);

void watched_free(void);
