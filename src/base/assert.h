/* Assertions: preconditions and invariants that are checked in test builds, and cost nothing in a release.
 *
 * Where a header says "always true", there is an ASSERT for it. With -Dchecks=true a condition that does not hold ends
 * the program with its text, file and line. Without it the condition is compiled, so that it stays correct, but not
 * evaluated. ASSERT is not for what a caller of the service can cause: that is checked in every build, and answered. */
#pragma once

#ifdef ARBITER_CHECKS
#undef NDEBUG
#include <assert.h>
#define ASSERT(condition) assert(condition)
#else
#define ASSERT(condition) ((void)sizeof((condition) ? 1 : 0))
#endif

/* For static functions that only ASSERT calls: without assertions they are unused. */
#define ASSERT_ONLY __attribute__((unused))
