/* Connections that are closed while their client still sends: what comes is read and thrown away for a while.
 *
 * A request that is refused by its head is answered before its body has come, and that ends the connection. Who closes
 * a socket in which bytes lie unread has the kernel send a reset, and a proxy that is told of a reset while it sends
 * gives the answer up (HAProxy does, half of the time). So the socket is kept open, its sending side closed, until the
 * client has read the answer and closes too, for two seconds at most.
 *
 * Begin from the I/O thread, look from another. */
#pragma once

#include <stdint.h>

struct farewell;

/* So many sockets at once; of more the oldest is closed. */
enum { FAREWELL_MOST = 128 };

/* NULL when memory or descriptors are exhausted. */
struct farewell *farewell_new(void);

/* Close all. Accepts NULL. */
void farewell_free(struct farewell *farewell);

/* Keep a socket open, which its owner is about to close, with a descriptor of our own. Without one it is as if this was
 * not called. */
void farewell_begin(struct farewell *farewell, int socket);

/* A descriptor that can be read when there is something to throw away, or somebody has closed. */
int farewell_descriptor(const struct farewell *farewell);

/* Throw away what has come, and close what is over. Returns how many milliseconds it takes until there is more to close
 * if nothing comes; UINT64_MAX when nothing is left. */
uint64_t farewell_look(struct farewell *farewell);
