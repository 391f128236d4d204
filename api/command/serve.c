/* The program: start, wait for a signal, leave in order.
 *
 *     serving --SIGTERM--> unready --drain delay--> leaving --nothing in flight--> exit 0
 *                                                      |-----drain timeout-------> exit 1, what is left is cut off
 *     a second signal at any time: exit 1 at once */
#include "api/command/config.h"
#include "api/command/version.h"
#include "api/server/http.h"

#include <arpa/inet.h>
#include <errno.h>
#include <malloc.h>
#include <netdb.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

enum { EXIT_CLEAN = 0, EXIT_FAILED = 1, EXIT_BAD_OPTION = 2 };

enum { LOOK_EVERY = 100 /* milliseconds, for clients that are gone while the program leaves */ };

struct program {
    struct config config;
    struct log log;
    struct http *http;
    int signals, wake;
    atomic_bool stop;
};

/* A socket that listens; -1, with the reason logged, when there is none. */
static int listen_on(const struct program *program) {
    char port[8];
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE | AI_NUMERICSERV}, *address;
    snprintf(port, sizeof port, "%u", (unsigned)program->config.port);
    int error = getaddrinfo(program->config.listen, port, &hints, &address);
    if (error != 0) {
        log_text(&program->log, LOG_ERROR, "cannot-listen", "reason", gai_strerror(error));
        return -1;
    }
    int one = 1, listening = socket(address->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (listening >= 0)
        setsockopt(listening, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    if (listening < 0 || bind(listening, address->ai_addr, address->ai_addrlen) != 0 || listen(listening, 1024) != 0) {
        log_text(&program->log, LOG_ERROR, "cannot-listen", "reason", strerror(errno));
        if (listening >= 0)
            close(listening);
        listening = -1;
    }
    freeaddrinfo(address);
    return listening;
}

static void log_listening(int listening) {
    struct sockaddr_storage address;
    socklen_t length = sizeof address;
    char host[NI_MAXHOST] = "", port[NI_MAXSERV] = "0";
    getsockname(listening, (struct sockaddr *)&address, &length);
    getnameinfo((struct sockaddr *)&address, length, host, sizeof host, port, sizeof port,
                NI_NUMERICHOST | NI_NUMERICSERV);
    /* Whatever the level: this line tells who started the program where to find it. */
    struct log always = {.level = LOG_INFO};
    log_event(&always, LOG_INFO, "listening", "\"address\":\"%s\",\"port\":%s,\"version\":\"%s\"", host, port,
              ARBITER_VERSION);
}

/* Was a signal delivered? Takes it. */
static bool take_signal(const struct program *program) {
    struct signalfd_siginfo info;
    return read(program->signals, &info, sizeof info) == (ssize_t)sizeof info;
}

/* Wait until a signal comes, or until `until` (milliseconds of the monotonic clock; UINT64_MAX: for ever), or, with
 * `empty`, until nothing is in flight, for which clients that are gone are not waited for. Deadlines of connections are
 * kept meanwhile, and memory is tidied. True for a signal. */
static bool wait_for_signal(const struct program *program, uint64_t until, bool empty) {
    uint64_t next_look = empty ? 0 : UINT64_MAX;
    for (;;) {
        uint64_t now = now_milliseconds(), pause = deadlines_expire(http_deadlines(program->http));
        uint64_t tidy = http_tidy(program->http);
        if (now >= next_look) {
            deadlines_drop_gone(http_deadlines(program->http));
            next_look = now + LOOK_EVERY;
        }
        if (now >= until || (empty && http_in_flight(program->http) == 0))
            return false;
        pause = tidy < pause ? tidy : pause;
        pause = until - now < pause ? until - now : pause;
        pause = next_look - now < pause ? next_look - now : pause;
        struct pollfd ready[] = {{.fd = program->signals, .events = POLLIN}, {.fd = program->wake, .events = POLLIN}};
        /* A millisecond more than asked for, so that what is due is due when this returns. */
        poll(ready, 2, pause < 3600000 ? (int)pause + 1 : 3600000);
        if (take_signal(program))
            return true;
        eventfd_t unused;
        eventfd_read(program->wake, &unused);
    }
}

/* Leave in order; the exit status. */
static int drain(struct program *program) {
    const struct config *config = &program->config;
    http_set_unready(program->http);
    log_event(&program->log, LOG_INFO, "draining", "\"delay\":%u,\"timeout\":%u", (unsigned)config->drain_delay,
              (unsigned)config->drain_timeout);
    bool again = wait_for_signal(program, now_milliseconds() + config->drain_delay * 1000, false);
    if (!again) {
        http_leave(program->http);
        again = wait_for_signal(program, now_milliseconds() + config->drain_timeout * 1000, true);
    }
    if (again) {
        log_event(&program->log, LOG_WARN, "stopped", "\"reason\":\"a second signal\"");
        _exit(EXIT_FAILED);
    }
    size_t left = http_in_flight(program->http);
    atomic_store(&program->stop, left != 0);
    http_stop(program->http);
    log_event(&program->log, left != 0 ? LOG_WARN : LOG_INFO, "stopped", "\"cut_off\":%zu", left);
    return left != 0 ? EXIT_FAILED : EXIT_CLEAN;
}

/* SIGTERM and SIGINT come through a descriptor; threads started later inherit the mask. */
static bool open_descriptors(struct program *program) {
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGINT);
    sigprocmask(SIG_BLOCK, &signals, NULL);
    signal(SIGPIPE, SIG_IGN);
    program->signals = signalfd(-1, &signals, SFD_NONBLOCK | SFD_CLOEXEC);
    program->wake = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    return program->signals >= 0 && program->wake >= 0;
}

static int serve(struct program *program, const struct api *api, struct account *account) {
    int listening = listen_on(program);
    if (listening < 0)
        return EXIT_FAILED;
    program->http = http_start(&program->config, api, account, listening, &program->log, &program->stop, program->wake);
    if (program->http == NULL) {
        log_event(&program->log, LOG_ERROR, "cannot-start", "\"reason\":\"libmicrohttpd or a thread did not start\"");
        return EXIT_FAILED;
    }
    log_listening(listening);
    wait_for_signal(program, UINT64_MAX, false);
    return drain(program);
}

int main(int count, char **arguments) {
    static struct program program;
    struct account account, trees;
    switch (config_read(count, arguments, &program.config)) {
    case CONFIG_DONE:
        return fflush(stdout) == 0 ? EXIT_CLEAN : EXIT_FAILED;
    case CONFIG_BAD:
        return EXIT_BAD_OPTION;
    case CONFIG_RUN:
        break;
    }
    program.log.level = program.config.log_level;
    /* Large blocks go back to the system when they are freed, whichever thread frees them. */
    mallopt(M_MMAP_THRESHOLD, 256 << 10);
    account_init(&account, (size_t)program.config.limits.max_inflight_bytes);
    /* Four of the largest requests may be begun at once, and any number of small ones. */
    account_init(&trees, 4 * api_most_tree_bytes(&program.config.limits));
    struct api *api = api_new(&(struct api_config){
        .limits = program.config.limits,
        .cors_origins = program.config.cors_origin,
        .version = ARBITER_VERSION,
        .commit = arbiter_commit,
        .account = &account,
        .trees = &trees,
    });
    int status = EXIT_FAILED;
    if (api != NULL && open_descriptors(&program))
        status = serve(&program, api, &account);
    else
        log_event(&program.log, LOG_ERROR, "cannot-start", "\"reason\":\"out of memory or descriptors\"");
    api_free(api);
    return status;
}
