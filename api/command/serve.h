/* The service: what the program does when nothing else is asked for. */
#pragma once

#include "api/command/options.h"

/* Exit statuses. */
enum { SERVE_CLEAN = 0, SERVE_FAILED = 1 };

/* Serve until a signal comes and leave in order. Returns the exit status. Once in a process: signals are blocked and
 * SIGPIPE is ignored afterwards. */
int serve(const struct options *options);
