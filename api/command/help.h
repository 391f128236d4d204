/* What the program says about itself. Everything is written to standard output. */
#pragma once

/* The answer to --help. */
void help_print(void);

/* The answer to --version. */
void help_print_version(void);

/* The manual page arbiter(1), as man(7) has it: the answer to --man, and what is installed. */
void help_print_man(void);
