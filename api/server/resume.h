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

/* Let a connection go on in a second, the time in its Retry-After; at once if the service is shutting down. A
 * client that is refused because the queue is full often sends again at once, whatever Retry-After says, and the loop
 * would only refuse. The exchange is in STATE_DELAY. */
void resume_delayed(struct exchange *exchange);

/* The loop is shutting down: resume all connections that wait here. */
void resume_all(struct http_loop *loop);
