/* What the service and the command that does without one begin with. */
#pragma once

#include "api/api.h"
#include "api/command/options.h"
#include "api/work/queue.h"

/* Make a service with the limits of the options, which draws from the account, and whose callers say what a body is by
 * `body_names` (struct service_config). NULL when memory is exhausted. Before
 * there are threads: it sets how the C library gives memory back. */
struct service *start_service(const struct options *options, struct account *account, const char *const *body_names);

/* The workers of the options. */
struct queue_config start_workers(const struct options *options, struct account *account);
