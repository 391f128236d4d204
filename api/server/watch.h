/* Watches the clients: those that are too slow, those that have gone, and those whose answers others need the memory
 * of. The findings are events of the exchange.
 *
 * Deadlines. The timeout of libmicrohttpd is one of inactivity: a client that sends one byte now and then is never
 * timed out. Here a head and a body each have a time by which they must be complete. When that of a body is over, the
 * client gets 408 and two seconds to hang up.
 *
 * Readers. An answer has no deadline, because it may be long. Instead its reader must take at least 1 KiB a second on
 * average over the send timeout, while there are bytes for it to take. So the number of bytes that the client has
 * acknowledged, which the kernel reports, is sampled several times within that timeout.
 *
 * Room. While less than 1/16 of the account is free, and after each refusal for lack of memory, the answer of a very
 * slow reader is cut off, one at a time. It is an answer of the client whose answers hold the most bytes, if that is
 * more than an equal share of the account; of these answers it is the one that needs the most time for the rest, if
 * that is more than a minute. Each loop checks its own connections.
 *
 * Connections. While all are taken and more clients wait, one connection is closed for each of them. It is one of the
 * client that has the most, if that is more than an equal share, and it has waited for its client for a second: a
 * client that opens more than there are, and sends its requests, waits for its own answers.
 *
 * Hang-ups. Each socket is watched from the beginning of its connection to its end, because libmicrohttpd does not look
 * at a suspended connection, and overlooks an end that arrives together with the last bytes that it reads. A client
 * that has closed its sending side after a complete request may still want the answer (RFC 9112, 9.6). One that has
 * gone looks the same until something is sent to it. So a request that was complete may go on for a second, and a
 * connection without one ends at once. */
#pragma once

#include "api/server/connection.h"

/* Begin to watch a connection. If the system has no memory for that, a hang-up is noticed when something is sent. */
void watch_begin(struct connection *connection);

/* Stop. The socket is still open. */
void watch_end(struct connection *connection);

/* A request has ended: if its client has closed its sending side, the connection ends, too, unless libmicrohttpd has
 * already read the next request. */
void watch_request_ended(struct connection *connection);

/* Close a connection of this client, so that another client can have one: that which has waited longest for a head,
 * otherwise for a body, otherwise for its reader. False if the client has none of these in this loop. */
bool watch_close_one(struct http_loop *loop, const struct client_address *client);

/* Called in each round of a loop: if the account is scarce, or has refused memory since the last check, schedule the
 * next check. */
void watch_room(struct http_loop *loop);
