/* `arbiter health`: is the service on this machine ready? Meant for images without a shell, and for scripts. */
#pragma once

#include "api/command/options.h"

/* Ask GET /readyz and return the exit status: 0 if the answer is 200, 1 if it is anything else or does not arrive
 * within two seconds. Errors are printed on standard error. There are no operands. */
int health(const struct options *options, char **operands);

/* Print the command's --help on standard output. */
void health_print_help(void);
