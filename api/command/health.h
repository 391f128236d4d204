/* `arbiter health`: is the service on this machine ready? For images without a shell, and for scripts. */
#pragma once

#include "api/command/options.h"

/* Ask GET /readyz, and return the exit status: 0 when the answer is 200; 1 when it is another, or does not come within
 * two seconds. Errors are printed on standard error. There are no operands. */
int health(const struct options *options, char **operands);

/* Print the --help of the command to standard output. */
void health_print_help(void);
