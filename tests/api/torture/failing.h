/* Memory that fails when it is told to, and is counted. The linker leads malloc and its kin here (--wrap), for what is
 * linked into the program; shared libraries keep theirs. One thread. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* How long memory is exhausted: for one allocation, or from one on. */
enum failing_span { FAILING_ONCE, FAILING_FROM_THEN_ON, FAILING_SPANS };

/* Have the allocation fail before which `first` others succeed. */
void failing_begin(long first, enum failing_span span);

/* Have no more fail. Returns whether one did. */
bool failing_end(void);

/* How many blocks are allocated and not yet freed. */
long failing_live(void);
