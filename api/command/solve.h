/* `arbiter solve`: what the service answers, without one. Files are read as they come, and answered by the same jobs on
 * the same workers. */
#pragma once

/* Read the options of the command, which are the arguments behind the word "solve", and answer the files; the exit
 * status: 0 when all is answered; 3 when some case is refused, or a form cannot be had; 2 for bad usage; 1 for anything
 * else. Once in a process. */
int solve(int count, char **arguments);

/* Print the --help of the command to standard output. */
void solve_print_help(void);
