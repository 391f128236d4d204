/* What was built: the version by Meson (as the macro ARBITER_VERSION), the commit by git at build time. */
#pragma once

/* A short hash, with "-dirty" when the tree had changes; "unknown" outside of a checkout. */
extern const char arbiter_commit[];
