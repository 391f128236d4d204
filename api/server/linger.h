/* Connections that are closed while their client still sends: what comes is read and thrown away for a while.
 *
 * A request that is refused by its head is answered before its body has come, and that ends the connection. Who closes
 * a socket in which bytes lie unread has the kernel send a reset, and a proxy that gets a reset while it sends gives
 * the answer up (HAProxy does, half of the time). So the socket is kept open, its sending side closed, until the client
 * has read the answer and closes too, for two seconds at most. */
#pragma once

#include "api/server/http_loop.h"

/* At most these many sockets linger in a loop; of more the oldest is closed. */
enum { LINGER_MAX = 128 };

/* Let a socket, which its owner is about to close, linger with a descriptor of its own. If there is no descriptor or
 * memory nothing happens. */
void linger_begin(struct http_loop *loop, int socket);

/* Close all that linger. */
void linger_end_all(struct http_loop *loop);
