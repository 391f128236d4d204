#include "api/command/listen.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

/* ---- the list for --listen ---- */

/* Is this an address or name with a port? An IPv6 address has two or more colons. */
static bool has_port(const char *text, size_t length) {
    const char *colon = memchr(text, ':', length);
    return colon != NULL && memchr(colon + 1, ':', length - (size_t)(colon - text) - 1) == NULL;
}

bool listen_next(const char **list, char ret_name[NI_MAXHOST]) {
    const char *begin = *list + strspn(*list, " \t"), *end = begin + strcspn(begin, ",");
    *list = *end == ',' ? end + 1 : end;
    while (end > begin && (end[-1] == ' ' || end[-1] == '\t'))
        end--;
    if (end - begin > 2 && *begin == '[' && end[-1] == ']') {
        begin++;
        end--;
    }
    size_t length = (size_t)(end - begin);
    bool good = length != 0 && length < NI_MAXHOST && memchr(begin, '[', length) == NULL && !has_port(begin, length);
    if (good)
        memcpy(ret_name, begin, length);
    ret_name[good ? length : 0] = 0;
    return good;
}

bool listen_check(const char *list, const char **ret_wrong, size_t *ret_length) {
    char name[NI_MAXHOST];
    for (size_t count = 0; *list != 0 || count == 0; count++) {
        *ret_wrong = list;
        bool good = listen_next(&list, name) && count < LISTENER_SOCKETS && (*list != 0 || list[-1] != ',');
        *ret_length = (size_t)(list - *ret_wrong);
        if (!good)
            return false;
    }
    return true;
}

/* ---- listening sockets ---- */

/* Create a socket that listens on one address. Returns -1 and sets errno on failure. `is_one`: it is one of several
 * addresses, so an IPv6 socket must not take the IPv4 port as well. */
static int listen_at(const struct addrinfo *address, bool is_one) {
    int one = 1, listening = socket(address->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (listening < 0)
        return -1;
    setsockopt(listening, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    if (is_one && address->ai_family == AF_INET6)
        setsockopt(listening, IPPROTO_IPV6, IPV6_V6ONLY, &one, sizeof one);
    if (bind(listening, address->ai_addr, address->ai_addrlen) != 0 || listen(listening, 1024) != 0) {
        int error = errno;
        close(listening);
        errno = error;
        return -1;
    }
    return listening;
}

static void log_cannot_listen(struct log *log, enum log_level level, const char *address, const char *port,
                              const char *why) {
    char reason[NI_MAXHOST + 256];
    snprintf(reason, sizeof reason, "%s port %s: %s", address, port, why);
    log_text(log, level, "cannot-listen", "reason", reason);
}

/* Does this name stand for all addresses of a family that the machine does not have? */
static bool is_without_family(const char *name, int error) {
    return (error == EAFNOSUPPORT || error == EADDRNOTAVAIL) &&
           (strcmp(name, "::") == 0 || strcmp(name, "0.0.0.0") == 0);
}

/* Add a socket for one name. Returns false, with the reason logged, on failure. */
static bool listen_on_name(struct log *log, const char *name, const char *port, bool is_one,
                           struct listening *listening) {
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE | AI_NUMERICSERV}, *addresses;
    int error = getaddrinfo(name, port, &hints, &addresses), made = -1;
    if (error != 0) {
        log_cannot_listen(log, LOG_LEVEL_ERROR, name, port, gai_strerror(error));
        return false;
    }
    for (const struct addrinfo *address = addresses; address != NULL && made < 0; address = address->ai_next)
        made = listen_at(address, is_one);
    error = errno;
    freeaddrinfo(addresses);
    bool is_skipped = made < 0 && is_one && is_without_family(name, error);
    if (made < 0)
        /* NOLINTNEXTLINE(concurrency-mt-unsafe): no other thread calls strerror, and glibc's is safe since 2.32 */
        log_cannot_listen(log, is_skipped ? LOG_LEVEL_WARN : LOG_LEVEL_ERROR, name, port, strerror(error));
    else
        listening->sockets[listening->count++] = made;
    return made >= 0 || is_skipped;
}

bool listen_on(struct log *log, const char *list, uint64_t number, struct listening *ret_listening) {
    char name[NI_MAXHOST];
    struct endpoint first = {.port = ""};
    bool is_one = strchr(list, ',') != NULL, good = true;
    snprintf(first.port, sizeof first.port, "%u", (unsigned)number);
    *ret_listening = (struct listening){.count = 0};
    while (*list != 0 && good) {
        good = listen_next(&list, name) && listen_on_name(log, name, first.port, is_one, ret_listening);
        if (good && ret_listening->count == 1) /* if the system chooses the port, it is the same for all sockets */
            first = listen_endpoint(ret_listening->sockets[0]);
    }
    if (good && ret_listening->count == 0)
        log_text(log, LOG_LEVEL_ERROR, "cannot-listen", "reason", "none of the addresses belongs to this machine");
    if (good && ret_listening->count != 0)
        return true;
    listening_close(ret_listening);
    return false;
}

/* ---- the service manager ---- */

enum { FIRST_INHERITED = 3 };

/* Read a text that consists of nothing but a decimal number. */
static bool read_number(const char *text, unsigned long *ret_number) {
    char *end;
    *ret_number = strtoul(text, &end, 10);
    return *text >= '0' && *text <= '9' && *end == 0;
}

/* Get how many descriptors the service manager has opened for this process. Returns false if LISTEN_FDS is not a
 * number. */
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

bool listen_inherit(struct log *log, struct listening *ret_listening) {
    unsigned long count;
    const char *wrong = NULL;
    if (!count_inherited(&count))
        wrong = "LISTEN_FDS is not a number";
    else if (count > 1)
        wrong = "LISTEN_FDS is more than 1; arbiter serves on one socket (one on [::] also accepts IPv4)";
    else if (count == 1 && !is_tcp_listener(FIRST_INHERITED))
        wrong = "the descriptor passed with LISTEN_FDS is not a listening TCP socket (use ListenStream=8080)";
    if (wrong != NULL) {
        log_text(log, LOG_LEVEL_ERROR, "cannot-listen", "reason", wrong);
        return false;
    }
    *ret_listening = (struct listening){.sockets = {FIRST_INHERITED}, .count = (size_t)count};
    if (count == 1) {
        fcntl(FIRST_INHERITED, F_SETFD, FD_CLOEXEC);
        fcntl(FIRST_INHERITED, F_SETFL, fcntl(FIRST_INHERITED, F_GETFL) | O_NONBLOCK);
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
