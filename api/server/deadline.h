/* Deadlines of connections: each connection has a timer.
 *
 * The timeout of libmicrohttpd is one of inactivity: a client that sends one byte now and then is never timed out. Here
 * a head and a body each have a deadline by which they must be complete. When that of a body passes, the client gets
 * 408 and two seconds to hang up. After that, and when that of a head passes, the socket is shut down, and
 * libmicrohttpd treats that as a hang-up of the client.
 *
 * An answer has no deadline, because it may be long. Instead its reader must take at least 1 KiB a second on average
 * over the send timeout, while there are bytes for it to take. So the number of bytes that the client has acknowledged,
 * which the kernel reports, is sampled several times within that timeout. */
#pragma once

#include "api/server/connection.h"
#include "api/server/http_loop.h"

/* Start the deadline for a head, at the beginning of a connection or after an answer. */
void deadline_for_head(struct connection *connection);

/* Start the deadline for a body. */
void deadline_for_body(struct connection *connection);

/* An answer is being sent: start to check its reader. */
void deadline_for_reader(struct connection *connection);

/* Stop the timer: nothing is expected from the client. */
void deadline_stop(struct connection *connection);

/* Estimate how many milliseconds the reader of an answer needs for the rest, from its rate over the latest samples.
 * UINT64_MAX: it reads nothing; 0: not known yet. */
uint64_t deadline_time_to_go(const struct connection *connection);
