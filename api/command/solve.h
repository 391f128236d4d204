/* `arbiter solve`: the same answers without a service. Files are read as they come, and answered by the same jobs on
 * the same workers. */
#pragma once

#include "api/command/options.h"

/* Answer files, and return the exit status: 0 when all are answered; 3 when some case is refused, or a format is not
 * available; 2 for bad usage; 1 for anything else. The operands are the route and the names of the files. Once in a
 * process. */
int solve(const struct options *options, char **operands);

/* Print the --help of the command to standard output. */
void solve_print_help(void);
