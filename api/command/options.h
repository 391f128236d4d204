/* The options of the program: a single table, read from the command line and the environment, and shown by --help and
 * the manual page. The limits of the service are options, too. */
#pragma once

#include "api/command/progress.h"
#include "api/game/format.h"
#include "api/game/limit.h"
#include "api/game/maker.h"
#include "api/log/log.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The kinds of callers for which there are defaults. */
enum options_profile { OPTIONS_TRUSTED, OPTIONS_PUBLIC };

/* Their names for --profile, with a NULL at the end. */
extern const char *const options_profile_names[];

enum { OPTIONS_DERIVED = 8 /* options that --memory can derive */ };

/* The value of `memory` for --memory auto. */
static const uint64_t OPTIONS_MEMORY_AUTO = UINT64_MAX;

struct options {
    const char *listen;             /* a list that listen_check accepts */
    uint64_t port;                  /* 0: any free port */
    uint64_t ops_port;              /* 0: any free port; OPTIONS_NO_PORT: none */
    uint64_t memory;                /* bytes that the program may use; 0: unlimited */
    uint64_t workers, long_workers; /* never 0 once options_read is done */
    uint64_t io_threads;
    uint64_t max_connections, max_connections_per_client; /* the second is per client; 0: unlimited */
    const char *cors_origin;                              /* a list that cors_check accepts */
    bool refuse_cross_site;
    const char *trusted_proxy; /* a list that peer_check_proxies accepts; NULL: none */
    uint64_t head_timeout, body_timeout, send_timeout, max_wait; /* seconds */
    uint64_t drain_delay, drain_timeout;                         /* seconds */
    enum log_level log_level;
    enum options_profile profile;
    bool check; /* print the values in force instead of serving */

    /* Not options, but --memory can lower them. */
    const char *derived[OPTIONS_DERIVED + 1]; /* the names of the options that --memory derives because they were not
                                               * given, with a NULL at the end */
    uint64_t short_workspace;                 /* bytes in the workspace of a short worker */
    uint64_t kernel_buffers;                  /* bytes that the kernel buffers for each connection */
    struct limits limits;                     /* all limits, those of the queue last */

    /* For the command solve. */
    enum format from, to;                      /* FORMAT_NONE means: detected from the file (from), or chosen by the
                                                * service (to) */
    const char *game, *ko, *suicide, *include; /* NULL: not given */
    const char *next, *komi, *scoring, *repetition, *dead, *seki;
    const char *text_of_case; /* --case; NULL: not given */
    bool with_file;           /* each answer begins with a member that names its file */
    const char *output;       /* NULL: standard output */
    enum progress_when progress;

    /* For the command make. */
    uint64_t seed, count;
    struct maker_order order;      /* without numbers of obstacles and mines */
    const char *obstacles, *mines; /* "99" or "20.6%"; NULL: not given */
    enum format made;              /* the format of the cases */

    int operands; /* the number of arguments that are not options */
};

/* A command that takes options. Without a command, the program serves. */
enum options_command { OPTIONS_SERVE = 1, OPTIONS_HEALTH = 2, OPTIONS_SOLVE = 4, OPTIONS_MAKE = 8 };

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

/* An option that makes the program print something and exit, regardless of other options. */
struct option_word {
    const char *name;
    const char *letter;  /* a short name, such as "-h", or NULL */
    const char *meaning; /* a phrase */
    enum options_result result;
};

extern const struct option_word option_words[];
extern const size_t option_word_count;

/* Read the options of `command` from `count` arguments, and from the ARBITER_… variables for options that were not
 * given. An option with neither gets the profile's default. A variable is ignored if its option was given, if the
 * command does not have its option, or if options_is_injected. Strings point into `arguments` and the environment.
 * Operands are moved to the front of `arguments`; only solve and make have any. For solve, all arguments after "--" are
 * operands. The options of make have no variables, because the same arguments must always make the same cases. */
enum options_result options_read(enum options_command command, int count, char **arguments,
                                 struct options *ret_options);

/* Was this value of an option's variable set by Kubernetes? For a Service called arbiter, Kubernetes gives each
 * container ARBITER_PORT=tcp://10.0.0.1:80, or the same with udp or sctp. Among the options, only lists of origins can
 * have similar values. */
bool options_is_injected(const char *variable, const char *value);

enum { OPTIONS_NAME = 64 /* bytes of the longest name of an option or a variable, with its terminator */ };

/* Write the name of an option ("max_cases") in the form that users write: "--max-cases" or "ARBITER_MAX_CASES". */
void options_format_name(const char *name, bool as_option, char ret_text[OPTIONS_NAME]);

/* Get the value of the option with this name, with underscores. It must exist and be a number. */
uint64_t *options_number(struct options *options, const char *name);

/* Get all options at their defaults, in the profile for trusted callers. */
struct options options_default(void);

enum { OPTIONS_DIGITS = 24 };

/* The description of an option as text. */
struct option_text {
    const char *id;              /* "max_cases" */
    char name[OPTIONS_NAME];     /* "--max-cases" */
    char variable[OPTIONS_NAME]; /* "ARBITER_MAX_CASES" */
    char meaning[320];           /* a phrase */
    const char *value;           /* its value, which may be in `digits`, or a phrase */
    char digits[OPTIONS_DIGITS];
    char public[64];   /* the default in the public profile; empty if it is the same */
    bool advanced;     /* there is no need to set it with --memory */
    bool is_of_server; /* `solve` accepts it, but it has no effect there */
    unsigned commands; /* the commands that have the option, as enum options_command combined with | */
};

/* Describe the next option of `command`, with its value in `options` (NULL: its default). *at must initially be 0.
 * Returns false if there are no more. */
bool options_describe(const struct options *options, enum options_command command, size_t *at,
                      struct option_text *ret_text);

/* Find the option of these commands that is probably meant by a name without its dashes (`as_argument`), or by one of a
 * variable without ARBITER_. Returns its name ("max_cases"), or NULL if none is near. */
const char *options_nearest(enum options_command commands, bool as_argument, const char *name, size_t length);

/* Get the game that the first operand of a command names. Prints a message and returns NULL if there is none. */
const struct game *options_game(const char *command, const struct options *options, char **operands);
