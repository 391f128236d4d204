/* System calls for the socket of a connection. No function here blocks. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Bytes that the kernel holds of a connection: received and not read, and written and not sent.
 *
 * By default Linux lets each direction grow to some MiB. Clients that read nothing, or send what is not read yet, would
 * then cost far more memory than the service counts. SO_RCVBUF bounds the first; the kernel uses twice its value, for
 * its own overhead. Over a long link it would also bound the rate of a large body, so it is lifted while one is read.
 * TCP_NOTSENT_LOWAT bounds the bytes that are not sent, and lets the bytes in flight grow with the link. */
enum {
    SOCKET_RECEIVE_BYTES = 64 << 10,
    SOCKET_UNSENT_BYTES = 128 << 10,
    SOCKET_KERNEL_BYTES = 2 * SOCKET_RECEIVE_BYTES + SOCKET_UNSENT_BYTES, /* of a client that is waited for */
};

/* Bound the unsent bytes of all connections that a socket accepts. Call it before listen(2). */
void socket_bound_sending(int listening);

/* Bound the bytes that are received and not read. */
void socket_bound_receiving(int socket);

/* A large body is about to be read: remove that bound until socket_bound_receiving. */
void socket_begin_body(int socket);

/* Has the other side closed its sending direction, and are there no unread bytes? */
bool socket_is_hung_up(int socket);

/* Get how many bytes the other side has acknowledged. *ret_has_all: no written bytes are unacknowledged. */
uint64_t socket_acknowledged(int socket, bool *ret_has_all);

/* Close the sending direction: the other side reads the end of the connection, and can still send. */
void socket_end_sending(int socket);

/* Shut down both directions; libmicrohttpd treats that as a hang-up of the client. */
void socket_shut_down(int socket);

/* Close the connection with a reset, so that the other side does not see an orderly end. */
void socket_reset(int socket);

/* Choose whether the connection is reset whenever its socket is closed from now on, even by the end of the program. */
void socket_reset_at_close(int socket, bool reset);
