/* Prints help, the version and the manual page, on standard output. */
#pragma once

/* Print --help. */
void help_print(void);

/* Print --version. */
void help_print_version(void);

/* Print the manual page arbiter(1) in the format of man(7), for --man. The build installs the same. */
void help_print_man(void);
