/* Prints help, the version, the manual page and completion for shells, on standard output. */
#pragma once

/* Print --help. */
void help_print(void);

/* Print --version. */
void help_print_version(void);

/* Print the manual page arbiter(1) in the format of man(7), for --man. The build installs the same. */
void help_print_man(void);

/* Print a script for a shell, for --completion-bash and --completion-zsh. The build installs the same. */
void help_print_bash(void);
void help_print_zsh(void);
