/* The option --check. */
#pragma once

#include "api/command/options.h"

/* Print a line `name value` for each option in force, for each part of the most memory that they allow and for the sum,
 * in bytes, and for the sum as a line for systemd, compose and Kubernetes. Warn of variables that no option has.
 * Returns the exit status: 0, or 1 when it cannot print. */
int check(const struct options *options);
