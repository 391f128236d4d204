/* Texts that the program prints as they are: files of install/, which tools/strings.py puts into the program. */
#pragma once

/* For --completion-bash and --completion-zsh; the build installs the same files. */
extern const char text_bash[], text_zsh[];
