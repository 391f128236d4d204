#include "api/server/http.h"

#include "api/request/service.h"
#include "api/server/client.h"
#include "api/server/exchange.h"
#include "api/server/http_loop.h"
#include "api/server/listener.h"
#include "api/server/metrics.h"
#include "api/server/process.h"
#include "api/server/request.h"
#include "api/server/socket.h"
#include "api/server/watch.h"
#include "api/work/clock.h"
#include "base/assert.h"
#include "base/owner.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <unistd.h>

/* File descriptors that are not connections. */
enum { OWN_DESCRIPTORS = 28, LOOP_DESCRIPTORS = 4 + LINGER_MAX /* for each loop */ };

enum {
    SAMPLES = 4,       /* samples of a reader within the send timeout */
    MAX_SAMPLE = 5000, /* milliseconds: the longest time between two samples */
    LEAVE = 2000,      /* milliseconds of TIMER_LEAVE */
};

/* Milliseconds during which requests that are still on their way are answered after the program has stopped using an
 * inherited socket; each is the last one on its connection. */
enum { GRACE = 1000 };

/* The limits on the ops port. */
enum { OPS_CONNECTIONS = 64, OPS_OF_ONE_CLIENT = 16, OPS_OWN_DESCRIPTORS = 8, OPS_TIMEOUT = 30 /* seconds */ };

struct http {
    struct http_shared shared;
    struct listener listener;
    struct listening listening;
    enum phase phase;    /* the phase that all loops were asked to enter */
    size_t reached;      /* loops that have entered it */
    struct timer grace;  /* while it is set, PHASE_REFUSE continues */
    size_t loop_count;   /* loops that were initialised */
    size_t first_thread; /* the first loop with a thread of its own: 1, or 0 for the ops port */
    size_t thread_count; /* running threads of loops */
    pthread_t threads[LOOP_MAX];
    struct http_loop loops[];
};

/* ---- the version of libmicrohttpd ---- */

const char *http_library_version(void) { return MHD_get_version(); }

bool http_fits_library(size_t size, char ret_reason[size]) {
    const unsigned built = MHD_VERSION; /* hexadecimal digits: 0x00097500 is 0.9.75 */
    const char *loaded = MHD_get_version();
    if (strtoul(loaded, NULL, 10) == built >> 24)
        return true;
    snprintf(ret_reason, size,
             "arbiter was built for libmicrohttpd %x.%x.%x, but %.16s is installed; rebuild arbiter on this system",
             built >> 24, built >> 16 & 0xff, built >> 8 & 0xff, loaded);
    return false;
}

/* ---- a loop ---- */

/* Nothing to do: MHD_run reads the descriptor itself. */
static void on_daemon_ready(struct event_source *source, uint32_t events) { (void)source, (void)events; }

/* Make the epoll descriptor of the daemon one of the loop's sources. Returns false when out of memory. */
static bool watch_daemon(struct http_loop *loop) {
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(loop->daemon, MHD_DAEMON_INFO_EPOLL_FD);
    loop->daemon_source = (struct event_source){.descriptor = info->epoll_fd, .ready = on_daemon_ready};
    return loop_watch(&loop->loop, &loop->daemon_source, EPOLLIN);
}

/* Let a daemon do what it can without waiting. Returns the milliseconds until it needs to run again. */
static uint64_t run_daemon(struct MHD_Daemon *daemon) {
    MHD_UNSIGNED_LONG_LONG timeout;
    MHD_run(daemon);
    return MHD_get_timeout(daemon, &timeout) == MHD_YES ? timeout : UINT64_MAX;
}

/* Cut off requests that are in the queue, and streams whose end a client could mistake for the end of a complete
 * answer. */
static void abort_all(struct http_loop *loop) {
    struct connection *connection;
    LIST_FOREACH(connection, &loop->connections, entry) {
        struct exchange *exchange = connection->exchange;
        if (exchange != NULL && (exchange_row(exchange)->queue == QUEUE_HAS || exchange_row(exchange)->streams))
            exchange_cut_off(exchange, REASON_LEAVING);
    }
}

