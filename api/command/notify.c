#include "api/command/notify.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

void notify(const char *state) {
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
