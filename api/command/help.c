#include "api/command/help.h"

#include "api/command/commands.h"
#include "api/command/options.h"
#include "api/command/texts.h"
#include "api/command/version.h"
#include "api/request/games.h"

#include <stdio.h>

/* The names of an option that takes no value: "--help, -h". */
static void format_names(const struct option_word *word, char ret_text[64]) {
    snprintf(ret_text, 64, "%s%s%s", word->name, word->letter != NULL ? ", " : "",
             word->letter != NULL ? word->letter : "");
}

/* The default of an option of the service; for both profiles if they differ: "1000; public 20". */
static void format_default(const struct option_text *option, char ret_text[160]) {
    bool differs = *option->public != 0;
    snprintf(ret_text, 160, "%s%s%s", option->default_value, differs ? "; public " : "", option->public);
}

void help_print(void) {
    struct option_text text;
    char default_value[160];
    printf("Usage: arbiter [--OPTION VALUE]...\n       arbiter COMMAND [--OPTION VALUE]...\n\n"
           "Exact answers about board games, over HTTP. Without a command it serves.\n\nCommands, each with a "
           "--help of its own:\n");
    for (size_t c = 0; c < command_count; c++)
        printf("  %-25s %s\n", commands[c].name, commands[c].about);
    printf("\nOptions of the service; each may stand in the environment too, --max-cases as ARBITER_MAX_CASES:\n");
    for (size_t i = 0; options_describe(OPTIONS_SERVE, i, &text); i++) {
        format_default(&text, default_value);
        printf("  %-25s %s [%s]\n", text.name, text.meaning, default_value);
    }
    for (size_t w = 0; w < option_word_count; w++) {
        char names[64];
        format_names(&option_words[w], names);
        printf("  %-25s %s\n", names, option_words[w].meaning);
    }
}

void help_print_version(void) { printf("arbiter %s (%s)\n", ARBITER_VERSION, arbiter_commit); }

void help_print_bash(void) { fputs(text_bash, stdout); }

void help_print_zsh(void) { fputs(text_zsh, stdout); }

/* Escape minus and apostrophe, so that troff prints the ASCII characters, which a reader may copy. A dot at the
 * beginning of a line would need an escape, too; no text has one. */
static void print_escaped(const char *text) {
    for (; *text != 0; text++) {
        if (*text == '\'') {
            printf("\\(aq");
            continue;
        }
        if (*text == '-' || *text == '\\')
            putchar('\\');
        putchar(*text);
    }
}

/* A paragraph with a bold tag. */
static void print_item(const char *tag, const char *meaning, const char *default_value) {
    printf(".TP\n.B ");
    print_escaped(tag);
    printf("\n");
    print_escaped(meaning);
    if (default_value != NULL) {
        printf(" [");
        print_escaped(default_value);
        printf("]");
    }
    printf("\n");
}

/* The options of a command: its own with their meanings, those of the service by their names. */
static void print_options_of(enum options_command command) {
    struct option_text text;
    const char *before = "Of the service's options it takes ";
    for (size_t i = 0; options_describe(command, i, &text); i++)
        if (text.commands & OPTIONS_SERVE) {
            printf("%s\\fB", before);
            print_escaped(text.name);
            printf("\\fR");
            before = ",\n";
        }
    printf(".\nBeside these:\n");
    for (size_t i = 0; options_describe(command, i, &text); i++)
        if (!(text.commands & OPTIONS_SERVE))
            print_item(text.name, text.meaning, text.default_value);
}

