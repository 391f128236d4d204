/* The program and its commands: `solve`, `make`, `health` and `help`. Without a command it serves. Each command prints
 * its own help; what the program prints about all of them is here. */
#include "api/command/check.h"
#include "api/command/health.h"
#include "api/command/make.h"
#include "api/command/memory.h"
#include "api/command/message.h"
#include "api/command/options.h"
#include "api/command/serve.h"
#include "api/command/solve.h"
#include "api/command/texts.h"
#include "api/command/version.h"
#include "api/request/games.h"
#include "base/words.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { EXIT_GOOD = 0, EXIT_FAILED = 1, EXIT_BAD_USAGE = 2 };

struct command {
    const char *name;
    const char *about; /* a phrase for --help */
    enum options_command options;
    int bad_usage; /* the exit status if the options are wrong */
    /* Run the command with the arguments that are not options, and return the exit status. NULL for help. */
    int (*run)(const struct options *options, char **operands);
    void (*print_help)(void); /* print its --help */
};

static void print_help(void);

static int flush(void) { return message_flush_output() ? EXIT_GOOD : EXIT_FAILED; }

static void print_version(void) { printf("arbiter %s (%s)\n", ARBITER_VERSION, arbiter_commit); }

static int run_service(const struct options *options, char **operands) {
    struct options fitted = *options;
    (void)operands;
    if (!memory_fit(&fitted))
        return EXIT_BAD_USAGE;
    return fitted.check ? check(&fitted) : serve(&fitted);
}

static const struct command service = {
    .options = OPTIONS_SERVE, .bad_usage = EXIT_BAD_USAGE, .run = run_service, .print_help = print_help};

static int run_version(const struct options *options, char **operands) {
    (void)options, (void)operands;
    print_version();
    return flush();
}

static const struct command commands[] = {
    {"serve", "start the server; the default without a command", OPTIONS_SERVE, EXIT_BAD_USAGE, run_service,
     print_help},
    {"solve", "solve files without a server: arbiter solve GAME [FILE]...", OPTIONS_SOLVE, EXIT_BAD_USAGE, solve,
     solve_print_help},
    {"make", "make random cases: arbiter make GAME", OPTIONS_MAKE, EXIT_BAD_USAGE, make, make_print_help},
    /* Container engines reserve the status 2 of a health check. */
    {"health", "check whether the server on this machine is ready", OPTIONS_HEALTH, EXIT_FAILED, health,
     health_print_help},
    {"version", "print the version", 0, EXIT_BAD_USAGE, run_version, print_help},
    {"help", "show this help, or help for a command: arbiter help COMMAND", 0, EXIT_BAD_USAGE, NULL, print_help},
};
enum { COMMANDS = sizeof commands / sizeof *commands };

/* Find a command by name; NULL if there is none. */
static const struct command *find(const char *name) {
    for (int c = 0; c < COMMANDS; c++)
        if (strcmp(commands[c].name, name) == 0)
            return &commands[c];
    return NULL;
}

static int refuse_command(const char *name) {
    const char *names[COMMANDS + 1] = {NULL}, *meant;
    for (int c = 0; c < COMMANDS; c++)
        names[c] = commands[c].name;
    if ((meant = words_nearest(names, name, strlen(name))) != NULL)
        message_print("unknown command \"%s\"; did you mean \"%s\"?", name, meant);
    else
        message_print("unknown command \"%s\"; see arbiter --help", name);
    return EXIT_BAD_USAGE;
}

/* ---- help and the manual page ---- */

/* Prints a name, its meaning and, unless it is NULL, the default in brackets. */
typedef void item_printer(const char *name, const char *meaning, const char *default_value);

/* A line of --help. */
static void print_line(const char *name, const char *meaning, const char *default_value) {
    printf("  %-25s %s", name, meaning);
    if (default_value != NULL)
        printf(" [%s]", default_value);
    putchar('\n');
}

