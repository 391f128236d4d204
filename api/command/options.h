/* The options of the program: one table, read from the command line and the environment, and shown by --help and the
 * manual page. The limits of the service are options, too. */
#pragma once

#include "api/command/progress.h"
#include "api/game/format.h"
#include "api/game/limit.h"
#include "api/log/log.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The callers that the defaults are made for. */
enum options_profile { OPTIONS_TRUSTED, OPTIONS_PUBLIC };

/* Their names, as --profile takes them; NULL after the last. */
extern const char *const options_profile_names[];

enum { OPTIONS_DERIVED = 8 /* options that --memory can derive */ };

/* The value of `memory` for --memory auto. */
static const uint64_t OPTIONS_MEMORY_AUTO = UINT64_MAX;

struct options {
    const char *listen;             /* a list that listen_check accepts */
    uint64_t port;                  /* 0: a free one */
    uint64_t ops_port;              /* 0: a free one; OPTIONS_NO_PORT: none */
    uint64_t memory;                /* bytes that the program may use; 0: it is not limited */
    uint64_t workers, long_workers; /* never 0 once options_read is done */
    uint64_t io_threads;
    uint64_t max_connections, max_connections_per_client; /* the second for one client; 0: any number */
    const char *cors_origin;                              /* a list that cors_check accepts */
    bool refuse_cross_site;
    const char *trusted_proxy; /* a list that peer_check_proxies accepts; NULL: none */
    uint64_t head_timeout, body_timeout, send_timeout, max_wait; /* seconds */
    uint64_t drain_delay, drain_timeout;                         /* seconds */
    enum log_level log_level;
    enum options_profile profile;
    bool check; /* print the values in force instead of serving */

    /* No options, but --memory may lower them. */
    const char *derived[OPTIONS_DERIVED + 1]; /* names of the options that --memory derives: those that were not given;
                                               * NULL after the last */
    uint64_t short_workspace;                 /* bytes of the workspace of a short worker */
    uint64_t kernel_buffers;                  /* bytes of the kernel's buffers of a connection */
    struct limits limits;                     /* all of them; those of the queue are the last */

    /* For the command solve. */
    enum format from, to;                      /* FORMAT_NONE: found out from the file; chosen by the service */
    const char *game, *ko, *suicide, *include; /* NULL: not given */
    bool with_file;                            /* each answer begins with a member that names its file */
    const char *output;                        /* NULL: standard output */
    enum progress_when progress;
    int operands; /* the number of arguments that are not options */
};

/* A command that takes options. Without a command the program serves. */
enum options_command { OPTIONS_SERVE = 1 << 0, OPTIONS_HEALTH = 1 << 1, OPTIONS_SOLVE = 1 << 2 };

/* The value of ops_port for no port. */
enum { OPTIONS_NO_PORT = 65536 };

enum options_result {
    OPTIONS_GOOD,
    OPTIONS_BAD,     /* a message was printed: exit with status 2 */
    OPTIONS_HELP,    /* --help was asked for */
    OPTIONS_VERSION, /* --version was asked for */
    OPTIONS_MAN,     /* --man was asked for */
    OPTIONS_BASH,    /* --completion-bash was asked for */
    OPTIONS_ZSH,     /* --completion-zsh was asked for */
};

/* An option that makes the program print something and exit, whatever other options are given. */
struct option_word {
    const char *name;
    const char *letter;  /* another name, such as "-h"; NULL: none */
    const char *meaning; /* a phrase */
    enum options_result result;
};

extern const struct option_word option_words[];
extern const size_t option_word_count;

/* Read the options of `command` from `count` arguments, then the ARBITER_… variables of those that were not given. An
 * option with neither gets its default in the profile. A variable is ignored if its option was given, if its option is
 * not one of the command, or if options_is_injected. Strings point into `arguments` and the environment. Operands are
 * moved to the front of `arguments`; only solve has them. All arguments after "--" are operands. */
enum options_result options_read(enum options_command command, int count, char **arguments,
                                 struct options *ret_options);

/* Does the variable of an option come from Kubernetes with this value? If a Service is called arbiter, Kubernetes gives
 * each container ARBITER_PORT=tcp://10.0.0.1:80, or the same with udp or sctp. Only origins have such values. */
bool options_is_injected(const char *variable, const char *value);

/* Write the name of an option ("max_cases") as users write it: "--max-cases" or "ARBITER_MAX_CASES". */
void options_format_name(const char *name, bool as_option, size_t size, char ret_text[size]);

/* Get the value of an option that is a number, by its name with underscores, which must be one. */
uint64_t *options_number(struct options *options, const char *name);

/* Get all options at their defaults, in the profile for trusted callers. */
struct options options_default(void);

/* The description of an option as text. */
struct option_text {
    char name[64];          /* "--max-cases" */
    char variable[64];      /* "ARBITER_MAX_CASES" */
    char meaning[128];      /* a phrase */
    char default_value[64]; /* the default */
    char public[64];        /* the default in the public profile; empty: the same */
    bool advanced;          /* nobody needs to set it beside --memory */
    unsigned commands;      /* an or of enum options_command: the commands that have the option */
};

/* Describe option `index`, from 0, of those of `command`; false when there are no more. */
bool options_describe(enum options_command command, size_t index, struct option_text *ret_text);

enum { OPTIONS_DIGITS = 24 };

/* Get the name of that option with underscores ("max_cases"), and its value in `options` as text; NULL when there are
 * no more. *ret_value is valid as long as the options and `digits`. */
const char *options_value(const struct options *options, enum options_command command, size_t index,
                          char digits[OPTIONS_DIGITS], const char **ret_value);
