/* The options of the program: one table, read from the command line and the environment, told by --help and the manual
 * page. The limits of the service are options too. */
#pragma once

#include "api/game/format.h"
#include "api/game/limit.h"
#include "api/server/log.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct options {
    const char *listen;             /* an address or a name */
    uint64_t port;                  /* 0: a free one */
    uint64_t ops_port;              /* likewise; OPTIONS_NO_PORT: none */
    uint64_t workers, long_workers; /* never 0 once options_read is done */
    uint64_t max_connections;
    const char *cors_origin;                                     /* what cors_check finds good */
    const char *trusted_proxy;                                   /* an address; empty: none */
    uint64_t head_timeout, body_timeout, send_timeout, max_wait; /* seconds */
    uint64_t drain_delay, drain_timeout;                         /* seconds */
    enum log_level log_level;
    struct limits limits; /* all of them, those of the queue last */

    /* Of the command solve. */
    enum format from, to;                      /* FORMAT_NONE: it is found out; the service's choice */
    const char *game, *ko, *suicide, *include; /* NULL: not given */
    int operands;                              /* so many arguments are no options */
};

/* Who takes options: the service, and commands. */
enum options_taker { OPTIONS_SERVE = 1 << 0, OPTIONS_HEALTH = 1 << 1, OPTIONS_SOLVE = 1 << 2 };

/* No port. */
enum { OPTIONS_NO_PORT = 65536 };

enum options_result {
    OPTIONS_GOOD,
    OPTIONS_BAD,     /* the message was printed: leave with status 2 */
    OPTIONS_HELP,    /* --help was asked for */
    OPTIONS_VERSION, /* --version was asked for */
    OPTIONS_MAN,     /* --man was asked for */
};

/* Read the options that `taker` takes from `count` arguments, then the ARBITER_… variables of those that were not
 * given. A variable that an option overrides is not looked at, nor is that of an option that is not taken. Strings
 * point into `arguments` and the environment. Arguments that are no options, which only solve takes, are moved to the
 * front of `arguments`; behind "--" all are. */
enum options_result options_read(enum options_taker taker, int count, char **arguments, struct options *ret_options);

/* All at their defaults. */
struct options options_standard(void);

/* An option as it is told to people. */
struct option_text {
    char name[64];       /* "--max-cases" */
    char variable[64];   /* "ARBITER_MAX_CASES" */
    const char *meaning; /* a phrase */
    char standard[64];   /* the default */
    unsigned takers;     /* an or of enum options_taker: who takes it */
};

/* Spell option `index`, from 0, of those that `taker` takes; false when there are no more. */
bool options_spell(enum options_taker taker, size_t index, struct option_text *ret_text);
