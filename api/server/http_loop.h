/* What the event loops of the service share, and what each of them owns. */
#pragma once

#include "api/job/workspace.h"
#include "api/server/gauges.h"
#include "api/server/held_bytes.h"
#include "api/server/loop.h"

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
STAILQ_HEAD(resumed_list, connection);
TAILQ_HEAD(lingering_list, lingering);

/* The same for all loops, and constant while they run, but for what any thread may change. */
struct http_shared {
    const struct service *service;
    struct account *account;
    struct log *log;
    struct peer_proxies *proxies;
    struct queue *queue;
    struct metrics *metrics;
    struct gauges gauges;
    struct held_bytes held_bytes;
    bool metrics_elsewhere;                            /* not at this port */
    uint64_t head_timeout, body_timeout, send_timeout; /* milliseconds */
    uint64_t id_seed;                                  /* of request ids */
    /* For the metrics. */
    const char *version, *commit;
    double start_time; /* of the process */
    uint64_t max_connections, memory_limit;
    const struct http_loop *loops;
    size_t loop_count;
};

/* The way of a loop to its end. */
enum phase {
    PHASE_SERVE,
    PHASE_DRAIN,  /* connections are closed after the next answer */
    PHASE_REFUSE, /* further requests are refused, and their connections closed */
    PHASE_CLOSE,  /* no request is taken any more, be it to refuse it: its connection is closed */
    PHASE_END,    /* nothing is in flight: close everything */
    PHASE_ABORT,  /* close everything, and cut off what is in flight */
    PHASES
};

/* Tell a loop of a phase. */
struct phase_message {
    struct message message;
    struct message reached; /* the answer: the loop is in the phase */
    struct http_loop *loop;
    enum phase phase;
};

/* A loop. All of it is its thread's, but for the mailbox and the meter of `loop`. */
struct http_loop {
    struct loop loop;
    struct http_shared *shared;
    struct MHD_Daemon *daemon; /* NULL: it does not run any more */
    struct source daemon_source;
    struct workspace workspace;
    enum phase phase;
    struct phase_message phases[PHASES];
    struct message idle;     /* is posted to `reports` when the loop, on its way to the end, has nothing in flight */
    struct mailbox *reports; /* of the first loop */
    struct http *owner;
    struct connection *opening;         /* is being given to libmicrohttpd; else NULL */
    struct connection_list connections; /* those that are open */
    struct resumed_list resumed;        /* they are suspended, and about to go on together */
    size_t suspended;                   /* connections */
    struct timer resume_timer;          /* for `resumed` */
    struct lingering_list lingering;    /* the one that has to go first comes first */
    size_t lingering_count;
    size_t in_flight; /* requests whose heads are complete and that have not ended */
    size_t queued;    /* exchanges whose job the queue has */
    struct timer trim_timer, cut_off_timer, hang_up_timer;
    size_t refusals;   /* of the account, for which room was made or could not be */
    uint64_t id_count; /* request ids that were given */
    unsigned number;   /* from 0 */
};
