/* `arbiter health`: is the service on this machine ready? For images without a shell, and for scripts. */
#pragma once

/* Read the options of the command, ask GET /readyz, and return the exit status: 0 when the answer is 200; 1 when it is
 * another, does not come within two seconds, or an option is bad. Errors are printed on standard error. `arguments` are
 * those after the word "health". */
int health(int count, char **arguments);

/* Print the --help of the command to standard output. */
void health_print_help(void);
