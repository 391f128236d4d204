#include "api/command/health.h"

#include "api/command/listen.h"
#include "api/command/message.h"

#include <netdb.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

enum { READY = 0, NOT_READY = 1 }; /* no other values: container engines reserve 2 */

/* The timeouts for each step and for the whole program, including name resolution, which has a timeout of its own. */
enum { STEP = 1500 /* milliseconds */, LIMIT = 1900 /* milliseconds */ };

static struct timeval duration(long milliseconds) {
    return (struct timeval){.tv_sec = milliseconds / 1000, .tv_usec = milliseconds % 1000 * 1000};
}

static void give_up(int signal) {
    static const char text[] = "arbiter: the server does not answer\n";
    ssize_t unused = write(STDERR_FILENO, text, sizeof text - 1);
    (void)signal, (void)unused;
    _exit(NOT_READY);
}

/* Make sure that the program ends in time, no matter what it is waiting for. */
static void end_in_time(void) {
    struct sigaction action = {.sa_handler = give_up};
    const struct itimerval timer = {.it_value = duration(LIMIT)};
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &timer, NULL);
}

/* The addresses to ask if the service listens on this one: the loopback addresses if it listens on all interfaces. A
 * service on "::" accepts IPv4 as well, and accepts only IPv4 if IPv6 is disabled. */
static const char *const *addresses_to_ask(const char *const *address) {
    static const char *const any[] = {"127.0.0.1", NULL}, *const any6[] = {"::1", "127.0.0.1", NULL};
    return strcmp(*address, "0.0.0.0") == 0 ? any : strcmp(*address, "::") == 0 ? any6 : address;
}

/* Connect a socket to an address of the service. Returns -1 if the service does not accept. */
static int connect_to(const struct addrinfo *address) {
    const struct timeval step = duration(STEP);
    int asking = socket(address->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (asking < 0)
        return -1;
    setsockopt(asking, SOL_SOCKET, SO_SNDTIMEO, &step, sizeof step); /* applies to connect, too */
    setsockopt(asking, SOL_SOCKET, SO_RCVTIMEO, &step, sizeof step);
    if (connect(asking, address->ai_addr, address->ai_addrlen) == 0)
        return asking;
    close(asking);
    return -1;
}

/* Connect a socket to the first of a name's addresses that accepts. Returns -1 if none does. */
static int connect_to_name(const char *name, const char *port) {
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICSERV}, *addresses;
    int asking = -1;
    if (getaddrinfo(name, port, &hints, &addresses) != 0)
        return -1;
    for (const struct addrinfo *address = addresses; address != NULL && asking < 0; address = address->ai_next)
        asking = connect_to(address);
    freeaddrinfo(addresses);
    return asking;
}

static const char ready[] = "HTTP/1.1 200 ";

/* Send the request and read enough of the answer to tell whether the service is ready. Returns false if less
 * arrives. */
static bool ask(int asking, char ret_begin[sizeof ready]) {
    static const char request[] = "GET /readyz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    if (send(asking, request, sizeof request - 1, MSG_NOSIGNAL) != (ssize_t)sizeof request - 1)
        return false;
    ret_begin[sizeof ready - 1] = 0;
    return recv(asking, ret_begin, sizeof ready - 1, MSG_WAITALL) == (ssize_t)sizeof ready - 1;
}

/* The port to ask: the ops port if there is one, because it answers regardless of the load on the service. */
static unsigned port_to_ask(const struct options *options) {
    return (unsigned)(options->ops_port != OPTIONS_NO_PORT ? options->ops_port : options->port);
}

static int print_message(const struct options *options, const char *what) {
    char name[NI_MAXHOST];
    const char *list = options->listen, *const single[] = {name, NULL};
    listen_next(&list, name);
    message_print("the server at %s port %u %s", *addresses_to_ask(single), port_to_ask(options), what);
    return NOT_READY;
}

int health(const struct options *options, char **operands) {
    char port[8], name[NI_MAXHOST], begin[sizeof ready];
    const char *list = options->listen, *const single[] = {name, NULL};
    int asking = -1;
    (void)operands;
    end_in_time();
    snprintf(port, sizeof port, "%u", port_to_ask(options));
    while (*list != 0 && asking < 0) {
        listen_next(&list, name);
        for (const char *const *names = addresses_to_ask(single); *names != NULL && asking < 0; names++)
            asking = connect_to_name(*names, port);
    }
    if (asking < 0)
        return print_message(options, "cannot be reached");
    bool answered = ask(asking, begin);
    close(asking);
    if (!answered)
        return print_message(options, "does not answer");
    return strcmp(begin, ready) == 0 ? READY : print_message(options, "is not ready");
}

void health_print_help(void) {
    struct options defaults = options_default();
    printf("Usage: arbiter health [--OPTION VALUE]...\n\nCheck whether the server on this machine is ready (GET "
           "/readyz). The exit status is 0 if it is, and 1 if it\nisn't, doesn't answer within two seconds, or can't "
           "be reached.\n\nOptions:\n"
           "  %-25s address that the server listens on (or set ARBITER_LISTEN) [%s]\n"
           "  %-25s its port (or set ARBITER_PORT) [%u]\n"
           "  %-25s its port for probes, if any, to use instead of --port (or set ARBITER_OPS_PORT) [none]\n",
           "--listen", defaults.listen, "--port", (unsigned)defaults.port, "--ops-port");
}
