/* The program: what was typed is read, and done. */
#include "api/command/commands.h"
#include "api/command/help.h"
#include "api/command/options.h"
#include "api/command/serve.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

enum { EXIT_GOOD = 0, EXIT_FAILED = 1, EXIT_BAD_OPTION = 2 };

/* Where a standard descriptor is closed, a socket or a file would take its place. What is written to such a standard
 * output, or read from such a standard input, fails as it would have. */
static void open_standard_descriptors(void) {
    static const int modes[] = {[STDIN_FILENO] = O_WRONLY, [STDOUT_FILENO] = O_RDONLY, [STDERR_FILENO] = O_RDWR};
    for (int descriptor = STDIN_FILENO; descriptor <= STDERR_FILENO; descriptor++)
        if (fcntl(descriptor, F_GETFD) < 0)
            /* It takes the lowest that is free, which is this one, and stays. */
            (void)open("/dev/null", modes[descriptor]); /* cppcheck-suppress leakReturnValNotUsed; see above */
}

static int print(void (*page)(void)) {
    page();
    return fflush(stdout) == 0 ? EXIT_GOOD : EXIT_FAILED;
}

int main(int count, char **arguments) {
    struct options options;
    open_standard_descriptors();
    const struct command *command = count > 1 ? command_find(arguments[1]) : NULL;
    if (command != NULL)
        return command->run(count - 2, arguments + 2);
    switch (options_read(OPTIONS_SERVE, count > 0 ? count - 1 : 0, arguments + 1, &options)) {
    case OPTIONS_HELP:
        return print(help_print);
    case OPTIONS_VERSION:
        return print(help_print_version);
    case OPTIONS_MAN:
        return print(help_print_man);
    case OPTIONS_BAD:
        return EXIT_BAD_OPTION;
    case OPTIONS_GOOD:
        break;
    }
    return serve(&options);
}
