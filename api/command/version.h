/* The version of this build: the number comes from Meson (macro ARBITER_VERSION), and the commit from git at build
 * time. */
#pragma once

/* A short hash, with "-dirty" if there were uncommitted changes; "unknown" outside a checkout. */
extern const char arbiter_commit[];
