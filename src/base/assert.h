/* Preconditions and invariants that are checked while the program is tested and cost nothing once it is released.
 *
 * A header that says "always true" has an ASSERT behind it. With -Dchecks=true, in test builds, a condition that
 * does not hold ends the program with its text, file and line; without it the condition is compiled, so that it cannot
 * rot, and never evaluated. What a caller of the service can bring about is no matter for ASSERT: that is checked in
 * every build and answered. */
#pragma once

#ifdef ARBITER_CHECKS
#undef NDEBUG
#include <assert.h>
#define ASSERT(condition) assert(condition)
#else
#define ASSERT(condition) ((void)sizeof((condition) ? 1 : 0))
#endif

/* Stands before a static function that only ASSERT asks: where assertions are off nobody calls it. */
#define ASSERT_ONLY __attribute__((unused))
