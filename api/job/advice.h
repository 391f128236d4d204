/* Advice about a body that cannot be read: clients send one format and name another, lose the line ends, or send
 * UTF-16. */
#pragma once

#include "api/fault/fault.h"
#include "api/job/source.h"

/* Add advice to the last fault. That fault says that the body, or its first line, cannot be read, or that a text is not
 * allowed. Nothing is added unless the body shows the mistake. If the body begins like one in its own format, it may
 * still be one in the format `suspected`; FORMAT_NONE: no. */
void advice_add(const struct source *source, enum format suspected, struct fault_list *faults);

/* Name the first of the bytes between `at` and `end` in the last fault, if it is a character that a reader would not
 * see, or not part of UTF-8. */
void advice_name_byte(const char *at, const char *end, struct fault_list *faults);
