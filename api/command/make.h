/* The `make` command: makes random cases. */
#pragma once

#include "api/command/options.h"

/* Write random cases of the game that the operand names to standard output. Returns the exit status: 0, 1 if the output
 * cannot be written, or 2 for incorrect usage. */
int make(const struct options *options, char **operands);

void make_print_help(void);
