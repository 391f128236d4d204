/* The option --check. */
#pragma once

#include "api/command/options.h"

/* Print a line `name value` for each option in force. Then print, in bytes, each part of the most memory that the
 * options allow, and the sum; the sum also as a line for systemd, compose and Kubernetes. Warn of variables that no
 * option has. Returns the exit status: 0, or 1 when it cannot print. */
int check(const struct options *options);
