/* The start of the service and of the command solve. */
#pragma once

#include "api/api.h"
#include "api/command/options.h"
#include "api/log/log.h"
#include "api/work/queue.h"

#include <stdbool.h>

/* Can the program serve with the libmicrohttpd that is installed? If not, the reason is logged. */
bool start_fits_library(struct log *log);

/* Make a service with the limits of the options. It draws memory from the account. `reads_files` is a member of struct
 * service_config. NULL when memory is exhausted. Call it before other threads start: it
 * configures malloc. */
struct service *start_service(const struct options *options, struct account *account, bool reads_files);

/* Get the workers that the options set. */
struct queue_config start_workers(const struct options *options, struct account *account);
