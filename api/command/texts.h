/* Texts that the program prints: files of install/, which tools/strings.py turns into strings. */
#pragma once

/* For --completion-bash and --completion-zsh; the build installs the same files. */
extern const char text_bash[], text_zsh[];

/* For --man: the manual page arbiter(1) without its first line and its tables. main.c prints them. */
extern const char text_man[];
