/* The HTTP service: event loops, the queue of jobs that they share, and an orderly shutdown.
 *
 *     http_new, http_run, http_free
 *
 *     SERVE --http_shut_down--> REFUSE --nothing in flight--> CLOSE --nothing in flight--> END: http_run returns
 *                                  \                            /
 *                                   \-------http_abort---------/--> ABORT: http_run returns
 *
 * If the listening socket is inherited, clients that arrive after http_shut_down wait in the kernel's queue for the
 * next program that serves on it. In that case, requests on open connections are still answered in REFUSE, which then
 * lasts for at least a second.
 *
 * The first loop runs on the thread that calls http_run, and every other loop on a thread of its own. In each round of
 * a loop, libmicrohttpd runs first, and then the timers that are due. Then the loop waits for sockets, and for messages
 * from other threads.
 *
 * The files in this folder:
 *
 *     http.h        the service, its loops and threads, the phases of its shutdown
 *     http_loop.h   what all loops share, and the data of each loop
 *     listener.h    accepts connections, counts them, and gives each one to a loop
 *     connection.h  a connection, and how it lingers
 *     request.h     libmicrohttpd and its callbacks: on_request is a request's path from top to bottom
 *     exchange.h    a request and its answer: applies what is in effect in its state, reports its end
 *     state.h       states, events, reasons; what is in effect in each state
 *     dispatch.h    turns a complete request into a job, which is solved here or by the queue
 *     send.h        the answer: its headers, its body, the lines of a stream
 *     watch.h       clients that are too slow, or have gone
 *     client.h      identifies clients, even behind proxies, and keeps a total for each
 *     metrics.h     gauges and counters; probe.h reads them for /metrics, and process.h has facts about the process
 *     loop.h        timers, descriptors, messages from other threads; socket.h: system calls for sockets
 *
 * Where to make a change:
 *
 *     refuse a request              because of its head: admit (api/request/admit.c); because of the state of the
 *                                   service: admit_head (request.c)
 *     limit each client             its connections: count (listener.c); its requests: admit_head
 *     a deadline                    enum state_timer, the rows of its states, `pauses` (http.c), on_deadline
 *                                   (watch.c); if it spans several states, a timer next to hang_up_timer
 *     a header in each answer       add_headers (send.c), and put_response for answers that bypass libmicrohttpd
 *     a member in the log           log_ended (exchange.c)
 *     a metric                      a counter: describe (exchange.c), metrics.c; a gauge: probe.c
 *     when the queue is done        on_finished (dispatch.c)
 *     when the state changes        a column of state_rows, applied by a function in exchange.c
 */
#pragma once

#include "api/log/log.h"
#include "api/server/listener.h"
#include "api/server/loop.h"
#include "api/work/queue.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct http;
struct service;

enum { HTTP_REASON_SIZE = 160 /* bytes of a reason, including its terminator */ };

/* Checks whether the program can serve with the libmicrohttpd that is loaded. Returns false, with the reason as text,
 * if it was built for 0.9 and 1.x is loaded, or the other way round. These share a soname, so the loader does not
 * notice the mismatch. But then a connection from MHD_add_connection would be opened only in the next round, where
 * nothing expects it, or the daemon would not know some of its options. */
bool http_fits_library(size_t size, char ret_reason[size]);

/* Get the version of the loaded libmicrohttpd, such as "1.0.1". */
const char *http_library_version(void);

struct http_config {
    const struct service *service;
    struct account *account; /* the account of the service */
    struct log *log;
    const char *trusted_proxy;  /* a list that peer_check_proxies accepts: proxies whose X-Forwarded-For is trusted;
                                 * or NULL */
    struct listening listening; /* the sockets to serve on; http_free closes them */
    bool is_inherited;          /* they outlive the program and must not be shut down */
    const char *version, *commit;
    uint64_t memory_limit;  /* bytes: the most memory that the options allow; reported as a metric */
    bool metrics_elsewhere; /* this port answers GET /metrics with 404, because the ops port serves it */
    struct queue_config queue;
    size_t loops;                                      /* 1 to LOOP_MAX */
    uint64_t max_connections;                          /* lowered if there are too few descriptors */
    uint64_t max_connections_per_client;               /* 0: unlimited */
    size_t kernel_buffers;                             /* bytes that the kernel buffers for a connection: socket.h */
    uint64_t head_timeout, body_timeout, send_timeout; /* seconds */
};

/* Create a service, which accepts connections once it runs. All pointers in `config` must outlive the service. Returns
 * NULL, with the listening sockets closed, if it cannot be started. */
struct http *http_new(const struct http_config *config);

/* Create and run a service on the ops port. It runs on a thread of its own, so that it answers regardless of the load
 * on the loops of `http`, and serves only probes and the metrics of `http`. It has no log or counters of its own, a
 * single loop, and low limits. Call http_free on it before you free `http`. Returns NULL, with the sockets closed, if
 * it cannot be started. */
struct http *http_new_ops(const struct http *http, const struct listening *listening);

/* Serve until the shutdown started by http_shut_down or http_abort is complete. */
void http_run(struct http *http);

/* Free a service that has ended or has never run, or the one on the ops port, which is stopped first. Accepts NULL. */
void http_free(struct http *http);

/* Returns how many of the `wanted` connections the limit on descriptors allows, given the number of loops and whether
 * there is an ops port. Raises the soft limit as far as possible. */
unsigned http_max_connections(uint64_t wanted, size_t loops, bool has_ops);

/* Get the first loop, so that the thread that calls http_run can add sources and timers of its own. */
struct loop *http_first_loop(struct http *http);

/* Refuse requests that have waited longer than the queue's max_wait. Returns the milliseconds until the next one can
 * expire. Can be called from any thread. */
uint64_t http_expire(struct http *http);

/* Make GET /readyz answer 503. Like the next two functions, this must be called on the first loop's thread. */
void http_set_unready(struct http *http);

/* Shut down: stop accepting connections, answer further requests on open connections with 503, close each connection
 * after its answer, and stop once nothing is in flight. If the socket is inherited, new connections are left to the
 * next program, and requests on open ones are answered as usual. */
void http_shut_down(struct http *http);

/* Stop immediately, without answering requests in flight. Returns how many of them are cut off. Must be called after
 * http_shut_down. */
size_t http_abort(struct http *http);
