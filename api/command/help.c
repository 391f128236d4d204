#include "api/command/help.h"

#include "api/command/commands.h"
#include "api/command/options.h"
#include "api/command/version.h"
#include "api/request/games.h"

#include <stdio.h>

static const struct {
    const char *name, *meaning;
} words[] = {
    {"--help", "print this and leave"},
    {"--version", "print the version and leave"},
    {"--man", "print the manual page and leave"},
};

void help_print(void) {
    struct option_text text;
    printf("Usage: arbiter [--OPTION VALUE]...\n       arbiter COMMAND [--OPTION VALUE]...\n\n"
           "Exact answers about board games, over HTTP. Without a command it serves.\n\nCommands, each with a "
           "--help of its own:\n");
    for (size_t c = 0; c < command_count; c++)
        printf("  %-25s %s\n", commands[c].name, commands[c].about);
    printf("\nOptions of the service; each may stand in the environment too, --max-cases as ARBITER_MAX_CASES:\n");
    for (size_t i = 0; options_spell(OPTIONS_SERVE, i, &text); i++)
        printf("  %-25s %s [%s]\n", text.name, text.meaning, text.standard);
    for (size_t w = 0; w < sizeof words / sizeof *words; w++)
        printf("  %-25s %s\n", words[w].name, words[w].meaning);
}

void help_print_version(void) { printf("arbiter %s (%s)\n", ARBITER_VERSION, arbiter_commit); }

/* A minus that is one, and no hyphen; a line must not begin with a dot or an apostrophe, which none of ours does. */
static void print_escaped(const char *text) {
    for (; *text != 0; text++) {
        if (*text == '-' || *text == '\\')
            putchar('\\');
        putchar(*text);
    }
}

/* A paragraph under a tag in bold. */
static void print_item(const char *tag, const char *meaning, const char *standard) {
    printf(".TP\n.B ");
    print_escaped(tag);
    printf("\n");
    print_escaped(meaning);
    if (standard != NULL) {
        printf(" [");
        print_escaped(standard);
        printf("]");
    }
    printf("\n");
}

/* What a command takes: its own options each with its meaning, those of the service by their names. */
static void print_options_of(enum options_taker taker) {
    struct option_text text;
    const char *before = "Of the service's options it takes ";
    for (size_t i = 0; options_spell(taker, i, &text); i++)
        if (text.takers & OPTIONS_SERVE) {
            printf("%s\\fB", before);
            print_escaped(text.name);
            printf("\\fR");
            before = ",\n";
        }
    printf(".\nBeside these:\n");
    for (size_t i = 0; options_spell(taker, i, &text); i++)
        if (!(text.takers & OPTIONS_SERVE))
            print_item(text.name, text.meaning, text.standard);
}

void help_print_man(void) {
    struct option_text text;
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
    printf(".SH OPTIONS\nOf the service. Each is followed by its value, behind a blank or an equals sign; defaults "
           "stand in "
           "brackets.\n");
    for (size_t i = 0; options_spell(OPTIONS_SERVE, i, &text); i++)
        print_item(text.name, text.meaning, text.standard);
    for (size_t w = 0; w < sizeof words / sizeof *words; w++)
        print_item(words[w].name, words[w].meaning, NULL);
    printf(".SH OPTIONS OF SOLVE\n");
    print_options_of(OPTIONS_SOLVE);
    printf(".SH ENVIRONMENT\nEach option may stand in the environment too; an option wins.\n");
    for (size_t i = 0; options_spell(OPTIONS_SERVE, i, &text); i++) {
        char same[80];
        snprintf(same, sizeof same, "as %s", text.name);
        print_item(text.variable, same, NULL);
    }
    printf(
        ".SH SIGNALS\nSIGTERM and SIGINT: /readyz turns 503; after the drain delay no connection is taken any more, "
        "and what is in flight is answered, for as long as the drain timeout allows. A second one ends the program at "
        "once.\n.SH EXIT STATUS\n");
    print_item("0", "a clean stop", NULL);
    print_item("1", "something was cut off, or the service could not start", NULL);
    print_item("2", "a bad option or variable", NULL);
    print_item("3", "of solve: some case was refused, or a form cannot be had", NULL);
    printf(".PP\nThat of a command stands in its \\-\\-help.\n");
    printf(".SH FILES\nThe service reads and writes none, solve reads those that it is given. The log goes to standard "
           "error, a JSON object a line; the one with the "
           "event \"listening\" tells address and port.\n");
}
