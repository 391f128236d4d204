/* The service from its start to its orderly end.
 *
 *     serving --SIGTERM--> unready --drain delay--> leaving --nothing in flight--> status 0
 *                                                      |-----drain timeout-------> status 1, what is left is cut off
 *     a second signal at any time: status 1 at once */
#include "api/command/serve.h"

#include "api/command/environment.h"
#include "api/command/start.h"
#include "api/command/version.h"
#include "api/server/http.h"
#include "api/server/ops.h"
#include "api/work/clock.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

enum { LOOK_EVERY = 100 /* milliseconds, for clients that are gone while the program leaves */ };

struct program {
    const struct options *options;
    struct log *log;
    struct http *http;
    struct ops *ops; /* NULL: there is no such port */
    int signals, wake;
};

/* A socket that listens on one address; -1, with errno, when it cannot. */
static int listen_at(const struct addrinfo *address) {
    int one = 1, listening = socket(address->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (listening < 0)
        return -1;
    setsockopt(listening, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
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

/* A socket that listens at a port, on the first of the addresses of a name that it can; -1, with the reason logged,
 * when there is none. */
static int listen_on(const struct program *program, uint64_t number) {
    char port[8];
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE | AI_NUMERICSERV}, *addresses;
    snprintf(port, sizeof port, "%u", (unsigned)number);
    int error = getaddrinfo(program->options->listen, port, &hints, &addresses), listening = -1;
    if (error != 0) {
        log_cannot_listen(program->log, program->options->listen, port, gai_strerror(error));
        return -1;
    }
    for (const struct addrinfo *address = addresses; address != NULL && listening < 0; address = address->ai_next)
        listening = listen_at(address);
    if (listening < 0)
        /* NOLINTNEXTLINE(concurrency-mt-unsafe): no other thread asks strerror, and glibc's is safe since 2.32 */
        log_cannot_listen(program->log, program->options->listen, port, strerror(errno));
    freeaddrinfo(addresses);
    return listening;
}

/* Where a socket listens. */
struct endpoint {
    char host[NI_MAXHOST], port[NI_MAXSERV];
};

static struct endpoint endpoint_of(int listening) {
    struct endpoint place = {"", "0"};
    struct sockaddr_storage address = {0};
    socklen_t length = sizeof address;
    getsockname(listening, (struct sockaddr *)&address, &length);
    getnameinfo((struct sockaddr *)&address, length, place.host, sizeof place.host, place.port, sizeof place.port,
                NI_NUMERICHOST | NI_NUMERICSERV);
    return place;
}

/* Whatever the level: this line tells who started the program where to find it. `ops` is -1 when there is no such port.
 */
static void log_listening(struct log *log, int listening, int ops) {
    struct endpoint place = endpoint_of(listening);
    char ops_port[32] = "";
    if (ops >= 0)
        snprintf(ops_port, sizeof ops_port, ",\"ops_port\":%.8s", endpoint_of(ops).port);
    log_announce(log, "listening", "\"address\":\"%s\",\"port\":%s%s,\"version\":\"%s\"", place.host, place.port,
                 ops_port, ARBITER_VERSION);
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
        uint64_t now = clock_now_ms(), pause = deadlines_expire(http_deadlines(program->http));
        uint64_t tidy = http_tidy(program->http), resume = http_resume(program->http);
        uint64_t expire = http_expire(program->http), farewell = farewell_look(http_farewell(program->http));
        if (now >= next_look) {
            deadlines_drop_gone(http_deadlines(program->http));
            next_look = now + LOOK_EVERY;
        }
        if (now >= until || (empty && http_in_flight(program->http) == 0))
            return false;
        pause = tidy < pause ? tidy : pause;
        pause = resume < pause ? resume : pause;
        pause = expire < pause ? expire : pause;
        pause = farewell < pause ? farewell : pause;
        pause = until - now < pause ? until - now : pause;
        pause = next_look - now < pause ? next_look - now : pause;
        struct pollfd ready[] = {{.fd = program->signals, .events = POLLIN},
                                 {.fd = program->wake, .events = POLLIN},
                                 {.fd = watch_descriptor(http_watch(program->http)), .events = POLLIN},
                                 {.fd = farewell_descriptor(http_farewell(program->http)), .events = POLLIN}};
        poll(ready, 4, clock_poll_timeout(now, pause));
        watch_look(http_watch(program->http));
        if (take_signal(program))
            return true;
        eventfd_t unused;
        eventfd_read(program->wake, &unused);
    }
}

/* Leave in order; the exit status. */
static int drain(struct program *program) {
    const struct options *options = program->options;
    http_set_unready(program->http);
    log_event(program->log, LOG_LEVEL_INFO, "draining", "\"delay\":%u,\"timeout\":%u", (unsigned)options->drain_delay,
              (unsigned)options->drain_timeout);
    bool again = wait_for_signal(program, clock_now_ms() + options->drain_delay * 1000, false);
    if (!again) {
        http_leave(program->http);
        uint64_t until = clock_now_ms() + options->drain_timeout * 1000;
        again = wait_for_signal(program, until, true);
        /* What has come in the moment since is answered too; then nothing can come any more. */
        http_close(program->http);
        again = again || wait_for_signal(program, until, true);
    }
    if (again) {
        log_event(program->log, LOG_LEVEL_WARN, "stopped", "\"reason\":\"a second signal\"");
        log_flush(program->log);
        _exit(SERVE_FAILED);
    }
    size_t left = http_in_flight(program->http);
    if (left != 0)
        http_dismiss(program->http);
    ops_stop(program->ops);
    http_stop(program->http);
    log_event(program->log, left != 0 ? LOG_LEVEL_WARN : LOG_LEVEL_INFO, "stopped", "\"cut_off\":%zu", left);
    return left != 0 ? SERVE_FAILED : SERVE_CLEAN;
}

/* SIGTERM and SIGINT come through a descriptor; threads started later inherit the mask. */
static bool open_descriptors(struct program *program) {
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGINT);
    pthread_sigmask(SIG_BLOCK, &signals, NULL);
    signal(SIGPIPE, SIG_IGN);
    program->signals = signalfd(-1, &signals, SFD_NONBLOCK | SFD_CLOEXEC);
    program->wake = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    return program->signals >= 0 && program->wake >= 0;
}

