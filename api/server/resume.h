/* Suspending and resuming connections.
 *
 * Whenever a connection is resumed, libmicrohttpd visits all suspended ones. If these are many, connections that are to
 * be resumed wait for a moment and are resumed together. */
#pragma once

#include "api/server/exchange.h"
#include "api/server/http_loop.h"

/* Suspend the exchange's connection. Called in a callback of libmicrohttpd for it. */
void resume_suspend(struct exchange *exchange);

/* Resume the exchange's connection, if it is suspended and not being resumed already. */
void resume_exchange(struct exchange *exchange);

/* The loop is shutting down: resume all connections that wait here. */
void resume_all(struct http_loop *loop);
