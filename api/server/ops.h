/* The port of the operators: probes and metrics. It has a loop and a thread of its own, so that it answers whatever the
 * load on the others.
 *
 * Life cycle: ops_start after http_new, ops_stop before http_free. */
#pragma once

#include "api/server/http_loop.h"

/* The most connections, and the most descriptors with its own: an epoll descriptor of the loop and of libmicrohttpd, a
 * mailbox, the listening socket, connections that are accepted and about to be closed. */
enum { OPS_CONNECTIONS = 64, OPS_DESCRIPTORS = OPS_CONNECTIONS + 8 };

struct ops;

/* Serve on a listening socket, which ops_stop closes. NULL when memory, descriptors or threads are exhausted; the
 * socket is closed then. */
struct ops *ops_start(struct http_shared *shared, int listening);

/* Close all connections and free it. Accepts NULL. */
void ops_stop(struct ops *ops);
