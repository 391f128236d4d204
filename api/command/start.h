/* The start of the service and of the command solve. */
#pragma once

#include "api/api.h"
#include "api/command/options.h"
#include "api/work/queue.h"

#include <stdbool.h>

/* Initialise the account, and make a service with the limits of the options, which draws memory from it. `reads_files`
 * is a member of struct service_config. NULL when memory is exhausted. Call it before other threads start: it
 * configures malloc. */
struct service *start_service(const struct options *options, struct account *ret_account, bool reads_files);

/* Get the workers that the options set. */
struct queue_config start_workers(const struct options *options, struct account *account);
