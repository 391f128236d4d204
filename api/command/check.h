/* The option --check. */
#pragma once

#include "api/command/options.h"

/* Print a line `name value` for each option in force, and one for each part of the most memory that they allow, in
 * bytes. Warn of variables that no option has. Returns the exit status: 0, or 1 when it cannot print. */
int check(const struct options *options);
