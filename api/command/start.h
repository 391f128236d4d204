/* The part of startup that the service and `arbiter solve` share. */
#pragma once

#include "api/api.h"
#include "api/command/options.h"
#include "api/work/queue.h"

#include <stdbool.h>

/* Initialise the account, and create a service that draws memory from it, with the limits given by the options.
 * `reads_files` and `include` are as in struct service_config. Returns NULL when out of memory. Call it before other
 * threads start, because it configures malloc. */
struct service *start_service(const struct options *options, struct account *ret_account, bool reads_files,
                              const char *include);

/* Get the worker configuration that the options specify. */
struct queue_config start_workers(const struct options *options, struct account *account);
