/* What the kernel is asked about the socket of a connection, and told of it. No function here blocks. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* What the kernel holds of a connection, bytes: what was received and not read, and what was written and not sent.
 *
 * Left alone Linux lets each direction grow to some MiB, so that clients that read nothing, or send what nobody reads
 * yet, cost far more memory than the service counts. SO_RCVBUF bounds the first, with twice its value for the kernel's
 * own overhead; over a long link it would also bound the pace of a large body, so it does not hold while one is read.
 * TCP_NOTSENT_LOWAT bounds what was not sent, and lets what is on its way grow with the link. */
enum {
    SOCKET_RECEIVE_BYTES = 64 << 10,
    SOCKET_UNSENT_BYTES = 128 << 10,
    SOCKET_KERNEL_BYTES = 2 * SOCKET_RECEIVE_BYTES + SOCKET_UNSENT_BYTES, /* of a client that is waited for */
};

/* Bound what was not sent, of all connections that a socket accepts. Call it before listen(2). */
void socket_bound_sending(int listening);

/* Bound what is received and not read of a connection. */
void socket_bound_receiving(int socket);

/* A large body comes, and is read as it comes: do not bound it until socket_bound_receiving. */
void socket_begin_body(int socket);

/* Has the other side closed its sending direction, with nothing left to be read? */
bool socket_is_hung_up(int socket);

/* How much the other side has acknowledged, in bytes; *ret_has_all: nothing that was written waits for it. */
uint64_t socket_acknowledged(int socket, bool *ret_has_all);

/* End both directions: libmicrohttpd takes it for a client that hangs up. */
void socket_shut_down(int socket);

/* Disconnect, so that the other side sees a reset, and not an orderly end. */
void socket_reset(int socket);
