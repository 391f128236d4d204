/* Deadlines of connections: the timer of each connection, and what happens when it fires.
 *
 * libmicrohttpd's own timeout is one of inactivity: a byte now and then keeps a request alive for ever. Here a head and
 * a body each have a time by which they must be complete; the socket of one that is late is shut down, which
 * libmicrohttpd takes for a client that hangs up.
 *
 * An answer has no such time, for it may be long; but its reader must take at least a KiB a second on average over the
 * time that is given for it, as long as there is something for it to take. So its connection is looked at several times
 * within that time: how many bytes the other side has acknowledged is known to the kernel. */
#pragma once

#include "api/server/connection.h"
#include "api/server/http_loop.h"

/* A head is waited for: from now on, or from the end of the last answer on. */
void deadline_for_head(struct connection *connection);

/* A body is waited for. */
void deadline_for_body(struct connection *connection);

/* An answer is being sent. */
void deadline_for_reader(struct connection *connection);

/* The client is waited for no more. */
void deadline_stop(struct connection *connection);

/* The socket of an exchange that was cut off is shut down, so that libmicrohttpd closes the connection; or is reset,
 * where the end of the connection would be taken for the end of the answer. */
void deadline_disconnect(const struct connection *connection);

/* How many milliseconds the reader of an answer needs for what is left, at its pace of the last seconds in which
 * something waited for it; UINT64_MAX: for ever; 0: it is not known yet. */
uint64_t deadline_time_to_go(const struct connection *connection);

/* A look at the connections of a loop that leaves: who is found hung up in the middle of a body in two looks in a row
 * is cut off. libmicrohttpd overlooks a hang-up that comes together with the last bytes of an unfinished body. Between
 * two looks there must be time enough to read a request that is complete. */
void deadline_check_hang_ups(struct http_loop *loop);
