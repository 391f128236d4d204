/* The commands of the program: `solve`, `health` and `help`. Without one it serves. */
#pragma once

/* Find the command that the arguments begin with, read its options, and run it; or print what an option asks for: help,
 * the version, the manual page or completion for a shell. Returns the exit status. */
int commands_run(int count, char **arguments);
