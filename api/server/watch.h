/* Watches for clients that are too slow, that have gone, or whose answers hold memory that others need. It reports what
 * it finds as events of the exchange.
 *
 * Deadlines. libmicrohttpd only times out inactive connections, so a client that sends a byte now and then would never
 * be timed out. Here, each head and each body must be complete by a deadline. When the deadline for a body passes, the
 * client gets 408 and has two seconds to hang up.
 *
 * Readers. An answer has no deadline, because it may be long. Instead, while there are bytes to read, the client must
 * read at least 1 KiB per second on average over the send timeout. To check this, the number of bytes that the client
 * has acknowledged, as reported by the kernel, is sampled several times within that timeout.
 *
 * Room. While less than 1/16 of the account is free, and after each refusal for lack of memory, the answers of very
 * slow readers are cut off, one at a time. Each is chosen from the client whose answers hold the most bytes, provided
 * that they exceed an equal share of the account. Among that client's answers, the one that will take longest to finish
 * is cut off, provided that it needs more than a minute. Each loop checks its own connections.
 *
 * Connections. While all connections are taken and more clients are waiting, one connection is closed for each of them.
 * It belongs to the client with the most connections, provided that this is more than an equal share, and it has been
 * waiting for its client for at least a second. A client that opens more connections than are available, but sends its
 * requests promptly, only waits for its own answers.
 *
 * Hang-ups. Each socket is watched from the beginning of its connection to its end, because libmicrohttpd ignores
 * suspended connections, and misses an end of stream that arrives together with the last bytes it reads. A client that
 * closes its sending side after a complete request may still want the answer (RFC 9112, 9.6), and cannot be told from
 * one that has gone until something is sent to it. So a complete request may continue for one second, while a
 * connection without a request ends immediately. */
#pragma once

#include "api/server/connection.h"

/* Start watching a connection. If the system has no memory for that, a hang-up is only noticed when something is
 * sent. */
void watch_begin(struct connection *connection);

/* Stop watching a connection, whose socket must still be open. */
void watch_end(struct connection *connection);

/* A request has ended. If its client has closed its sending side, the connection ends as well, unless libmicrohttpd has
 * already read the next request. */
void watch_request_ended(struct connection *connection);

/* Close one of this client's connections to make room for another client: the one that has waited longest for a head,
 * or else for a body, or else for its reader. Returns false if none of the client's connections in this loop is waiting
 * for any of these. */
bool watch_close_one(struct http_loop *loop, const struct client_address *client);

/* Called in each round of a loop. Schedules the next check if the account is nearly exhausted, or has refused memory
 * since the last check. */
void watch_room(struct http_loop *loop);
