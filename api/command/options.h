/* The options of the program: one table, read from the command line and the environment, told by --help and the manual
 * page. The limits of the service are options too. */
#pragma once

#include "api/game/limit.h"
#include "api/server/log.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct options {
    const char *listen;                  /* an address or a name */
    uint64_t port;                       /* 0: a free one */
    uint64_t workers;                    /* never 0 once options_read is done */
    const char *cors_origin;             /* what cors_check finds good */
    uint64_t head_timeout, body_timeout; /* seconds */
    uint64_t drain_delay, drain_timeout; /* seconds */
    enum log_level log_level;
    struct limits limits; /* all of them, those of the queue last */
};

/* Who takes options: the service, and commands. */
enum options_taker { OPTIONS_SERVE = 1 << 0, OPTIONS_HEALTH = 1 << 1 };

enum options_result {
    OPTIONS_GOOD,
    OPTIONS_BAD,     /* the message was printed: leave with status 2 */
    OPTIONS_HELP,    /* --help was asked for */
    OPTIONS_VERSION, /* --version was asked for */
    OPTIONS_MAN,     /* --man was asked for */
};

/* Read the options that `taker` takes from `count` arguments, then the ARBITER_… variables of those that were not
 * given. A variable that an option overrides is not looked at, nor is that of an option that is not taken. Strings
 * point into `arguments` and the environment. */
enum options_result options_read(enum options_taker taker, int count, char **arguments, struct options *ret_options);

/* All at their defaults. */
struct options options_standard(void);

/* An option as it is told to people. */
struct option_text {
    char name[64];       /* "--max-cases" */
    char variable[64];   /* "ARBITER_MAX_CASES" */
    const char *meaning; /* a phrase */
    char standard[64];   /* the default */
};

/* Spell option `index` of the service, from 0; false when there are no more. */
bool options_spell(size_t index, struct option_text *ret_text);
