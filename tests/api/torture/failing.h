/* Memory that fails on demand and is counted. The linker redirects malloc and related functions here (--wrap) in the
 * program; shared libraries keep their own. For one thread. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Which allocations fail: one, or all from one on. */
enum failing_span { FAILING_ONCE, FAILING_FROM_THEN_ON, FAILING_SPANS };

/* Let an allocation fail after `first` others. */
void failing_begin(long first, enum failing_span span);

/* Let no more fail. Returns whether one did. */
bool failing_end(void);

/* Get the number of allocated blocks. */
long failing_live(void);
