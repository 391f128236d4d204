#include "api/server/http.h"

#include "api/request/service.h"
#include "api/server/client.h"
#include "api/server/daemon.h"
#include "api/server/http_loop.h"
#include "api/server/linger.h"
#include "api/server/listener.h"
#include "api/server/metrics.h"
#include "api/server/ops.h"
#include "api/server/process.h"
#include "api/server/socket.h"
#include "base/assert.h"
#include "base/owner.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <unistd.h>

/* Descriptors that are not connections. */
enum { OWN_DESCRIPTORS = 28, LOOP_DESCRIPTORS = 4 + LINGER_MAX /* for each loop */ };

struct http {
    struct http_shared shared;
    struct listener listener;
    int listening;
    enum phase phase;    /* the phase that all loops were asked to enter */
    size_t reached;      /* loops that have entered it */
    size_t loop_count;   /* loops that were initialised */
    size_t thread_count; /* running threads of the loops after the first */
    pthread_t threads[LOOP_MAX];
    size_t open[LOOP_MAX]; /* connections of each loop; used by the listener */
    struct http_loop loops[];
};

/* ---- the end ---- */

static void enter_phase(struct http *http, enum phase phase) {
    http->phase = phase;
    http->reached = 0;
    for (size_t l = 0; l < http->loop_count; l++)
        daemon_enter_phase(&http->loops[l], phase);
}

/* A loop takes only the requests that its phase allows. So once all loops are in the phase, the number of requests in
 * flight does not grow. */
static void check_idle(struct http *http) {
    if (http->phase >= PHASE_REFUSE && http->phase < PHASE_END && http->reached == http->loop_count &&
        gauge_get(&http->shared.gauges.in_flight) == 0)
        enter_phase(http, (enum phase)(http->phase + 1));
}

static void on_reached(struct message *message) {
    struct phase_message *phase = OWNER_OF(message, struct phase_message, reached);
    struct http *http = phase->loop->owner;
    if (phase->phase != http->phase)
        return; /* it was aborted meanwhile */
    http->reached++;
    check_idle(http);
}

static void on_idle(struct message *message) { check_idle(OWNER_OF(message, struct http_loop, idle)->owner); }

uint64_t http_expire(struct http *http) { return queue_expire(http->shared.queue); }

void http_set_unready(struct http *http) { gauge_add(&http->shared.gauges.unready, 1); }

void http_shut_down(struct http *http) {
    ASSERT(http->phase == PHASE_SERVE);
    listener_end(&http->listener);
    if (!http->shared.is_inherited)
        socket_shut_down(http->listening);
    enter_phase(http, PHASE_REFUSE);
}

size_t http_abort(struct http *http) {
    size_t in_flight = gauge_get(&http->shared.gauges.in_flight);
    enter_phase(http, PHASE_ABORT);
    return in_flight;
}

/* ---- life cycle ---- */

/* Reserve descriptors, but at most half of them. Returns the rest. */
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
        max = reserve(max, OPS_DESCRIPTORS);
    max = reserve(max, OWN_DESCRIPTORS + loops * LOOP_DESCRIPTORS);
    return (unsigned)(wanted < max ? wanted : max);
}

static void *run(void *argument) {
    daemon_run(argument);
    return NULL;
}

/* Initialise all loops, and start a thread for each after the first. */
static bool begin_loops(struct http *http, size_t count) {
    for (size_t l = 0; l < count; l++) {
        struct http_loop *loop = &http->loops[l];
        if (!daemon_init(loop, &http->shared, (unsigned)l, &http->loops[0].loop.mailbox))
            return false;
        http->loop_count++;
        loop->owner = http;
        loop->idle.deliver = on_idle;
        for (enum phase phase = PHASE_SERVE; phase < PHASES; phase++)
            loop->phases[phase].reached.deliver = on_reached;
    }
    while (http->thread_count + 1 < count) {
        if (pthread_create(&http->threads[http->thread_count], NULL, run, &http->loops[http->thread_count + 1]) != 0)
            return false;
        http->thread_count++;
    }
    return true;
}

static bool begin(struct http *http, const struct http_config *config) {
    struct http_shared *shared = &http->shared;
    if (getrandom(&shared->id_seed, sizeof shared->id_seed, 0) != sizeof shared->id_seed)
        shared->id_seed = (uint64_t)getpid();
    shared->metrics = metrics_new();
    shared->proxies = peer_proxies_new(config->trusted_proxy);
    shared->queue = queue_start(&config->queue);
    return shared->metrics != NULL && shared->proxies != NULL && shared->queue != NULL &&
           begin_loops(http, config->loops) &&
           listener_begin(&http->listener, http->listening, http->loops, http->open, config->loops,
                          shared->max_connections, (size_t)config->max_connections_per_client);
}

struct http *http_new(const struct http_config *config) {
    ASSERT(config->loops >= 1 && config->loops <= LOOP_MAX);
    struct http *http = calloc(1, sizeof *http + config->loops * sizeof *http->loops);
    if (http == NULL) {
        close(config->listening);
        return NULL;
    }
    http->listening = config->listening;
    http->shared = (struct http_shared){
        .service = config->service,
        .account = config->account,
        .log = config->log,
        .version = config->version,
        .commit = config->commit,
        .start_time = process_start_time(),
        .max_connections = http_max_connections(config->max_connections, config->loops, config->metrics_elsewhere),
        .memory_limit = config->memory_limit,
        .loops = http->loops,
        .loop_count = config->loops,
        .metrics_elsewhere = config->metrics_elsewhere,
        .is_inherited = config->is_inherited,
        .head_timeout = config->head_timeout * 1000,
        .body_timeout = config->body_timeout * 1000,
        .send_timeout = config->send_timeout * 1000,
    };
    held_bytes_init(&http->shared.held_bytes);
    if (begin(http, config))
        return http;
    http_free(http);
    return NULL;
}

static void join(struct http *http) {
    while (http->thread_count != 0)
        pthread_join(http->threads[--http->thread_count], NULL);
}

void http_run(struct http *http) {
    daemon_run(&http->loops[0]);
    join(http);
    mailbox_deliver(&http->loops[0].loop.mailbox); /* messages about connections of other loops that were closed
                                                    * meanwhile */
}

void http_free(struct http *http) {
    if (http == NULL)
        return;
    if (http->thread_count != 0) { /* the loops have threads, and http_run was never called */
        enter_phase(http, PHASE_END);
        join(http);
    }
    queue_free(http->shared.queue);
    for (size_t l = 0; l < http->loop_count; l++)
        daemon_clear(&http->loops[l]);
    listener_clear(&http->listener);
    close(http->listening);
    held_bytes_clear(&http->shared.held_bytes);
    metrics_free(http->shared.metrics);
    peer_proxies_free(http->shared.proxies);
    free(http);
}

struct loop *http_loop(struct http *http) {
    return &http->loops[0].loop;
}

struct http_shared *http_shared(struct http *http) {
    return &http->shared;
}
