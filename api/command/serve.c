/* The service, from its start to its orderly shutdown.
 *
 *     serving --SIGTERM--> unready --drain delay--> leaving --nothing in flight--> status 0
 *                                                      |-----drain timeout-------> status 1, the rest is cut off
 *     a second signal at any time: status 1 immediately
 *
 * SIGINT and SIGHUP act like SIGTERM, except that another SIGHUP is ignored: a closing terminal may send it twice, and
 * systemd can send it after SIGTERM (SendSIGHUP). */
#include "api/command/serve.h"

#include "api/command/check.h"
#include "api/command/listen.h"
#include "api/command/start.h"
#include "api/command/version.h"
#include "api/server/http.h"
#include "base/owner.h"

#include <signal.h>
#include <stdio.h>
#include <sys/signalfd.h>
#include <unistd.h>

enum { SIGNALS = 3 /* signals that end the program */ };

/* The stages of the shutdown. */
enum stage { SERVING, UNREADY, LEAVING };

struct program {
    const struct options *options;
    struct log *log;
    struct http *http;
    struct http *ops; /* NULL if there is no ops port */
    struct event_source signals;
    enum stage stage;
    struct timer timer;  /* the drain delay, then the drain timeout */
    struct timer expiry; /* refuses requests that have waited too long for their first turn */
    size_t cut_off;      /* requests that were cut off when the drain timeout expired */
};

/* The listening sockets. */
struct sockets {
    struct listening service;
    bool is_inherited;    /* the service manager owns `service` */
    struct listening ops; /* empty if there is no ops port */
};

/* Tell somebody who has started the program on a terminal where the page is. */
static void print_address(const struct program *program, const struct sockets *sockets) {
    struct endpoint place = listen_endpoint(sockets->service.sockets[0]);
    bool is_any = strcmp(place.host, "0.0.0.0") == 0 || strcmp(place.host, "::") == 0;
    bool is_ipv6 = !is_any && strchr(place.host, ':') != NULL;
    if (!isatty(STDERR_FILENO))
        return;
    log_flush(program->log);
    fprintf(stderr, "Open http://%s%s%s:%s/ in a browser, or press Ctrl-C to stop.\n", is_ipv6 ? "[" : "",
            is_any ? "localhost" : place.host, is_ipv6 ? "]" : "", place.port);
}

/* Logged at every level, because this line has the address of the service. */
static void log_listening(const struct program *program, const struct sockets *sockets) {
    struct endpoint place = listen_endpoint(sockets->service.sockets[0]);
    char ops_port[32] = "", all[LISTENER_SOCKETS * (INET6_ADDRSTRLEN + 4) + 32] = "";
    int length = 0;
    if (sockets->ops.count != 0)
        snprintf(ops_port, sizeof ops_port, ",\"ops_port\":%.8s", listen_endpoint(sockets->ops.sockets[0]).port);
    for (size_t s = 0; s < sockets->service.count && sockets->service.count > 1; s++)
        length +=
            snprintf(all + length, sizeof all - (size_t)length, "%s\"%.48s\"%s", s == 0 ? ",\"addresses\":[" : ",",
                     listen_endpoint(sockets->service.sockets[s]).host, s + 1 == sockets->service.count ? "]" : "");
    log_announce(
        program->log, "listening",
        "\"address\":\"%s\"%s,\"port\":%s%s%s,\"version\":\"%s\",\"profile\":\"%s\",\"libmicrohttpd\":\"%.16s\"",
        place.host, all, place.port, sockets->is_inherited ? ",\"inherited\":true" : "", ops_port, ARBITER_VERSION,
        options_profile_names[program->options->profile], http_library_version());
}

/* The drain delay or the drain timeout has expired. */
static void on_timer(struct timer *timer) {
    struct program *program = OWNER_OF(timer, struct program, timer);
    if (program->stage == LEAVING) {
        program->cut_off = http_abort(program->http);
        return;
    }
    program->stage = LEAVING;
    http_shut_down(program->http);
    loop_set_timer(http_first_loop(program->http), timer, program->options->drain_timeout * 1000);
}

static void on_signal(struct event_source *source, uint32_t events) {
    struct program *program = OWNER_OF(source, struct program, signals);
    const struct options *options = program->options;
    /* Signals that were sent together are read together, and count as one. */
    struct signalfd_siginfo infos[SIGNALS];
    ssize_t bytes = read(source->descriptor, infos, sizeof infos);
    (void)events;
    if (bytes < (ssize_t)sizeof *infos)
        return;
    if (program->stage != SERVING && bytes == (ssize_t)sizeof *infos && infos[0].ssi_signo == SIGHUP)
        return;
    if (program->stage != SERVING) {
        log_event(program->log, LOG_LEVEL_WARN, "stopped", "\"reason\":\"a second signal\"");
        log_flush(program->log);
        _exit(SERVE_FAILED);
    }
    program->stage = UNREADY;
    http_set_unready(program->http);
    listen_notify("STOPPING=1");
    log_event(program->log, LOG_LEVEL_INFO, "draining", "\"delay\":%u,\"timeout\":%u", (unsigned)options->drain_delay,
              (unsigned)options->drain_timeout);
    loop_set_timer(http_first_loop(program->http), &program->timer, options->drain_delay * 1000);
}

