/* Makes memory allocations fail on demand, and counts allocated blocks. The linker redirects the program's calls to
 * malloc and related functions here (--wrap); shared libraries still call the originals. For a single thread. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* The allocations to fail: a single one, or that one and all after it. */
enum failing_span { FAILING_ONCE, FAILING_FROM_THEN_ON, FAILING_SPANS };

/* Make an allocation fail after `first` others have succeeded. */
void failing_begin(long first, enum failing_span span);

/* Stop failing allocations. Returns whether any failed. */
bool failing_end(void);

/* Get the number of allocated blocks. */
long failing_live(void);