static void on_phase(struct message *message) {
    struct phase_message *phase = OWNER_OF(message, struct phase_message, message);
    struct http_loop *loop = phase->loop;
    ASSERT(phase->phase > loop->phase);
    loop->phase = phase->phase;
    if (loop->phase == PHASE_ABORT)
        abort_all(loop);
    mailbox_post(loop->reports, &phase->reached);
}

/* Ask a loop to enter a phase. Each phase is entered at most once, in the order of the enum. Can be called from any
 * thread. */
static void enter_phase(struct http_loop *loop, enum phase phase) {
    mailbox_post(&loop->loop.mailbox, &loop->phases[phase].message);
}

/* Called when the queue has released all jobs. So no connection is suspended, and those that were have run since. */
static void stop_daemon(struct http_loop *loop) {
    loop_unwatch(&loop->loop, &loop->daemon_source);
    MHD_stop_daemon(loop->daemon);
    loop->daemon = NULL;
    loop_stop_timer(&loop->loop, &loop->trim_timer);
    loop_stop_timer(&loop->loop, &loop->room_timer);
}

static bool can_stop_daemon(const struct http_loop *loop) {
    return loop->daemon != NULL && loop->phase >= PHASE_END && loop->queued == 0;
}

/* A loop waits for its lingering connections, so that their clients can read why they were refused, except in
 * PHASE_ABORT. */
static bool has_ended(const struct http_loop *loop) {
    return loop->daemon == NULL && (loop->phase == PHASE_ABORT || TAILQ_EMPTY(&loop->lingering));
}

/* Run one round without waiting. Returns the milliseconds until libmicrohttpd needs to run again. */
static uint64_t run_round(struct http_loop *loop) {
    uint64_t pause = UINT64_MAX;
    /* MHD_run is called after the time is read and before the timers run. So data that arrived in time is read before
     * its deadline is checked, however late this round starts, and wherever in the round the process is suspended. */
    loop_begin_round(&loop->loop);
    if (loop->daemon != NULL)
        pause = run_daemon(loop->daemon);
    loop_run_timers(&loop->loop);
    if (loop->daemon != NULL)
        watch_room(loop);
    if (can_stop_daemon(loop))
        stop_daemon(loop);
    return pause;
}

/* Serve on this thread until the loop has completed PHASE_END or PHASE_ABORT. */
static void run_loop(struct http_loop *loop) {
    clock_enter();
    for (;;) {
        uint64_t pause = run_round(loop);
        /* Checked after the round, because a timer may have ended the last thing that the loop was waiting for. */
        if (has_ended(loop))
            break;
        loop_wait(&loop->loop, pause);
    }
    connection_end_lingering(loop);
    clock_leave();
}

/* ---- shutdown ---- */

static void enter_all(struct http *http, enum phase phase) {
    http->phase = phase;
    http->reached = 0;
    for (size_t l = 0; l < http->loop_count; l++)
        enter_phase(&http->loops[l], phase);
}

/* A loop accepts only the requests that its phase allows. So once all loops have entered the phase, the number of
 * requests in flight can no longer grow. */
static void check_idle(struct http *http) {
    if (http->phase >= PHASE_REFUSE && http->phase < PHASE_END && http->reached == http->loop_count &&
        !http->grace.is_set && gauge_get(&http->shared.gauges.in_flight) == 0)
        enter_all(http, (enum phase)(http->phase + 1));
}

/* Stop listening. All loops are in PHASE_REFUSE by now, so a client that notices cannot find a loop that still
 * serves. */
static void close_listening(struct http *http) {
    if (!http->shared.is_inherited)
        for (size_t s = 0; s < http->listening.count; s++)
            socket_shut_down(http->listening.sockets[s]);
    else if (http->listener.connections != 0)
        loop_set_timer(&http->loops[0].loop, &http->grace, GRACE);
}

static void on_reached(struct message *message) {
    struct phase_message *phase = OWNER_OF(message, struct phase_message, reached);
    struct http *http = phase->loop->owner;
    if (phase->phase != http->phase)
        return; /* aborted in the meantime */
    http->reached++;
    if (http->phase == PHASE_REFUSE && http->reached == http->loop_count)
        close_listening(http);
    check_idle(http);
}

static void on_idle(struct message *message) { check_idle(OWNER_OF(message, struct http_loop, idle)->owner); }

