/* Sockets that listen for connections: made here, or inherited from the service manager (socket activation). The
 * service manager also learns here what state the program is in. */
#pragma once

#include "api/log/log.h"

#include <netdb.h>
#include <stdbool.h>
#include <stdint.h>

/* The address and port of a socket as text. */
struct endpoint {
    char host[NI_MAXHOST], port[NI_MAXSERV];
};

/* Make a non-blocking socket that listens at a port, on the first usable address of a host name. Port 0 takes a free
 * port. Returns the descriptor; -1, with the reason logged, on failure. */
int listen_on(struct log *log, const char *name, uint64_t number);

/* Take the listening socket that the service manager has opened, by the protocol of sd_listen_fds(3): LISTEN_PID is
 * this process, and LISTEN_FDS is the number of descriptors from 3 on. *ret_listening is the descriptor, or -1 when
 * there is none. False, with the reason logged, when the service cannot use it: there is more than one, or it is not a
 * listening TCP socket. */
bool listen_inherit(struct log *log, int *ret_listening);

/* Tell the service manager about the state of the program, such as "READY=1", by the protocol of sd_notify(3):
 * NOTIFY_SOCKET names a socket. Nothing happens when the variable is not set, the socket cannot be reached, or its
 * queue is full. Never blocks. */
void listen_notify(const char *state);

/* Get the address and port of a listening socket. */
struct endpoint listen_endpoint(int listening);
