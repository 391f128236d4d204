/* The commands of the program: what it does instead of serving when its first argument names one. */
#pragma once

#include <stddef.h>

struct command {
    const char *name;
    const char *about; /* a phrase for --help */
    /* Do it, with the arguments behind the name; the exit status. */
    int (*run)(int count, char **arguments);
};

extern const struct command commands[];
extern const size_t command_count;

/* The command of this name; NULL when there is none. */
const struct command *command_find(const char *name);