/* Escape hyphens and apostrophes, so that troff prints the ASCII characters, which a reader may copy. A dot at the
 * beginning of a line would need an escape, too, but no text has one. */
static void print_escaped(const char *text) {
    for (; *text != 0; text++) {
        if (*text == '\'')
            printf("\\(aq");
        else
            printf(*text == '-' || *text == '\\' ? "\\%c" : "%c", *text);
    }
}

/* A paragraph of the manual page, in the format of man(7). */
static void print_paragraph(const char *name, const char *meaning, const char *default_value) {
    printf(".TP\n.B ");
    print_escaped(name);
    printf("\n");
    print_escaped(meaning);
    if (default_value != NULL) {
        printf(" [");
        print_escaped(default_value);
        printf("]");
    }
    printf("\n");
}

static void print_commands(item_printer *print) {
    for (int c = 0; c < COMMANDS; c++)
        print(commands[c].name, commands[c].about, NULL);
}

static void print_options_of(enum options_command command, item_printer *print, bool advanced) {
    struct option_text text;
    for (size_t i = 0; options_describe(NULL, command, &i, &text);) {
        char default_value[160]; /* of both profiles if they differ: "1000; public 20" */
        if (text.advanced != advanced)
            continue;
        bool differs = *text.public != 0;
        snprintf(default_value, sizeof default_value, "%s%s%s", text.value, differs ? "; public " : "", text.public);
        print(text.name, text.meaning, default_value);
    }
}

static void print_options(item_printer *print) {
    print_options_of(OPTIONS_SERVE, print, false);
    for (size_t w = 0; w < option_word_count; w++) {
        const struct option_word *word = &option_words[w];
        char names[64];
        snprintf(names, sizeof names, "%s%s%s", word->name, word->letter != NULL ? ", " : "",
                 word->letter != NULL ? word->letter : "");
        print(names, word->meaning, NULL);
    }
}

static void print_advanced_options(item_printer *print) { print_options_of(OPTIONS_SERVE, print, true); }

static void print_help(void) {
    printf("Usage: arbiter [--OPTION VALUE]...\n       arbiter COMMAND [--OPTION VALUE]...\n\n"
           "Perfect-play solver and rules checker for three board games. Without a command, arbiter starts the HTTP "
           "server.\n\nCommands (for details, run arbiter help COMMAND):\n");
    print_commands(print_line);
    printf("\nServer options (or set environment variables; for example, ARBITER_MAX_CASES sets --max-cases):\n");
    print_options(print_line);
    printf("\nAdvanced options (with --memory, you don't need to set these):\n");
    print_advanced_options(print_line);
}

static void print_routes(item_printer *print) {
    for (size_t g = 0; g < game_count; g++) {
        char route[64];
        snprintf(route, sizeof route, "POST %s", games[g]->path);
        print(route, games[g]->about, NULL);
    }
}

/* The options of solve: its own with their meanings, those shared with the service by name only. */
static void print_options_of_solve(item_printer *print) {
    struct option_text text;
    const char *before = "These server options also apply to solve: ";
    for (size_t i = 0; options_describe(NULL, OPTIONS_SOLVE, &i, &text);)
        if (text.commands & OPTIONS_SERVE) {
            printf("%s\\fB", before);
            print_escaped(text.name);
            printf("\\fR");
            before = ",\n";
        }
    printf(".\n.PP\nIn addition, solve has these options:\n");
    for (size_t i = 0; options_describe(NULL, OPTIONS_SOLVE, &i, &text);)
        if (!(text.commands & OPTIONS_SERVE))
            print(text.name, text.meaning, text.value);
}

static void print_options_of_make(item_printer *print) { print_options_of(OPTIONS_MAKE, print, false); }

static void print_variables(item_printer *print) {
    struct option_text text;
    for (size_t i = 0; options_describe(NULL, OPTIONS_SERVE, &i, &text);) {
        char same[80];
        snprintf(same, sizeof same, "same as %s", text.name);
        print(text.variable, same, NULL);
    }
}

