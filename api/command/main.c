/* The program: reads the command line and runs the command. */
#include "api/command/check.h"
#include "api/command/commands.h"
#include "api/command/help.h"
#include "api/command/message.h"
#include "api/command/options.h"
#include "api/command/serve.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { EXIT_GOOD = 0, EXIT_FAILED = 1, EXIT_BAD_OPTION = 2 };

/* If a standard descriptor is closed, the next socket or file would get its number. So /dev/null is opened in its
 * place, in a mode in which the reads or writes of the program fail as they would have. */
static void open_standard_descriptors(void) {
    static const int modes[] = {[STDIN_FILENO] = O_WRONLY, [STDOUT_FILENO] = O_RDONLY, [STDERR_FILENO] = O_RDWR};
    for (int descriptor = STDIN_FILENO; descriptor <= STDERR_FILENO; descriptor++)
        if (fcntl(descriptor, F_GETFD) < 0)
            /* open returns the lowest free number, which is this one. It stays open. */
            (void)open("/dev/null", modes[descriptor]); /* cppcheck-suppress leakReturnValNotUsed; see above */
}

static int print(void (*page)(void)) {
    page();
    return fflush(stdout) == 0 ? EXIT_GOOD : EXIT_FAILED;
}

/* The command help: of the program, or of another command. */
static int print_help_of(int count, char **arguments) {
    const struct command *command = count == 1 ? command_find(arguments[0]) : NULL;
    if (count > 1) {
        message_print("help takes one command; --help lists all");
        return EXIT_BAD_OPTION;
    }
    if (count == 1 && command == NULL && strcmp(arguments[0], "--help") != 0 && strcmp(arguments[0], "-h") != 0) {
        message_print("there is no command \"%s\"; --help lists all", arguments[0]);
        return EXIT_BAD_OPTION;
    }
    return print(command != NULL && command->print_help != NULL ? command->print_help : help_print);
}

static void (*const pages[OPTIONS_RESULTS])(void) = {
    [OPTIONS_HELP] = help_print,      [OPTIONS_VERSION] = help_print_version, [OPTIONS_MAN] = help_print_man,
    [OPTIONS_BASH] = help_print_bash, [OPTIONS_ZSH] = help_print_zsh,
};

int main(int count, char **arguments) {
    struct options options;
    open_standard_descriptors();
    const struct command *command = count > 1 ? command_find(arguments[1]) : NULL;
    if (command != NULL)
        return command->run != NULL ? command->run(count - 2, arguments + 2) : print_help_of(count - 2, arguments + 2);
    enum options_result result = options_read(OPTIONS_SERVE, count > 0 ? count - 1 : 0, arguments + 1, &options);
    if (result == OPTIONS_BAD)
        return EXIT_BAD_OPTION;
    if (result != OPTIONS_GOOD)
        return print(pages[result]);
    return options.check ? check(&options) : serve(&options);
}
