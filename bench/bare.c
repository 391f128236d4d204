/* A bare libmicrohttpd server to compare Arbiter with. Like Arbiter, it uses an internal thread with epoll, and the
 * library's default memory per connection. It reads and ignores each request body, and always sends the same response,
 * which is created only once.
 *
 *     bare BODY [NAME VALUE]...
 *
 * prints its port on 127.0.0.1, and runs until it is killed. */
#include <arpa/inet.h>
#include <microhttpd.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static enum MHD_Result on_request(void *cls, struct MHD_Connection *connection, const char *path, const char *method,
                                  const char *version, const char *bytes, size_t *length, void **context) {
    (void)path, (void)method, (void)version, (void)bytes;
    if (*context == NULL) {
        /* Responding before the body has been read would close the connection. */
        *context = cls;
        return MHD_YES;
    }
    if (*length != 0) {
        *length = 0;
        return MHD_YES;
    }
    return MHD_queue_response(connection, 200, cls);
}

int main(int count, char **arguments) {
    if (count < 2 || count % 2 != 0) {
        fprintf(stderr, "usage: bare BODY [NAME VALUE]...\n");
        return 2;
    }
    signal(SIGPIPE, SIG_IGN);
    struct MHD_Response *response =
        MHD_create_response_from_buffer(strlen(arguments[1]), arguments[1], MHD_RESPMEM_PERSISTENT);
    for (int a = 2; response != NULL && a < count; a += 2)
        if (MHD_add_response_header(response, arguments[a], arguments[a + 1]) != MHD_YES)
            return 1;
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    struct MHD_Daemon *daemon = response == NULL
                                    ? NULL
                                    : MHD_start_daemon(MHD_USE_EPOLL_INTERNAL_THREAD, 0, NULL, NULL, on_request,
                                                       response, MHD_OPTION_SOCK_ADDR, &address, MHD_OPTION_END);
    const union MHD_DaemonInfo *info = daemon != NULL ? MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT) : NULL;
    if (info == NULL)
        return 1;
    printf("%u\n", (unsigned)info->port);
    fflush(stdout);
    for (;;)
        pause();
}
