/* Komi, and other results that are multiples of 0.5, in half points. */
#pragma once

#include "base/buffer.h"

#include <stdbool.h>
#include <stddef.h>

/* Read a decimal number such as "6.5", "+7" or "-0.50". Returns false if it is not a multiple of 0.5. Numbers far
 * beyond any komi are all read as GO_KOMI_HUGE or its negative. */
enum { GO_KOMI_HUGE = 1000000 };
bool go_komi_parse(const char *text, size_t length, int *ret_halves);

/* Append as a number in JSON: 6.5, 7, -0.5. */
void go_komi_put(struct buffer *out, int halves);