/* Commands as they are typed, each with a description. */
static void print_examples(void) {
    static const struct {
        const char *about, *command;
    } examples[] = {
        {"Serve on all addresses, with probes and metrics at a port of their own:",
         "arbiter --listen 0.0.0.0 --ops-port 9090"},
        {"Ask the service for the winner and the best line:",
         "curl --json '{\"board\":[\"..#.\",\"O..O\",\"....\",\".X..\"],\"include\":[\"line\"]}' "
         "http://127.0.0.1:8080/pawn"},
        {"Answer a file without a server:", "arbiter solve mine fields.txt"},
        {"Answer lines as they come:", "generator | arbiter solve pawn"},
        {"Answer records, each with the name of its file:",
         "arbiter solve go --with-file --include score *.sgf > answers.ndjson"},
        {"Draw a position:", "arbiter solve go --to svg game.sgf > game.svg"},
    };
    printf(".SH EXAMPLES\n");
    for (size_t e = 0; e < sizeof examples / sizeof *examples; e++) {
        printf("%s%s\n.PP\n.nf\n.RS\n", e != 0 ? ".PP\n" : "", examples[e].about);
        print_escaped(examples[e].command);
        printf("\n.RE\n.fi\n");
    }
}

static void print_signals_and_statuses(void) {
    printf(
        ".SH SIGNALS\nSIGTERM, SIGINT and SIGHUP: /readyz turns 503; after the drain delay no connection is taken any "
        "more, "
        "and what is in flight is answered, for as long as the drain timeout allows. A second one ends the program at "
        "once.\n.SH EXIT STATUS\n");
    print_item("0", "a clean stop", NULL);
    print_item("1", "something was cut off, or the service could not start", NULL);
    print_item("2", "a bad option or variable", NULL);
    print_item("3", "of solve: some case was refused, or a form cannot be had", NULL);
}

void help_print_man(void) {
    struct option_text text;
    char default_value[160];
    printf(".TH ARBITER 1 \"\" \"arbiter %s\" \"User Commands\"\n"
           ".SH NAME\narbiter \\- exact answers about board games, over HTTP\n"
           ".SH SYNOPSIS\n.B arbiter\n[\\fB\\-\\-\\fIoption value\\fR]...\n.br\n.B arbiter\n"
           "\\fIcommand\\fR [\\fB\\-\\-\\fIoption value\\fR]...\n.br\n.B arbiter solve\n"
           "\\fIroute\\fR [\\fB\\-\\-\\fIoption value\\fR]... [\\fIfile\\fR]...\n"
           ".SH DESCRIPTION\nAn HTTP JSON service. Its routes:\n",
           ARBITER_VERSION);
    for (size_t g = 0; g < game_count; g++) {
        char route[64];
        snprintf(route, sizeof route, "POST /%s", games[g]->name);
        print_item(route, games[g]->about, NULL);
    }
    printf(".PP\nThe contract in full is at /openapi.yaml of the running service.\n"
           ".SH COMMANDS\nEach has a \\-\\-help of its own. Without one the program serves.\n");
    for (size_t c = 0; c < command_count; c++)
        print_item(commands[c].name, commands[c].about, NULL);
    printf(".SH OPTIONS\nOf the service. Each is followed by its value, after a blank or an equals sign; defaults "
           "stand in brackets, those of \\-\\-profile public after a semicolon. "
           "One that is false by default needs no value.\n");
    for (size_t i = 0; options_describe(OPTIONS_SERVE, i, &text); i++) {
        format_default(&text, default_value);
        print_item(text.name, text.meaning, default_value);
    }
    for (size_t w = 0; w < option_word_count; w++) {
        char names[64];
        format_names(&option_words[w], names);
        print_item(names, option_words[w].meaning, NULL);
    }
    printf(".SH OPTIONS OF SOLVE\n");
    print_options_of(OPTIONS_SOLVE);
    printf(".SH ENVIRONMENT\nEach option may stand in the environment too; an option wins.\n");
    for (size_t i = 0; options_describe(OPTIONS_SERVE, i, &text); i++) {
        char same[80];
        snprintf(same, sizeof same, "as %s", text.name);
        print_item(text.variable, same, NULL);
    }
    print_signals_and_statuses();
    printf(".PP\nThat of a command stands in its \\-\\-help.\n");
    print_examples();
    printf(".SH FILES\nThe service reads and writes none, solve reads those that it is given. The log goes to standard "
           "error, a JSON object a line; the one with the "
           "event \"listening\" tells address and port.\n");
}
