/* System calls for the socket of a connection. No function here blocks. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes that the kernel holds of a connection whose client is waited for, unless --memory allows fewer. */
enum { SOCKET_KERNEL_BYTES = 256 << 10 };

/* Bound the bytes that the kernel holds of a connection: half of them received and not read, half written and not sent.
 *
 * By default Linux lets each direction grow to some MiB. Clients that read nothing, or send what is not read yet, would
 * then cost far more memory than the service counts. Over a long link the first bound would also bound the rate of a
 * large body, so it is lifted while one is read. The second lets the bytes in flight grow with the link. */
void socket_bound_buffers(int socket, size_t bytes);

/* A large body is about to be read: lift the bound on what is received until socket_bound_buffers. */
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
