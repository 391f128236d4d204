/* What to do about a body that cannot be read: people send one format and call it another, or lose line ends on the
 * way. */
#pragma once

#include "api/fault/fault.h"
#include "api/job/source.h"

/* The last of the faults says that the body, or a line of it, cannot be read, or that a text is not allowed: add what
 * to do, where the body shows it. Of JSON `reason` is that of the check and `place` the byte where it ended, if there
 * is one; of other formats both are NULL. */
void advice_add(const struct source *source, const char *reason, const char *place, struct fault_list *faults);
