#include "api/command/health.h"

#include "api/command/options.h"

#include <errno.h>
#include <netdb.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum { READY = 0, NOT_READY = 1, BAD_OPTION = 2 };

/* For the service; and for all of it, the search for a name included, whose patience is not ours to set. */
enum { PATIENCE = 1500 /* milliseconds */, END = 1900 /* milliseconds */ };

static void give_up(int signal) {
    (void)signal;
    _exit(NOT_READY);
}

/* Have the program end in time, whatever it waits for. */
static void end_in_time(void) {
    struct sigaction action = {.sa_handler = give_up};
    const struct itimerval timer = {.it_value = {.tv_sec = END / 1000, .tv_usec = END % 1000 * 1000}};
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &timer, NULL);
}

static long long now_milliseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (long long)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Wait until the socket can be read or written; false when `until` comes first. */
static bool wait_for(int asking, short events, long long until) {
    struct pollfd ready = {.fd = asking, .events = events};
    long long left = until - now_milliseconds();
    return left > 0 && poll(&ready, 1, (int)left) == 1;
}

/* A service that listens everywhere is asked on the loopback. */
static const char *address_to_ask(const char *listen) {
    if (strcmp(listen, "0.0.0.0") == 0)
        return "127.0.0.1";
    return strcmp(listen, "::") == 0 ? "::1" : listen;
}

/* A socket that is connected to the service; -1, with errno, when there is none. */
static int connect_to(const struct addrinfo *address, long long until) {
    int asking = socket(address->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0), error = 0;
    socklen_t size = sizeof error;
    if (asking < 0)
        return -1;
    if (connect(asking, address->ai_addr, address->ai_addrlen) != 0) {
        error = errno;
        if (error == EINPROGRESS) {
            error = ETIMEDOUT;
            if (wait_for(asking, POLLOUT, until))
                getsockopt(asking, SOL_SOCKET, SO_ERROR, &error, &size);
        }
    }
    if (error != 0) {
        close(asking);
        errno = error;
        return -1;
    }
    return asking;
}

/* Ask, and read the beginning of the answer: "HTTP/1.1 200". False when it does not come. */
static bool ask(int asking, long long until, char *ret_begin, size_t size) {
    static const char request[] = "GET /readyz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    size_t length = 0;
    if (send(asking, request, sizeof request - 1, MSG_NOSIGNAL) != (ssize_t)sizeof request - 1)
        return false;
    while (length + 1 < size && wait_for(asking, POLLIN, until)) {
        ssize_t got = recv(asking, ret_begin + length, size - 1 - length, 0);
        if (got <= 0)
            break;
        length += (size_t)got;
    }
    ret_begin[length] = 0;
    return length + 1 == size;
}

static int say(const struct options *options, const char *what) {
    fprintf(stderr, "arbiter: the service on %s port %u %s\n", address_to_ask(options->listen), (unsigned)options->port,
            what);
    return NOT_READY;
}

static int ask_service(const struct options *options) {
    char port[8], begin[sizeof "HTTP/1.1 200"];
    long long until = now_milliseconds() + PATIENCE;
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICSERV}, *address;
    snprintf(port, sizeof port, "%u", (unsigned)options->port);
    int error = getaddrinfo(address_to_ask(options->listen), port, &hints, &address);
    if (error != 0)
        return say(options, gai_strerror(error));
    int asking = connect_to(address, until);
    freeaddrinfo(address);
    if (asking < 0)
        return say(options, "cannot be reached");
    bool answered = ask(asking, until, begin, sizeof begin);
    close(asking);
    if (!answered)
        return say(options, "does not answer");
    return strcmp(begin, "HTTP/1.1 200") == 0 ? READY : say(options, "is not ready");
}

static void print_help(void) {
    struct option_text text;
    printf("Usage: arbiter health [--OPTION VALUE]...\n\nAsk GET /readyz of the service on this machine. The exit "
           "status is "
           "0 when it is ready, 1 when it\nis not or does not say so within two seconds, 2 for a bad option.\n\n");
    for (size_t i = 0; options_spell(OPTIONS_HEALTH, &i, &text);)
        printf("  %-25s %s, also %s [%s]\n", text.name, text.meaning, text.variable, text.standard);
}

int health(int count, char **arguments) {
    struct options options;
    switch (options_read(OPTIONS_HEALTH, count, arguments, &options)) {
    case OPTIONS_GOOD:
        end_in_time();
        return ask_service(&options);
    case OPTIONS_HELP:
        print_help();
        return fflush(stdout) == 0 ? READY : NOT_READY;
    case OPTIONS_BAD:
        break;
    case OPTIONS_VERSION:
    case OPTIONS_MAN:
        fprintf(stderr, "arbiter: that is no option of health; --help lists all\n");
        break;
    }
    return BAD_OPTION;
}
