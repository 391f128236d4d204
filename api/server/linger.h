/* Lingering connections: a connection is closed while its client still sends, and what the client sends is read and
 * dropped for a while.
 *
 * A request that is refused by its head is answered before its body has arrived, and that ends the connection. If a
 * socket is closed while it has unread bytes, the kernel sends a reset. A proxy that gets a reset while it sends drops
 * the answer (HAProxy does so half of the time). So only the sending side is closed, and the socket is kept open until
 * the client has read the answer and closes too, for two seconds at most. */
#pragma once

#include "api/server/http_loop.h"

/* The most sockets that linger in a loop; beyond that the oldest is closed. */
enum { LINGER_MAX = 128 };

/* Let a socket linger that its owner is about to close. It lingers with a descriptor of its own. Without a descriptor
 * or memory nothing happens. */
void linger_begin(struct http_loop *loop, int socket);

/* Close all lingering sockets. */
void linger_end_all(struct http_loop *loop);
