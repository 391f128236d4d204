#include "api/server/socket.h"

#include <limits.h>
#include <linux/sockios.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

/* This cannot be set on the listening socket, because connections would inherit a window that cannot grow. The kernel
 * doubles the value of SO_RCVBUF to allow for its own overhead. */
static void bound_received(int socket, size_t bytes) {
    const int received = (int)(bytes / 4);
    setsockopt(socket, SOL_SOCKET, SO_RCVBUF, &received, sizeof received);
}

void socket_bound_buffers(int socket, size_t bytes) {
    const int unsent = (int)(bytes / 2);
    bound_received(socket, bytes);
    setsockopt(socket, IPPROTO_TCP, TCP_NOTSENT_LOWAT, &unsent, sizeof unsent);
}

/* Linux 5.14 and later can remove the bound. Before that, the largest allowed value is set.
 *
 * The buffer is enlarged first. With --memory it may be smaller than a segment on the loopback interface (its MTU is 64
 * KiB); the kernel then drops segments, and grows the buffer too late: the client backs off until its time is up.
 */
void socket_begin_body(int socket) {
    const int none = 0, max = INT_MAX;
    bound_received(socket, SOCKET_KERNEL_BYTES);
    if (setsockopt(socket, SOL_SOCKET, SO_BUF_LOCK, &none, sizeof none) != 0)
        setsockopt(socket, SOL_SOCKET, SO_RCVBUF, &max, sizeof max);
}

bool socket_is_hung_up(int socket) {
    char byte;
    return recv(socket, &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 0;
}

uint64_t socket_acknowledged(int socket, bool *ret_has_all) {
    struct tcp_info info = {0};
    socklen_t size = sizeof info;
    int waiting = 0;
    *ret_has_all = ioctl(socket, SIOCOUTQ, &waiting) != 0 || waiting == 0;
    return getsockopt(socket, IPPROTO_TCP, TCP_INFO, &info, &size) == 0 ? info.tcpi_bytes_acked : 0;
}

void socket_end_sending(int socket) { shutdown(socket, SHUT_WR); }

void socket_shut_down(int socket) { shutdown(socket, SHUT_RDWR); }

void socket_reset(int socket) {
    const struct sockaddr nowhere = {.sa_family = AF_UNSPEC};
    (void)connect(socket, &nowhere, sizeof nowhere);
}

void socket_reset_at_close(int socket, bool reset) {
    const struct linger linger = {.l_onoff = reset, .l_linger = 0};
    setsockopt(socket, SOL_SOCKET, SO_LINGER, &linger, sizeof linger);
}
