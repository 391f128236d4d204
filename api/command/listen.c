#include "api/command/listen.h"

#include "api/server/socket.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

/* Make a socket that listens on one address; -1, with errno, on failure. */
static int listen_at(const struct addrinfo *address) {
    int one = 1, listening = socket(address->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (listening < 0)
        return -1;
    setsockopt(listening, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    socket_bound_sending(listening);
    if (bind(listening, address->ai_addr, address->ai_addrlen) != 0 || listen(listening, 1024) != 0) {
        int error = errno;
        close(listening);
        errno = error;
        return -1;
    }
    return listening;
}

static void log_cannot_listen(struct log *log, const char *address, const char *port, const char *why) {
    char reason[512];
    snprintf(reason, sizeof reason, "%s port %s: %s", address, port, why);
    log_text(log, LOG_LEVEL_ERROR, "cannot-listen", "reason", reason);
}

int listen_on(struct log *log, const char *name, uint64_t number) {
    char port[8];
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE | AI_NUMERICSERV}, *addresses;
    snprintf(port, sizeof port, "%u", (unsigned)number);
    int error = getaddrinfo(name, port, &hints, &addresses), listening = -1;
    if (error != 0) {
        log_cannot_listen(log, name, port, gai_strerror(error));
        return -1;
    }
    for (const struct addrinfo *address = addresses; address != NULL && listening < 0; address = address->ai_next)
        listening = listen_at(address);
    if (listening < 0)
        /* NOLINTNEXTLINE(concurrency-mt-unsafe): no other thread calls strerror, and glibc's is safe since 2.32 */
        log_cannot_listen(log, name, port, strerror(errno));
    freeaddrinfo(addresses);
    return listening;
}

/* ---- the service manager ---- */

enum { FIRST_INHERITED = 3 };

/* Read a text that is only a decimal number. */
static bool read_number(const char *text, unsigned long *ret_number) {
    char *end;
    *ret_number = strtoul(text, &end, 10);
    return *text >= '0' && *text <= '9' && *end == 0;
}

/* Get how many descriptors the service manager has opened for this process. False when LISTEN_FDS is no number. */
static bool count_inherited(unsigned long *ret_count) {
    /* NOLINTBEGIN(concurrency-mt-unsafe): nothing changes the environment */
    const char *process = getenv("LISTEN_PID"), *count = getenv("LISTEN_FDS");
    /* NOLINTEND(concurrency-mt-unsafe) */
    unsigned long pid;
    *ret_count = 0;
    if (process == NULL || count == NULL || !read_number(process, &pid) || pid != (unsigned long)getpid())
        return true;
    return read_number(count, ret_count);
}

static int socket_option(int socket, int option) {
    int value = -1;
    socklen_t size = sizeof value;
    return getsockopt(socket, SOL_SOCKET, option, &value, &size) == 0 ? value : -1;
}

static bool is_tcp_listener(int socket) {
    int domain = socket_option(socket, SO_DOMAIN);
    return (domain == AF_INET || domain == AF_INET6) && socket_option(socket, SO_TYPE) == SOCK_STREAM &&
           socket_option(socket, SO_ACCEPTCONN) == 1;
}

bool listen_inherit(struct log *log, int *ret_listening) {
    unsigned long count;
    const char *wrong = NULL;
    if (!count_inherited(&count))
        wrong = "LISTEN_FDS is no number";
    else if (count > 1)
        wrong = "LISTEN_FDS is more than 1: arbiter serves on one socket; one that listens on [::] takes IPv4, too";
    else if (count == 1 && !is_tcp_listener(FIRST_INHERITED))
        wrong = "the descriptor of LISTEN_FDS is no TCP socket that listens (ListenStream=8080)";
    if (wrong != NULL) {
        log_text(log, LOG_LEVEL_ERROR, "cannot-listen", "reason", wrong);
        return false;
    }
    *ret_listening = count == 1 ? FIRST_INHERITED : -1;
    if (count == 1) {
        fcntl(FIRST_INHERITED, F_SETFD, FD_CLOEXEC);
        fcntl(FIRST_INHERITED, F_SETFL, fcntl(FIRST_INHERITED, F_GETFL) | O_NONBLOCK);
        socket_bound_sending(FIRST_INHERITED);
    }
    return true;
}

void listen_notify(const char *state) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    const char *path = getenv("NOTIFY_SOCKET"); /* NOLINT(concurrency-mt-unsafe): nothing changes the environment */
    size_t length = path != NULL ? strlen(path) : 0;
    if (length == 0 || length > sizeof address.sun_path || (path[0] != '/' && path[0] != '@'))
        return;
    int socket_out = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (socket_out < 0)
        return;
    memcpy(address.sun_path, path, length);
    if (path[0] == '@') /* a name in the kernel's abstract namespace, which begins with a NUL */
        address.sun_path[0] = '\0';
    socklen_t size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length);
    sendto(socket_out, state, strlen(state), MSG_NOSIGNAL | MSG_DONTWAIT, (const struct sockaddr *)&address, size);
    close(socket_out);
}

/* ---- where a socket listens ---- */

struct endpoint listen_endpoint(int listening) {
    struct endpoint place = {"", "0"};
    struct sockaddr_storage address = {0};
    socklen_t length = sizeof address;
    getsockname(listening, (struct sockaddr *)&address, &length);
    getnameinfo((struct sockaddr *)&address, length, place.host, sizeof place.host, place.port, sizeof place.port,
                NI_NUMERICHOST | NI_NUMERICSERV);
    return place;
}
