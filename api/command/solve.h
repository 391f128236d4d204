/* `arbiter solve`: the same answers as the service gives, without a server. Files are read as they arrive, and answered
 * by the same kind of jobs and workers. */
#pragma once

#include "api/command/options.h"

/* Answer files and return the exit status: 0 if all are answered; 3 if a case is refused or a format is not available;
 * 2 for wrong usage; 1 for anything else. The operands are the game and the file names. Call it at most once per
 * process. */
int solve(const struct options *options, char **operands);

/* Print the command's --help on standard output. */
void solve_print_help(void);
