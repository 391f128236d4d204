/* The service: what the program runs if no command is given. */
#pragma once

#include "api/command/options.h"

/* Exit statuses. */
enum { SERVE_CLEAN = 0, SERVE_FAILED = 1 };

/* Serve until a signal arrives, then shut down in an orderly way. Returns the exit status. Call it at most once per
 * process: afterwards signals are blocked and SIGPIPE is ignored. */
int serve(const struct options *options);
