/* How much an exhaustive test covers: a fixed small fraction of all cases, or all of them.
 *
 * ARBITER_TEST_SCALE is "quick" (the default) or "full". Each has its own pinned counts. `script/test full` sets
 * "full". */
#pragma once

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inline bool reference_scale_is_quick(void) {
    const char *scale = getenv("ARBITER_TEST_SCALE");
    if (scale == NULL || strcmp(scale, "quick") == 0)
        return true;
    if (strcmp(scale, "full") == 0)
        return false;
    fprintf(stderr, "ARBITER_TEST_SCALE is \"%s\", not \"full\" or \"quick\"\n", scale);
    abort();
}