/* Print install/arbiter.1.in. Each line that begins with "@" is replaced by the table that it names. */
static void print_man(void) {
    static const struct {
        const char *name;
        void (*print)(item_printer *print);
    } tables[] = {{"@commands\n", print_commands},
                  {"@options\n", print_options},
                  {"@advanced options\n", print_advanced_options},
                  {"@options of solve\n", print_options_of_solve},
                  {"@options of make\n", print_options_of_make},
                  {"@routes\n", print_routes},
                  {"@variables\n", print_variables}};
    printf(".TH ARBITER 1 \"\" \"arbiter %s\" \"User Commands\"\n", ARBITER_VERSION);
    for (const char *line = text_man, *end; *line != 0; line = end) {
        end = strchr(line, '\n') + 1;
        if (*line != '@')
            fwrite(line, 1, (size_t)(end - line), stdout);
        for (size_t t = 0; t < sizeof tables / sizeof *tables; t++)
            if (strncmp(line, tables[t].name, strlen(tables[t].name)) == 0)
                tables[t].print(print_paragraph);
    }
}

/* ---- running ---- */

/* Print the page that an option of a command asks for. Only the service has pages other than help. */
static int print_page(const struct command *command, enum options_result page) {
    if (page == OPTIONS_HELP) {
        command->print_help();
    } else if (command->run != run_service) {
        message_print("%s has no such option; see arbiter help %s", command->name, command->name);
        return command->bad_usage;
    } else if (page == OPTIONS_VERSION) {
        print_version();
    } else if (page == OPTIONS_MAN) {
        print_man();
    } else {
        fputs(page == OPTIONS_BASH ? text_bash : text_zsh, stdout);
    }
    return flush();
}

/* The `help` command: shows help for the program or for another command. */
static int run_help(int count, char **arguments) {
    const struct command *command = &service;
    if (count > 1) {
        message_print("help takes only one command; see arbiter --help");
        return EXIT_BAD_USAGE;
    }
    if (count == 1 && strcmp(arguments[0], "--help") != 0 && strcmp(arguments[0], "-h") != 0)
        command = find(arguments[0]);
    if (command == NULL)
        return refuse_command(arguments[0]);
    command->print_help();
    return flush();
}

/* Find the command at the beginning of the arguments, read its options and run it, or print what an option asks for:
 * help, the version, the manual page, or shell completion. Returns the exit status. */
static int run(int count, char **arguments) {
    struct options options;
    const struct command *command = count > 0 ? find(arguments[0]) : NULL;
    if (command != NULL) {
        count--;
        arguments++;
    } else if (count > 0 && *arguments[0] != '-') {
        return refuse_command(arguments[0]);
    } else {
        command = &service;
    }
    if (command->run == NULL)
        return run_help(count, arguments);
    enum options_result result = options_read(command->options, count, arguments, &options);
    return result == OPTIONS_GOOD  ? command->run(&options, arguments)
           : result == OPTIONS_BAD ? command->bad_usage
                                   : print_page(command, result);
}

/* If a standard descriptor is closed, the next socket or file to be opened would take its number. So open /dev/null in
 * its place, in a mode in which the program's reads or writes fail as they would have failed anyway. */
static void open_standard_descriptors(void) {
    static const int modes[] = {[STDIN_FILENO] = O_WRONLY, [STDOUT_FILENO] = O_RDONLY, [STDERR_FILENO] = O_RDWR};
    for (int descriptor = STDIN_FILENO; descriptor <= STDERR_FILENO; descriptor++)
        if (fcntl(descriptor, F_GETFD) < 0)
            /* open returns the lowest free number, which is this one. It stays open. */
            (void)open("/dev/null", modes[descriptor]); /* cppcheck-suppress leakReturnValNotUsed; see above */
}

int main(int count, char **arguments) {
    open_standard_descriptors();
    return run(count > 0 ? count - 1 : 0, arguments + 1);
}
