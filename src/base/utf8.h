/* UTF-8, as far as the program looks at characters: how long they are. */
#pragma once

#include <stddef.h>

/* How many bytes the character at the start of `bytes` takes: 1 to 4; 0 when it is not well-formed within `length`
 * bytes. `length` > 0. Source: the Unicode standard, table 3-7. */
size_t utf8_length(const char *bytes, size_t length);
