/* Assertions: preconditions and invariants that are checked in test builds and cost nothing in a release.
 *
 * Every invariant that a header states has an ASSERT. With -Dchecks=true, a false condition ends the program and prints
 * the condition, file and line. Without it, the condition is compiled, so that it stays valid code, but not evaluated.
 * Do not use ASSERT for anything that a client can cause: that must be checked, and reported, in every build. */
#pragma once

#ifdef ARBITER_CHECKS
#undef NDEBUG
#include <assert.h>
#define ASSERT(condition) assert(condition)
#else
#define ASSERT(condition) ((void)sizeof((condition) ? 1 : 0))
#endif

/* For static functions called only in ASSERT, which are unused when assertions are off. */
#define ASSERT_ONLY __attribute__((unused))
