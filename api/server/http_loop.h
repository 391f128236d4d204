/* The data that all event loops of the service share, and the data of each loop. */
#pragma once

#include "api/job/workspace.h"
#include "api/server/client.h"
#include "api/server/loop.h"
#include "api/server/metrics.h"
#include "api/server/state.h"

#include <microhttpd.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/queue.h>

struct account;
struct connection;
struct http;
struct log;
struct metrics;
struct peer_proxies;
struct queue;
struct service;

LIST_HEAD(connection_list, connection);
TAILQ_HEAD(lingering_list, lingering);

/* Shared by all loops. Constant while they run, except members whose functions say "any thread". */
struct http_shared {
    const struct service *service;
    struct account *account;
    struct log *log;
    struct peer_proxies *proxies;
    struct queue *queue;
    struct metrics *metrics;
    struct gauges gauges;
    struct client_totals held_bytes; /* bytes charged to the account for answers while they are being sent */
    struct http_shared *probed;      /* the service whose state the probes and metrics report: this one or, for the ops
                                      * port, the main service */
    bool metrics_elsewhere;          /* this port answers GET /metrics with 404 */
    bool is_inherited; /* the next program serves on the same socket, so PHASE_REFUSE still answers requests */
    uint64_t pauses[STATE_TIMERS]; /* milliseconds */
    uint64_t send_timeout;         /* milliseconds */
    uint64_t id_seed;              /* for request ids */
    size_t kernel_buffers;         /* bytes that the kernel buffers for a connection: socket.h */
    /* For the metrics. */
    const char *version, *commit;
    double start_time; /* when the service was created, milliseconds after the process started */
    uint64_t max_connections, memory_limit;
    const struct http_loop *loops;
    size_t loop_count;
};

/* Is this the service on the ops port? */
static inline bool http_is_ops(const struct http_shared *shared) { return shared->probed != shared; }

/* The phases of a loop, in order. */
enum phase {
    PHASE_SERVE,
    PHASE_REFUSE, /* no connection is accepted; further requests are refused and their connections closed */
    PHASE_CLOSE,  /* requests are not even refused: their connections are closed */
    PHASE_END,    /* nothing is in flight: all connections are closed */
    PHASE_ABORT,  /* all connections are closed, and what is in flight is cut off */
    PHASES
};

/* Asks a loop to enter a phase. */
struct phase_message {
    struct message message;
    struct message reached; /* the reply: the loop has entered the phase */
    struct http_loop *loop;
    enum phase phase;
};

/* An event loop. It belongs to its thread, except the mailbox and the meter of `loop`, and `open`. */
struct http_loop {
    struct loop loop;
    struct http_shared *shared;
    struct MHD_Daemon *daemon; /* NULL once it is stopped */
    struct event_source daemon_source;
    struct workspace workspace;
    enum phase phase;
    struct phase_message phases[PHASES];
    struct message idle;     /* posted to `reports` when the service is shutting down and has nothing in flight */
    struct mailbox *reports; /* the mailbox of the first loop */
    struct http *owner;
    struct connection *opening;         /* the connection being handed to libmicrohttpd, or NULL */
    struct connection_list connections; /* open connections */
    size_t open;                        /* the number of connections that are open or on their way; belongs to the
                                         * listener */
    struct lingering_list lingering;    /* lingering connections, the oldest first */
    size_t lingering_count;
    size_t queued;           /* exchanges whose job is in the queue */
    size_t own_answers;      /* answers that libmicrohttpd announced in its log and whose connection is not known yet */
    struct timer trim_timer; /* goes off when there may be unused memory */
    struct timer room_timer; /* the next check for room (watch.h) */
    size_t refusals;         /* the number of refusals by the account up to the last check for room */
    uint64_t id_count;       /* the number of request ids generated */
    unsigned number;         /* counted from 0 */
};
