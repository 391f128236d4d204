/* The commands of the program: what it does instead of serving when its first argument names one. */
#pragma once

#include "api/command/options.h"

#include <stddef.h>

struct command {
    const char *name;
    const char *about; /* a phrase for --help */
    unsigned options;  /* the enum options_command whose options it takes; 0: none */
    /* Run the command with the arguments after its name. Returns the exit status. NULL for help: main runs it, because
     * it needs all commands. */
    int (*run)(int count, char **arguments);
    /* Print its --help. NULL for help. */
    void (*print_help)(void);
};

extern const struct command commands[];
extern const size_t command_count;

/* The command of this name; NULL when there is none. */
const struct command *command_find(const char *name);
