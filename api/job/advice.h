/* Advice about a body that cannot be read: people send one format and call it another, or lose line ends on the way. */
#pragma once

#include "api/fault/fault.h"
#include "api/job/source.h"

/* Add advice to the last fault, which says that the body, or a line of it, cannot be read, or that a text is not
 * allowed. Nothing is added unless the body shows what its sender mistook. Of JSON `reason` is that of the check, and
 * `at` the byte where the check ended; of other formats both are NULL. */
void advice_add(const struct source *source, const char *reason, const char *at, struct fault_list *faults);
