/* The HTTP shell: libmicrohttpd on one I/O thread, the small lane on it, everything else to the queue.
 *
 * Life cycle: http_start; http_leave when no new connections are wanted; http_stop when http_in_flight is 0 or nobody
 * wants to wait any longer. */
#pragma once

#include "api/api.h"
#include "api/server/deadlines.h"
#include "api/server/farewell.h"
#include "api/server/log.h"
#include "api/server/watch.h"
#include "api/work/queue.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

struct http;

struct http_config {
    const struct service *service;
    struct account *account; /* that of the service */
    struct log *log;
    const char *trusted_proxy; /* a list that peer_check_proxies accepts: their X-Forwarded-For is believed; or NULL */
    int listening;             /* the socket to serve on; http_stop closes it */
    int wake;                  /* an eventfd: see http_start */
    const char *version, *commit;
    bool metrics_elsewhere; /* GET /metrics is 404 here: they are told at a port of their own */
    struct queue_config queue;
    uint64_t max_connections;                          /* fewer, where there are not as many descriptors */
    uint64_t head_timeout, body_timeout, send_timeout; /* seconds */
};

/* Serve. `wake` is written when, after http_leave, nothing is in flight any more, and when there will be something for
 * http_tidy or http_resume. What the configuration points to outlives the server. NULL when it cannot be started; the
 * listening socket is closed then. */
struct http *http_start(const struct http_config *config);

/* Get how many of the `wanted` connections the limit on descriptors allows. Raises that limit as far as allowed.
 */
unsigned http_most_connections(uint64_t wanted);

/* The deadlines of its connections, for the thread that expires them. */
struct deadlines *http_deadlines(struct http *http);

/* Who of its clients has hung up, for the thread that looks. */
struct watch *http_watch(struct http *http);

/* Whose bodies are thrown away, for the thread that does so. `wake` is written when there is one more. */
struct farewell *http_farewell(struct http *http);

/* Let connections go on whose time has come. Returns how many milliseconds it takes until there are more; UINT64_MAX
 * when none wait. For the thread that waits, which `wake` wakes. */
uint64_t http_resume(struct http *http);

/* Refuse the requests that have waited for the queue's max_wait. Returns the milliseconds before another one can
 * be due. For the same thread. */
uint64_t http_expire(struct http *http);

/* GET /readyz turns 503. */
void http_set_unready(struct http *http);

/* Refuse new connections; answer further requests on open ones with 503. */
void http_leave(struct http *http);

/* Take no request any more, be it to refuse it: connections on which one comes are closed. */
void http_close(struct http *http);

/* Requests whose heads are complete and that are not answered. */
size_t http_in_flight(const struct http *http);

/* Give memory that lies idle back to the system, when no large request has ended for a second. Returns a
 * lower bound, in milliseconds, on when there may be something to give; UINT64_MAX when there is none. For the thread
 * that waits: it may take some 10 ms. */
uint64_t http_tidy(struct http *http);

/* End what the workers have without an answer. */
void http_dismiss(struct http *http);

/* Finish what the workers have, close everything, free. */
void http_stop(struct http *http);
