/* Hang-ups of clients. Each socket is watched from the beginning of its connection to its end, because libmicrohttpd
 * does not look at a suspended connection, and overlooks an end that arrives together with the last bytes that it
 * reads.
 *
 * A client that has closed its sending side after a complete request may still want the answer (RFC 9112, 9.6). One
 * that has gone looks the same until something is sent to it. So a request that was complete may go on for a second,
 * and a connection without one ends at once. */
#pragma once

#include "api/server/connection.h"

/* Begin to watch a connection. If the system has no memory for that, a hang-up is noticed when something is sent. */
void hang_up_watch(struct connection *connection);

/* Stop. The socket is still open. */
void hang_up_unwatch(struct connection *connection);

/* A request has ended: if its client has closed its sending side, the connection ends, too, unless libmicrohttpd has
 * already read the next request. */
void hang_up_check(struct connection *connection);