/* Start what listens at the two sockets, of which `ops` may be -1. False, with nothing left of it, when it cannot. */
static bool start(struct program *program, const struct service *service, struct account *account, int listening,
                  int ops) {
    const struct options *options = program->options;
    program->http = http_start(&(struct http_config){
        .service = service,
        .account = account,
        .log = program->log,
        .trusted_proxy = options->trusted_proxy,
        .listening = listening,
        .wake = program->wake,
        .version = ARBITER_VERSION,
        .commit = arbiter_commit,
        .metrics_elsewhere = ops >= 0,
        .queue = start_workers(options, account),
        .max_connections = options->max_connections,
        .head_timeout = options->head_timeout,
        .body_timeout = options->body_timeout,
        .send_timeout = options->send_timeout,
    });
    if (program->http == NULL) {
        if (ops >= 0)
            close(ops);
        return false;
    }
    if (ops < 0)
        return true;
    program->ops = ops_start(program->http, ops);
    if (program->ops != NULL)
        return true;
    http_leave(program->http);
    http_stop(program->http);
    return false;
}

/* Listen, serve, and leave; the exit status. */
static int run(struct program *program, const struct service *service, struct account *account) {
    const struct options *options = program->options;
    bool has_ops = options->ops_port != OPTIONS_NO_PORT;
    int listening = listen_on(program, options->port);
    int ops = has_ops && listening >= 0 ? listen_on(program, options->ops_port) : -1;
    if (has_ops && ops < 0 && listening >= 0)
        close(listening);
    if (listening < 0 || (has_ops && ops < 0))
        return SERVE_FAILED;
    if (!start(program, service, account, listening, ops)) {
        log_event(program->log, LOG_LEVEL_ERROR, "cannot-start",
                  "\"reason\":\"libmicrohttpd or a thread did not start\"");
        return SERVE_FAILED;
    }
    log_listening(program->log, listening, ops);
    wait_for_signal(program, UINT64_MAX, false);
    return drain(program);
}

int serve(const struct options *options) {
    struct program program = {.options = options};
    struct account account;
    program.log = log_new(options->log_level);
    if (program.log == NULL) {
        fputs("arbiter: cannot start: out of memory or threads\n", stderr);
        return SERVE_FAILED;
    }
    environment_warn(program.log);
    start_account(options, &account);
    struct service *service = start_service(options, &account, NULL);
    int status = SERVE_FAILED;
    if (service != NULL && open_descriptors(&program))
        status = run(&program, service, &account);
    else
        log_event(program.log, LOG_LEVEL_ERROR, "cannot-start", "\"reason\":\"out of memory or descriptors\"");
    service_free(service);
    log_free(program.log);
    return status;
}
