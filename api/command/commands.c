#include "api/command/commands.h"

#include "api/command/health.h"
#include "api/command/solve.h"

#include <string.h>

const struct command commands[] = {
    {"solve", "answer files without a server: arbiter solve ROUTE [FILE]...", OPTIONS_SOLVE, solve, solve_print_help},
    {"health", "ask the service on this machine whether it is ready", OPTIONS_HEALTH, health, health_print_help},
    {"help", "print this, or the help of a command: arbiter help COMMAND", 0, NULL, NULL},
};
const size_t command_count = sizeof commands / sizeof *commands;

const struct command *command_find(const char *name) {
    for (size_t c = 0; c < command_count; c++)
        if (strcmp(commands[c].name, name) == 0)
            return &commands[c];
    return NULL;
}
