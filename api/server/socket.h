/* System calls for the socket of a connection. No function here blocks. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The maximum number of bytes that the kernel buffers for a connection that waits for its client; with --memory,
 * possibly fewer. */
enum { SOCKET_KERNEL_BYTES = 256 << 10 };

/* Limit the bytes that the kernel buffers for a connection: half of them for data received but not read, half for data
 * written but not sent.
 *
 * By default Linux lets each direction grow to a few MiB. Clients that read nothing, or that send data faster than it
 * is read, would then cost far more memory than the service accounts for. On a long-distance link the receive limit
 * would also limit the rate of a large body, so it is lifted while one is read. The send limit still lets the bytes in
 * flight grow with the link. */
void socket_bound_buffers(int socket, size_t bytes);

/* A large body is about to be read: lift the receive limit until the next socket_bound_buffers. */
void socket_begin_body(int socket);

/* Has the peer closed its sending direction, with no unread bytes left? */
bool socket_is_hung_up(int socket);

/* Get the number of bytes that the peer has acknowledged. *ret_has_all is set if no written bytes are
 * unacknowledged. */
uint64_t socket_acknowledged(int socket, bool *ret_has_all);

/* Close the sending direction. The peer sees the end of the connection but can still send. */
void socket_end_sending(int socket);

/* Shut down both directions, which libmicrohttpd treats as a hang-up by the client. */
void socket_shut_down(int socket);

/* Close the connection with a reset, so that the peer does not see an orderly end. */
void socket_reset(int socket);

/* Choose whether closing the socket, even by the end of the process, resets the connection. */
void socket_reset_at_close(int socket, bool reset);
