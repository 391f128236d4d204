/* The port of those who operate the service: probes and metrics by a daemon and a thread of their own, which answer
 * whatever the load on the other.
 *
 * Life cycle: ops_start behind http_start, ops_stop before http_stop. */
#pragma once

#include "api/server/http.h"

struct ops;

/* Serve on a listening socket, which ops_stop closes. NULL when the daemon cannot be started; the socket is closed
 * then. */
struct ops *ops_start(struct http *http, int listening);

/* Close everything, free. Accepts NULL. */
void ops_stop(struct ops *ops);