uint64_t http_expire(struct http *http) { return queue_expire(http->shared.queue); }

void http_set_unready(struct http *http) { gauge_add(&http->shared.gauges.unready, 1); }

static void on_grace_over(struct timer *timer) { check_idle(OWNER_OF(timer, struct http, grace)); }

void http_shut_down(struct http *http) {
    ASSERT(http->phase == PHASE_SERVE);
    listener_end(&http->listener);
    http->grace.fire = on_grace_over;
    enter_all(http, PHASE_REFUSE);
}

size_t http_abort(struct http *http) {
    size_t in_flight = gauge_get(&http->shared.gauges.in_flight);
    enter_all(http, PHASE_ABORT);
    return in_flight;
}

/* ---- life cycle ---- */

/* No request that used the queue has ended for a while, so there may be unused memory. */
static void on_trim(struct timer *timer) {
    queue_trim_memory(OWNER_OF(timer, struct http_loop, trim_timer)->shared->queue);
}

static void clear_loop(struct http_loop *loop) {
    if (loop->daemon != NULL)
        MHD_stop_daemon(loop->daemon);
    workspace_clear(&loop->workspace);
    loop_clear(&loop->loop);
}

/* Initialise a loop. It posts to `reports`: the phase's `reached` when it has entered a phase, and `idle` whenever
 * the service is shutting down and has nothing in flight. Returns false when out of memory or descriptors; there is
 * nothing to clear then. */
static bool init_loop(struct http_loop *loop, struct http *http, unsigned number) {
    struct http_shared *shared = &http->shared;
    *loop = (struct http_loop){.shared = shared, .number = number, .owner = http};
    if (!loop_init(&loop->loop))
        return false;
    loop->reports = &http->loops[0].loop.mailbox;
    loop->idle.deliver = on_idle;
    for (enum phase phase = PHASE_SERVE; phase < PHASES; phase++)
        loop->phases[phase] = (struct phase_message){
            .message = {.deliver = on_phase}, .reached = {.deliver = on_reached}, .loop = loop, .phase = phase};
    loop->trim_timer.fire = on_trim;
    LIST_INIT(&loop->connections);
    TAILQ_INIT(&loop->lingering);
    workspace_init(&loop->workspace, shared->account, LOOP_WORKSPACE, false);
    loop->daemon = request_start_daemon(loop);
    if (loop->daemon != NULL && watch_daemon(loop))
        return true;
    clear_loop(loop);
    return false;
}

/* Reserve up to `wanted` of the descriptors, but at most half of them. Returns how many are left. */
static rlim_t reserve(rlim_t descriptors, rlim_t wanted) {
    return descriptors > 2 * wanted ? descriptors - wanted : descriptors / 2;
}

unsigned http_max_connections(uint64_t wanted, size_t loops, bool has_ops) {
    struct rlimit limit;
    rlim_t max = 1024;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
        limit.rlim_cur = limit.rlim_max;
        setrlimit(RLIMIT_NOFILE, &limit);
        getrlimit(RLIMIT_NOFILE, &limit);
        max = limit.rlim_cur;
    }
    if (has_ops)
        max = reserve(max, OPS_CONNECTIONS + OPS_OWN_DESCRIPTORS);
    max = reserve(max, OWN_DESCRIPTORS + loops * LOOP_DESCRIPTORS);
    return (unsigned)(wanted < max ? wanted : max);
}

static void *run(void *argument) {
    run_loop(argument);
    return NULL;
}

static bool begin_loops(struct http *http, size_t count) {
    for (; http->loop_count < count; http->loop_count++)
        if (!init_loop(&http->loops[http->loop_count], http, (unsigned)http->loop_count))
            return false;
    return true;
}

static bool begin_threads(struct http *http) {
    for (size_t l = http->first_thread; l < http->loop_count; l++, http->thread_count++)
        if (pthread_create(&http->threads[http->thread_count], NULL, run, &http->loops[l]) != 0)
            return false;
    return true;
}