static void on_expiry(struct timer *timer) {
    struct program *program = OWNER_OF(timer, struct program, expiry);
    loop_set_timer(http_first_loop(program->http), timer, http_expire(program->http));
}

/* Serve until the end. Returns the exit status. */
static int run_loops(struct program *program) {
    struct loop *loop = http_first_loop(program->http);
    program->timer.fire = on_timer;
    program->expiry.fire = on_expiry;
    on_expiry(&program->expiry);
    if (!loop_watch(loop, &program->signals, EPOLLIN)) {
        log_event(program->log, LOG_LEVEL_ERROR, "cannot-start", "\"reason\":\"out of memory or descriptors\"");
        return SERVE_FAILED;
    }
    http_run(program->http);
    return program->cut_off != 0 ? SERVE_FAILED : SERVE_CLEAN;
}

/* Signals are read from a descriptor, which receives them even if they are ignored. So SIGHUP is left alone if it is
 * ignored, for example because of nohup. Threads started later inherit the signal mask. */
static bool open_signals(struct program *program) {
    sigset_t signals;
    struct sigaction hang_up;
    sigemptyset(&signals);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGINT);
    if (sigaction(SIGHUP, NULL, &hang_up) == 0 && hang_up.sa_handler != SIG_IGN)
        sigaddset(&signals, SIGHUP);
    pthread_sigmask(SIG_BLOCK, &signals, NULL);
    signal(SIGPIPE, SIG_IGN);
    program->signals.ready = on_signal;
    program->signals.descriptor = signalfd(-1, &signals, SFD_NONBLOCK | SFD_CLOEXEC);
    return program->signals.descriptor >= 0;
}

/* Open the sockets. On failure, logs the reason, leaves nothing open, and returns false. */
static bool open_sockets(const struct program *program, struct sockets *sockets) {
    const struct options *options = program->options;
    bool has_ops = options->ops_port != OPTIONS_NO_PORT;
    *sockets = (struct sockets){.is_inherited = false};
    if (!listen_inherit(program->log, &sockets->service))
        return false;
    sockets->is_inherited = sockets->service.count != 0;
    if (!sockets->is_inherited && !listen_on(program->log, options->listen, options->port, &sockets->service))
        return false;
    if (!has_ops || listen_on(program->log, options->listen, options->ops_port, &sockets->ops))
        return true;
    listening_close(&sockets->service);
    return false;
}

/* Start everything that serves the sockets. On failure, leaves nothing running and returns false. */
static bool start(struct program *program, const struct service *service, struct account *account,
                  const struct sockets *sockets) {
    const struct options *options = program->options;
    program->http = http_new(&(struct http_config){
        .service = service,
        .account = account,
        .log = program->log,
        .trusted_proxy = options->trusted_proxy,
        .listening = sockets->service,
        .is_inherited = sockets->is_inherited,
        .version = ARBITER_VERSION,
        .commit = arbiter_commit,
        .memory_limit = check_max_memory(options),
        .metrics_elsewhere = sockets->ops.count != 0,
        .queue = start_workers(options, account),
        .loops = (size_t)options->io_threads,
        .max_connections = options->max_connections,
        .max_connections_per_client = options->max_connections_per_client,
        .kernel_buffers = (size_t)options->kernel_buffers,
        .head_timeout = options->head_timeout,
        .body_timeout = options->body_timeout,
        .send_timeout = options->send_timeout,
    });
    if (program->http == NULL) {
        listening_close(&sockets->ops);
        return false;
    }
    if (sockets->ops.count == 0)
        return true;
    program->ops = http_new_ops(program->http, &sockets->ops);
    if (program->ops != NULL)
        return true;
    http_free(program->http);
    return false;
}

/* Listen, serve, and shut down. Returns the exit status. */
static int run(struct program *program, const struct service *service, struct account *account) {
    struct sockets sockets;
    if (!open_sockets(program, &sockets))
        return SERVE_FAILED;
    if (!start(program, service, account, &sockets)) {
        log_event(program->log, LOG_LEVEL_ERROR, "cannot-start",
                  "\"reason\":\"libmicrohttpd or a thread could not be started\"");
        return SERVE_FAILED;
    }
    print_address(program, &sockets);
    log_listening(program, &sockets);
    listen_notify("READY=1");
    int status = run_loops(program);
    http_free(program->ops);
    http_free(program->http);
    log_event(program->log, program->cut_off != 0 ? LOG_LEVEL_WARN : LOG_LEVEL_INFO, "stopped", "\"cut_off\":%zu",
              program->cut_off);
    return status;
}

int serve(const struct options *options) {
    struct program program = {.options = options};
    struct account account;
    program.log = log_new(options->log_level, STDERR_FILENO);
    if (program.log == NULL) {
        fputs("arbiter: cannot start: not enough memory, or too many threads\n", stderr);
        return SERVE_FAILED;
    }
    if (!check_start(options, program.log)) {
        log_free(program.log);
        return SERVE_FAILED;
    }
    check_memory(options, program.log);
    struct service *service = start_service(options, &account, false, NULL);
    int status = SERVE_FAILED;
    if (service != NULL && open_signals(&program))
        status = run(&program, service, &account);
    else
        log_event(program.log, LOG_LEVEL_ERROR, "cannot-start", "\"reason\":\"out of memory or descriptors\"");
    service_free(service);
    log_free(program.log);
    return status;
}
