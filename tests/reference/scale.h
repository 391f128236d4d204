/* How much a test does: everything, or a fixed small part of it.
 *
 * ARBITER_TEST_SCALE is "full" (the default) or "quick". Builds with sanitizers run many times slower and take the
 * quick part, which has pinned counts of its own. */
#pragma once

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inline bool reference_scale_is_quick(void) {
    const char *scale = getenv("ARBITER_TEST_SCALE");
    if (scale == NULL || strcmp(scale, "full") == 0)
        return false;
    if (strcmp(scale, "quick") == 0)
        return true;
    fprintf(stderr, "ARBITER_TEST_SCALE is \"%s\", not \"full\" or \"quick\"\n", scale);
    abort();
}
