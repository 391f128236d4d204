/* The configuration: one table of options, read from the environment and the command line. */
#pragma once

#include "api/request/limits.h"
#include "api/server/log.h"

#include <stdint.h>

struct config {
    const char *listen; /* an address or a name */
    uint64_t port;      /* 0: a free one */
    uint64_t workers;
    const char *cors_origin;
    uint64_t head_timeout, body_timeout; /* seconds */
    uint64_t drain_delay, drain_timeout; /* seconds */
    enum log_level log_level;
    struct api_limits limits;
};

enum config_result {
    CONFIG_RUN,  /* start the server */
    CONFIG_DONE, /* --help or --version was printed: leave with status 0 */
    CONFIG_BAD,  /* the message was printed: leave with status 2 */
};

/* Read ARBITER_… variables, then the options, which win. Strings point into `arguments` and the environment. */
enum config_result config_read(int count, char **arguments, struct config *ret_config);
