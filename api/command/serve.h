/* The service: what the program runs without a command. */
#pragma once

#include "api/command/options.h"

/* Exit statuses. */
enum { SERVE_CLEAN = 0, SERVE_FAILED = 1 };

/* Serve until a signal comes, and shut down in order. Returns the exit status. Once in a process: afterwards signals
 * are blocked and SIGPIPE is ignored. */
int serve(const struct options *options);
