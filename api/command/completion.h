/* Completion scripts for shells, made from the tables of commands, options and games. They are written to standard
 * output. */
#pragma once

/* The script for bash: --completion-bash prints it, and the build installs it. */
void completion_print_bash(void);

/* The same for zsh. */
void completion_print_zsh(void);
