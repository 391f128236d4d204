/* The HTTP shell: libmicrohttpd on one I/O thread, the small lane on it, everything else to the queue.
 *
 * Life cycle: http_start; http_leave when no new connections are wanted; http_stop when http_in_flight is 0 or nobody
 * wants to wait any longer. */
#pragma once

#include "api/api.h"
#include "api/server/deadlines.h"
#include "api/server/log.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

struct http;

struct http_config {
    const struct service *service;
    struct account *account; /* that of the service */
    const struct log *log;
    const atomic_bool *stop;             /* ends computations */
    int listening;                       /* the socket to serve on; http_stop closes it */
    int wake;                            /* an eventfd: see http_start */
    size_t workers, queue;               /* threads, and tasks that may wait for them */
    uint64_t head_timeout, body_timeout; /* seconds */
};

/* Serve. `wake` is written when, after http_leave, nothing is in flight any more, and when there will be something for
 * http_tidy. What the configuration points to outlives the server. NULL when it cannot be started; the listening socket
 * is closed then. */
struct http *http_start(const struct http_config *config);

/* The deadlines of its connections, for the thread that expires them. */
struct deadlines *http_deadlines(struct http *http);

/* GET /readyz turns 503. */
void http_set_unready(struct http *http);

/* Refuse new connections; answer further requests on open ones with 503. */
void http_leave(struct http *http);

/* Requests whose heads are complete and that are not answered. */
size_t http_in_flight(const struct http *http);

/* Give memory that lies idle back to the system, when no large request has ended for a second. Returns a
 * lower bound, in milliseconds, on when there may be something to give; UINT64_MAX when there is none. For the thread
 * that waits: it may take some 10 ms. */
uint64_t http_tidy(struct http *http);

/* Finish what the workers have (with the stop flag set: end it at once), close everything, free. */
void http_stop(struct http *http);
