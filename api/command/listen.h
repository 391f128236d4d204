/* Sockets that listen for connections. */
#pragma once

#include "api/server/log.h"

#include <netdb.h>
#include <stdint.h>

/* Where a socket listens, as text. */
struct endpoint {
    char host[NI_MAXHOST], port[NI_MAXSERV];
};

/* Make a socket that listens at a port, on the first of the addresses of a host name where that is possible. Port 0 takes
 * a free one. Returns the descriptor, which does not block; -1, with the reason logged, when there is none. */
int listen_on(struct log *log, const char *name, uint64_t number);

/* Get the address and port of a listening socket. */
struct endpoint listen_endpoint(int listening);
