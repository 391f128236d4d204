/* Listening sockets: created here, or inherited from the service manager (socket activation). Also reports the state of
 * the program to the service manager. */
#pragma once

#include "api/log/log.h"
#include "api/server/listener.h"

#include <netdb.h>
#include <stdbool.h>
#include <stdint.h>

/* The address and port of a socket, as text. */
struct endpoint {
    char host[NI_MAXHOST], port[NI_MAXSERV];
};

/* Checks a list for --listen: one to LISTENER_SOCKETS addresses or names separated by commas; IPv6 addresses may be in
 * brackets. Returns false if it is invalid; *ret_wrong and *ret_length then give the first wrong element. */
bool listen_check(const char *list, const char **ret_wrong, size_t *ret_length);

/* Get the next element of such a list, without brackets, and move *list to the one after it. Returns false if the
 * element is not a name. */
bool listen_next(const char **list, char ret_name[NI_MAXHOST]);

/* Create non-blocking listening sockets on a port: for each element of a list that listen_check accepts, one on its
 * first usable address. Port 0 picks a free port, the same for all. If there are several elements, "0.0.0.0" and "::"
 * are skipped, with a warning in the log, if the machine has no such addresses. On failure, logs the reason, leaves no
 * socket open, and returns false. */
bool listen_on(struct log *log, const char *list, uint64_t number, struct listening *ret_listening);

/* Take over the listening socket that the service manager has opened, using the protocol of sd_listen_fds(3):
 * LISTEN_PID is this process, and LISTEN_FDS is the number of descriptors, which start at 3. *ret_listening receives
 * the descriptor, or none. Logs the reason and returns false if the service cannot use it: there is more than one, or
 * it is not a listening TCP socket. */
bool listen_inherit(struct log *log, struct listening *ret_listening);

/* Tell the service manager about the state of the program, such as "READY=1", using the protocol of sd_notify(3):
 * NOTIFY_SOCKET names a socket. Does nothing if the variable is not set, the socket cannot be reached, or its queue is
 * full. Never blocks. */
void listen_notify(const char *state);

/* Get the address and port of a listening socket. */
struct endpoint listen_endpoint(int listening);
