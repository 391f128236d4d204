#include "api/command/commands.h"

#include "api/command/health.h"
#include "api/command/solve.h"

#include <string.h>

const struct command commands[] = {
    {"solve", "answer files without a server: arbiter solve ROUTE [FILE]...", solve},
    {"health", "ask the service on this machine whether it is ready", health},
};
const size_t command_count = sizeof commands / sizeof *commands;

const struct command *command_find(const char *name) {
    for (size_t c = 0; c < command_count; c++)
        if (strcmp(commands[c].name, name) == 0)
            return &commands[c];
    return NULL;
}
