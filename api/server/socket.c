#include "api/server/socket.h"

#include <linux/sockios.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

static void set_receive_bytes(int socket, int bytes) {
    setsockopt(socket, SOL_SOCKET, SO_RCVBUF, &bytes, sizeof bytes);
}

/* Connections inherit both options. */
void socket_bound(int listening) {
    const int unsent = SOCKET_UNSENT_BYTES;
    set_receive_bytes(listening, SOCKET_RECEIVE_BYTES);
    setsockopt(listening, IPPROTO_TCP, TCP_NOTSENT_LOWAT, &unsent, sizeof unsent);
}

void socket_begin_body(int socket) { set_receive_bytes(socket, SOCKET_RECEIVE_BODY_BYTES); }

void socket_end_body(int socket) { set_receive_bytes(socket, SOCKET_RECEIVE_BYTES); }

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

void socket_shut_down(int socket) { shutdown(socket, SHUT_RDWR); }

void socket_reset(int socket) {
    const struct sockaddr nowhere = {.sa_family = AF_UNSPEC};
    (void)connect(socket, &nowhere, sizeof nowhere);
}
