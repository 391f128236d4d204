/* Sockets that listen for connections: made here, or inherited from the service manager (socket activation). */
#pragma once

#include "api/server/log.h"

#include <netdb.h>
#include <stdbool.h>
#include <stdint.h>

/* Where a socket listens, as text. */
struct endpoint {
    char host[NI_MAXHOST], port[NI_MAXSERV];
};

/* Make a socket that listens at a port, on the first of the addresses of a host name where that is possible. Port 0
 * takes a free one. Returns the descriptor, which does not block; -1, with the reason logged, when there is none. */
int listen_on(struct log *log, const char *name, uint64_t number);

/* Take the listening socket that the service manager has opened, by the protocol of sd_listen_fds(3): LISTEN_PID is
 * this process, and LISTEN_FDS the number of descriptors from 3 on. Writes the descriptor to *ret_listening, or -1 when
 * there is none. False, with the reason logged, when it cannot be served on: there is more than one, or it is no TCP
 * socket that listens. */
bool listen_inherit(struct log *log, int *ret_listening);

/* Get the address and port of a listening socket. */
struct endpoint listen_endpoint(int listening);
