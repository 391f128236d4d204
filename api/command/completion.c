#include "api/command/completion.h"

#include "api/command/commands.h"
#include "api/command/options.h"
#include "api/request/games.h"

#include <stdio.h>

/* ---- bash ---- */

static void print_command_names(void) {
    for (size_t c = 0; c < command_count; c++)
        printf("%s%s", c != 0 ? " " : "", commands[c].name);
}

static void print_routes(void) {
    for (size_t g = 0; g < game_count; g++)
        printf("%s%s", g != 0 ? " " : "", games[g]->name);
}

/* The words that begin with a minus, separated by blanks. */
static void print_option_names(enum options_command command) {
    struct option_text text;
    for (size_t i = 0; options_describe(command, i, &text); i++)
        printf("%s ", text.name);
    for (size_t w = 0; w < option_word_count; w++)
        if (option_words[w].commands & command)
            printf("%s %s ", option_words[w].name, option_words[w].letter != NULL ? option_words[w].letter : "");
}

/* The branch of the script for an option that needs a value: it offers the words to choose from, or nothing. */
static void print_case_of_value(const struct option_text *option) {
    if (option->words == NULL) {
        printf("    %s) return ;;\n", option->name);
        return;
    }
    printf("    %s) words='", option->name);
    for (size_t w = 0; option->words[w] != NULL; w++)
        printf("%s%s", w != 0 ? " " : "", option->words[w]);
    printf("' ;;\n");
}

/* The branches of all options, each once. */
static void print_cases_of_values(void) {
    static const enum options_command all[] = {OPTIONS_SERVE, OPTIONS_HEALTH, OPTIONS_SOLVE};
    unsigned before = 0;
    struct option_text text;
    for (size_t t = 0; t < sizeof all / sizeof *all; t++) {
        for (size_t i = 0; options_describe(all[t], i, &text); i++)
            if (!text.is_flag && (text.commands & before) == 0)
                print_case_of_value(&text);
        before |= all[t];
    }
}

/* A pattern for the flags of a command. A flag needs no value. */
static void print_flags(enum options_command command) {
    struct option_text text;
    for (size_t i = 0; options_describe(command, i, &text); i++)
        if (text.is_flag)
            printf("%s | ", text.name);
    printf("--help)");
}

/* Complete a word that is not the value of an option. The operands of solve are a route and then files; other commands
 * have none. */
static void print_bash_operands(void) {
    printf("    if [[ -z $words && $command == solve && $word != -* ]]; then\n"
           "        for ((i = 2; i < COMP_CWORD; i++)); do\n"
           "            case ${COMP_WORDS[i]} in\n"
           "            ");
    print_flags(OPTIONS_SOLVE);
    printf(" ;;\n"
           "            -?*) [[ ${COMP_WORDS[i + 1]} == = ]] && ((i += 2)) || ((i += 1)) ;;\n"
           "            *) ((operands += 1)) ;;\n"
           "            esac\n"
           "        done\n"
           "        ((operands == 0)) || compopt -o default\n"
           "        ((operands != 0)) || words='");
    print_routes();
    printf("'\n"
           "    elif [[ -z $words ]]; then\n"
           "        case $command in\n");
    for (size_t c = 0; c < command_count; c++) {
        printf("        %s) words='", commands[c].name);
        if (commands[c].options != 0)
            print_option_names((enum options_command)commands[c].options);
        else
            print_command_names();
        printf("' ;;\n");
    }
    printf("        *) words='");
    print_option_names(OPTIONS_SERVE);
    printf("' ;;\n"
           "        esac\n"
           "        [[ -n $command ]] || words+='");
    print_command_names();
    printf("'\n"
           "    fi\n");
}

void completion_print_bash(void) {
    printf("# What bash completes after arbiter; printed by arbiter --completion-bash.\n"
           "_arbiter() {\n"
           "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}\n"
           "    local command= words= operands=0 i\n"
           "    # --to=json comes as three words.\n"
           "    if [[ $word == = ]]; then\n"
           "        word=\n"
           "    elif [[ $before == = ]]; then\n"
           "        before=${COMP_WORDS[COMP_CWORD - 2]}\n"
           "    fi\n"
           "    ((COMP_CWORD == 1)) || command=${COMP_WORDS[1]}\n"
           "    COMPREPLY=()\n"
           "    case $before in\n");
    print_cases_of_values();
    printf("    esac\n");
    print_bash_operands();
    printf("    mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$word\")\n"
           "}\n"
           "complete -F _arbiter arbiter\n");
}

/* ---- zsh ---- */

/* Text inside single quotes, in a specification of _arguments. */
static void print_specified(const char *text) {
    for (; *text != 0; text++) {
        if (*text == '\'') {
            printf("'\\''");
            continue;
        }
        if (*text == '[' || *text == ']' || *text == ':' || *text == '\\')
            putchar('\\');
        putchar(*text);
    }
}

/* The specification of an option under each of its names. */
static void print_specification(const struct option_text *option) {
    printf("            '%s%s[", option->name, option->is_flag ? "" : "=");
    print_specified(option->meaning);
    printf("]");
    if (!option->is_flag)
        printf(":value:%s", option->words == NULL ? " " : "(");
    for (size_t w = 0; option->words != NULL && option->words[w] != NULL; w++)
        printf("%s%s", w != 0 ? " " : "", option->words[w]);
    printf("%s'\n", option->words != NULL ? ")" : "");
}

/* The specifications of the options of a command. */
static void print_specifications(enum options_command command) {
    struct option_text text;
    for (size_t i = 0; options_describe(command, i, &text); i++)
        print_specification(&text);
    for (size_t w = 0; w < option_word_count; w++) {
        const char *names[] = {option_words[w].name, option_words[w].letter};
        for (int n = 0; n < 2 && names[n] != NULL && (option_words[w].commands & command) != 0; n++) {
            printf("            '(- *)%s[", names[n]);
            print_specified(option_words[w].meaning);
            printf("]'\n");
        }
    }
    if (command == OPTIONS_SOLVE) {
        printf("            '1:route:(");
        print_routes();
        printf(")'\n            '*:file:_files'\n");
    }
}

void completion_print_zsh(void) {
    static const char command[] = "            '1:command:{ _describe command names }'\n";
    printf("#compdef arbiter\n"
           "# What zsh completes after arbiter; printed by arbiter --completion-zsh.\n"
           "_arbiter() {\n"
           "    local command=\n"
           "    local -a names specifications\n"
           "    names=(\n");
    for (size_t c = 0; c < command_count; c++) {
        printf("        '%s:", commands[c].name);
        print_specified(commands[c].about);
        printf("'\n");
    }
    printf("    )\n"
           "    if ((CURRENT > 2)) && [[ $words[2] != -* ]]; then\n"
           "        command=$words[2]\n"
           "        shift words\n"
           "        ((CURRENT -= 1))\n"
           "    fi\n"
           "    case $command in\n");
    for (size_t c = 0; c < command_count; c++) {
        printf("    %s)\n        specifications=(\n", commands[c].name);
        if (commands[c].options != 0)
            print_specifications((enum options_command)commands[c].options);
        else
            printf("%s", command);
        printf("        )\n        ;;\n");
    }
    printf("    *)\n        specifications=(\n");
    print_specifications(OPTIONS_SERVE);
    printf("%s        )\n"
           "        ;;\n"
           "    esac\n"
           "    _arguments -S $specifications\n"
           "}\n"
           "_arbiter \"$@\"\n",
           command);
}
