/* The HTTP service: event loops, the queue of jobs that they share, and the way to an orderly end.
 *
 *     http_new, http_run, http_free
 *
 *     SERVE --http_shut_down--> LEAVE --nothing in flight--> CLOSE --nothing in flight--> END: http_run returns
 *        \                  /  \-----------http_abort-------------/
 *         \--> DRAIN ------/
 *
 * DRAIN comes where the listening socket is inherited. The program accepts and answers as before, but each answer says
 * Connection: close, until the connections that were open at its beginning have ended. So new clients wait only for the
 * start of the next program. A connection without a request is closed when DRAIN has lasted for half of the time.
 *
 * The first loop is the thread's that calls http_run; each further one has a thread of its own. */
#pragma once

#include "api/server/log.h"
#include "api/server/loop.h"
#include "api/work/queue.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct http;
struct http_shared;
struct service;

struct http_config {
    const struct service *service;
    struct account *account; /* that of the service */
    struct log *log;
    const char *trusted_proxy; /* a list that peer_check_proxies accepts: their X-Forwarded-For is believed; or NULL */
    int listening;             /* the socket to serve on; http_free closes it */
    bool is_inherited;         /* that socket outlives the program: it is never shut down */
    const char *version, *commit;
    uint64_t memory_limit;  /* bytes: the most memory that the options allow, for the metrics */
    bool metrics_elsewhere; /* GET /metrics is 404 here: they are answered at a port of their own */
    struct queue_config queue;
    size_t loops;                                      /* 1 to LOOP_MAX */
    uint64_t max_connections;                          /* fewer, where there are not as many descriptors */
    uint64_t max_connections_per_client;               /* 0: any number */
    uint64_t head_timeout, body_timeout, send_timeout; /* seconds */
};

/* Make a service that accepts connections once it runs. The caller keeps what the configuration points to for
 * as long as the service lives. NULL when it cannot be started; the listening socket is closed then. */
struct http *http_new(const struct http_config *config);

/* Serve until the end that http_shut_down or http_abort brings about. */
void http_run(struct http *http);

/* Free what has ended, or has never run. Accepts NULL. */
void http_free(struct http *http);

/* Get how many of the `wanted` connections the limit on descriptors allows, with so many loops. Raises that limit as
 * far as allowed. */
unsigned http_max_connections(uint64_t wanted, size_t loops);

/* The first loop, for further sources and timers of the thread that calls http_run. */
struct loop *http_loop(struct http *http);

/* Get what probe_respond needs. */
struct http_shared *http_shared(struct http *http);

/* Refuse the requests that have waited for the queue's max_wait. Returns the milliseconds before another one can be
 * due. Any thread. */
uint64_t http_expire(struct http *http);

/* GET /readyz turns 503. On the first loop's thread, as the next two. */
void http_set_unready(struct http *http);

/* Refuse new connections; answer further requests on open ones with 503; end once nothing is in flight. With an
 * inherited socket all of that comes after the phase DRAIN, which lasts for half of `timeout` milliseconds and a second
 * at most. */
void http_shut_down(struct http *http, uint64_t timeout);

/* End now, without an answer to what is in flight. Returns how many requests are cut off. After http_shut_down. */
size_t http_abort(struct http *http);
