/* The port of those who operate the service: probes and metrics, by a loop and a thread of its own, which answer
 * whatever the load on the others.
 *
 * Life cycle: ops_start after http_new, ops_stop before http_free. */
#pragma once

#include "api/server/http_loop.h"

struct ops;

/* Serve on a listening socket, which ops_stop closes. NULL when memory, descriptors or threads are exhausted; the
 * socket is closed then. */
struct ops *ops_start(struct http_shared *shared, int listening);

/* Close everything, free. Accepts NULL. */
void ops_stop(struct ops *ops);