/* Start everything that `shared` describes. */
static bool begin(struct http *http, const struct http_config *config) {
    struct http_shared *shared = &http->shared;
    if (getrandom(&shared->id_seed, sizeof shared->id_seed, 0) != sizeof shared->id_seed)
        shared->id_seed = (uint64_t)getpid();
    shared->proxies = peer_proxies_new(config->trusted_proxy);
    if (!http_is_ops(shared)) {
        shared->metrics = metrics_new();
        shared->queue = queue_start(&config->queue);
        if (shared->metrics == NULL || shared->queue == NULL)
            return false;
    }
    return shared->proxies != NULL && begin_loops(http, config->loops) &&
           listener_begin(&http->listener, &http->listening, http->loops, config->loops, shared->max_connections,
                          (size_t)config->max_connections_per_client) &&
           begin_threads(http);
}

/* `probed`: for the ops port, the service that it reports on; otherwise NULL. */
static struct http *make(const struct http_config *config, struct http_shared *probed) {
    ASSERT(config->loops >= 1 && config->loops <= LOOP_MAX);
    struct http *http = calloc(1, sizeof *http + config->loops * sizeof *http->loops);
    if (http == NULL) {
        listening_close(&config->listening);
        return NULL;
    }
    uint64_t sample = config->send_timeout * 1000 / SAMPLES;
    http->listening = config->listening;
    http->first_thread = probed == NULL;
    http->shared = (struct http_shared){
        .service = config->service,
        .account = config->account,
        .log = config->log,
        .probed = probed != NULL ? probed : &http->shared,
        .version = config->version,
        .commit = config->commit,
        .start_time = process_wall_clock(),
        .max_connections = http_max_connections(config->max_connections, config->loops, config->metrics_elsewhere),
        .memory_limit = config->memory_limit,
        .loops = http->loops,
        .loop_count = config->loops,
        .metrics_elsewhere = config->metrics_elsewhere,
        .is_inherited = config->is_inherited,
        .kernel_buffers = config->kernel_buffers,
        .pauses = {[TIMER_HEAD] = config->head_timeout * 1000,
                   [TIMER_BODY] = config->body_timeout * 1000,
                   [TIMER_READER] = sample < MAX_SAMPLE ? sample : MAX_SAMPLE,
                   [TIMER_LEAVE] = LEAVE},
        .send_timeout = config->send_timeout * 1000,
    };
    client_totals_init(&http->shared.held_bytes);
    if (begin(http, config))
        return http;
    http_free(http);
    return NULL;
}

struct http *http_new(const struct http_config *config) {
    return make(config, NULL);
}

struct http *http_new_ops(const struct http *http, const struct listening *listening) {
    const struct http_config config = {.service = http->shared.service,
                                       .account = http->shared.account,
                                       .listening = *listening,
                                       .loops = 1,
                                       .max_connections = OPS_CONNECTIONS,
                                       .max_connections_per_client = OPS_OF_ONE_CLIENT,
                                       .kernel_buffers = http->shared.kernel_buffers,
                                       .head_timeout = OPS_TIMEOUT,
                                       .body_timeout = OPS_TIMEOUT,
                                       .send_timeout = OPS_TIMEOUT};
    return make(&config, http->shared.probed);
}

static void join(struct http *http) {
    while (http->thread_count != 0)
        pthread_join(http->threads[--http->thread_count], NULL);
}

void http_run(struct http *http) {
    run_loop(&http->loops[0]);
    join(http);
    mailbox_deliver(&http->loops[0].loop.mailbox); /* messages about other loops' connections that were closed in the
                                                    * meantime */
}

void http_free(struct http *http) {
    if (http == NULL)
        return;
    if (http->thread_count != 0) { /* the first loop has a thread of its own, or http_run was never called */
        for (size_t l = http->first_thread; l < http->loop_count; l++)
            enter_phase(&http->loops[l], PHASE_ABORT);
        join(http);
    }
    queue_free(http->shared.queue);
    for (size_t l = 0; l < http->loop_count; l++)
        clear_loop(&http->loops[l]);
    listener_clear(&http->listener);
    listening_close(&http->listening);
    client_totals_clear(&http->shared.held_bytes);
    metrics_free(http->shared.metrics);
    peer_proxies_free(http->shared.proxies);
    free(http);
}

struct loop *http_first_loop(struct http *http) {
    return &http->loops[0].loop;
}
