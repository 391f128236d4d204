/* Sockets that listen for connections: made here, or inherited from the service manager (socket activation). The
 * service manager also learns here what state the program is in. */
#pragma once

#include "api/log/log.h"
#include "api/server/listener.h"

#include <netdb.h>
#include <stdbool.h>
#include <stdint.h>

/* The address and port of a socket as text. */
struct endpoint {
    char host[NI_MAXHOST], port[NI_MAXSERV];
};

/* Is this a list for --listen: one to LISTENER_SOCKETS addresses or names with commas, IPv6 also in brackets? If not,
 * *ret_wrong and *ret_length are the first wrong element. */
bool listen_check(const char *list, const char **ret_wrong, size_t *ret_length);

/* Get the next element of such a list, without brackets, and move *list to the one that follows. False if it is no
 * name. */
bool listen_next(const char **list, char ret_name[NI_MAXHOST]);

/* Make non-blocking sockets that listen at a port, for each element of a list that listen_check accepts one, on its
 * first usable address. Port 0 takes a free port, the same for all. Of several elements, "0.0.0.0" and "::" are left
 * out if the machine has no such addresses, with a warning in the log. False, with the reason logged and no socket, on
 * failure. */
bool listen_on(struct log *log, const char *list, uint64_t number, struct listening *ret_listening);

/* Take the listening socket that the service manager has opened, by the protocol of sd_listen_fds(3): LISTEN_PID is
 * this process, and LISTEN_FDS is the number of descriptors from 3 on. *ret_listening has the descriptor, or none.
 * False, with the reason logged, when the service cannot use it: there is more than one, or it is not a listening TCP
 * socket. */
bool listen_inherit(struct log *log, struct listening *ret_listening);

/* Tell the service manager about the state of the program, such as "READY=1", by the protocol of sd_notify(3):
 * NOTIFY_SOCKET names a socket. Nothing happens when the variable is not set, the socket cannot be reached, or its
 * queue is full. Never blocks. */
void listen_notify(const char *state);

/* Get the address and port of a listening socket. */
struct endpoint listen_endpoint(int listening);
