/* The values that follow from options and variables: --check prints them, and the service uses them. */
#pragma once

#include "api/command/options.h"
#include "api/log/log.h"

#include <stdbool.h>
#include <stdint.h>

/* The option --check. Prints a line `name value` for each option in force. Then prints, in bytes, each part of the most
 * memory that the options allow, and the sum, which is also printed as a line each for systemd, compose and Kubernetes.
 * Warns about variables that belong to no option. Returns the exit status: 0, or 1 if it cannot print. */
int check(const struct options *options);

/* Get the most memory that the options allow, in bytes; see the table in docs/sizing.md ("Memory"). */
uint64_t check_max_memory(const struct options *options);

/* Log a warning if the options allow more memory than the cgroup does. */
void check_memory(const struct options *options, struct log *log);

/* Log a warning for each ARBITER_… variable that no option uses, naming the most similar one that an option does use;
 * one warning for all variables that Kubernetes has set; and one if the limit on descriptors allows fewer connections
 * than the options. Then return whether the program can serve with the installed libmicrohttpd; if not, log the
 * reason. */
bool check_start(const struct options *options, struct log *log);
