/* Advice about a body that cannot be read: clients send one format and name another, lose the line ends, or send
 * UTF-16. */
#pragma once

#include "api/fault/fault.h"
#include "api/job/source.h"

/* Add advice to the last fault. That fault says that the body, or a line of it, cannot be read, or that a text is not
 * allowed. Nothing is added unless the body shows the mistake. For JSON `reason` is that of the check, and `at` is the
 * byte where the check ended; for other formats both are NULL. */
void advice_add(const struct source *source, const char *reason, const char *at, struct fault_list *faults);

/* Name the first of the bytes between `at` and `end` in the last fault, if it is a character that a reader would not
 * see, or not part of UTF-8. */
void advice_name_byte(const char *at, const char *end, struct fault_list *faults);
