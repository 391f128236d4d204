/* The version that was built: its number by Meson (macro ARBITER_VERSION), its commit by git at build time. */
#pragma once

/* A short hash, with "-dirty" when there were uncommitted changes; "unknown" outside of a checkout. */
extern const char arbiter_commit[];
