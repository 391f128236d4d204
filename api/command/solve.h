/* `arbiter solve`: the same answers without a service. Files are read as they come, and answered by the same jobs on
 * the same workers. */
#pragma once

/* Read the options of the command, answer the files, and return the exit status: 0 when all are answered; 3 when some
 * case is refused, or a format is not available; 2 for bad usage; 1 for anything else. `arguments` are those after the
 * word "solve". Once in a process. */
int solve(int count, char **arguments);

/* Print the --help of the command to standard output. */
void solve_print_help(void);
