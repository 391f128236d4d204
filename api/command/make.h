/* The `make` command: makes random cases. */
#pragma once

#include "api/command/options.h"

/* Write random cases to standard output. Returns 0, 1 if they cannot be written, or 2 for incorrect usage. */
int make(const struct options *options, char **operands);

void make_print_help(void);
