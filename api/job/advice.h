/* Advice about a body that cannot be read: clients send one format and name another, or lose the line ends. */
#pragma once

#include "api/fault/fault.h"
#include "api/job/source.h"

/* Add advice to the last fault. That fault says that the body, or a line of it, cannot be read, or that a text is not
 * allowed. Nothing is added unless the body shows the mistake. For JSON `reason` is that of the check, and `at` is the
 * byte where the check ended; for other formats both are NULL. */
void advice_add(const struct source *source, const char *reason, const char *at, struct fault_list *faults);
