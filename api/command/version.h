/* The version of this build: its number from Meson (macro ARBITER_VERSION), its commit from git at build time. */
#pragma once

/* A short hash, with "-dirty" if there were uncommitted changes; "unknown" outside a checkout. */
extern const char arbiter_commit[];
