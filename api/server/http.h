/* The HTTP service: event loops, the queue of jobs that they share, and an orderly shutdown.
 *
 *     http_new, http_run, http_free
 *
 *     SERVE --http_shut_down--> REFUSE --nothing in flight--> CLOSE --nothing in flight--> END: http_run returns
 *                                  \                            /
 *                                   \-------http_abort---------/--> ABORT: http_run returns
 *
 * If the listening socket is inherited, clients that come after http_shut_down wait in the kernel's queue for the next
 * program that serves on it. Requests on open connections are still answered in REFUSE, which then lasts for a second
 * at least.
 *
 * The first loop runs on the thread that calls http_run, each further one on a thread of its own. In each round of a
 * loop libmicrohttpd runs, then the timers that are due; then it waits for sockets, and for messages of other threads.
 *
 * The files of this folder:
 *
 *     http.h        the service, its loops and threads, the phases of its end
 *     http_loop.h   what all loops share, and what each has
 *     listener.h    accepts connections, counts them, gives each to a loop
 *     connection.h  a connection, and how it lingers
 *     request.h     libmicrohttpd and its callbacks: on_request is a request's path from top to bottom
 *     head.h        the head of a request: its id, its client, admission
 *     exchange.h    a request and its answer: applies what is in effect in its state
 *     state.h       states, events, reasons; what is in effect in each state
 *     dispatch.h    a complete request becomes a job, which is solved here or by the queue
 *     send.h        the answer: its headers, its body, the lines of a stream
 *     report.h      the end of a request: its line in the log, its counters
 *     watch.h       clients that are too slow, or gone
 *     client.h      who a client is, behind proxies too, and how much each has
 *     metrics.h     gauges and counters; probe.h reads them for /metrics, process.h knows the process
 *     loop.h        timers, descriptors, messages of other threads; socket.h: system calls for sockets
 *
 * Where a change goes:
 *
 *     refuse by the head            admit (api/request/admit.c); by the state of the service: admit_head (request.c)
 *     a limit for each client       on connections: count (listener.c); on requests: admit_head
 *     a deadline                    enum state_timer, the rows of its states, start_timer (exchange.c), on_deadline
 *                                   (watch.c); one that lasts over several states: a timer beside hang_up_timer
 *     a header in each answer       add_headers (send.c), and put_response for those past libmicrohttpd
 *     a member of the log           log_ended (report.c)
 *     a metric                      a counter: describe (report.c), metrics.c; a gauge: probe.c
 *     when the queue is done        on_finished (dispatch.c)
 *     when the state changes        a column of state_rows, applied by a function of exchange.c
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

/* Checks whether the program can serve with the libmicrohttpd that is loaded. 0.9 and 1.x share a soname, so the loader
 * does not notice when a program that was built with one is started with the other. But then a connection from
 * MHD_add_connection would be opened only in the next round, where nobody expects it, or options of the daemon would be
 * unknown. Returns false, with the reason as text, if one of the loaded version and the version at build time is 0.9
 * and the other is 1.x. */
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
    size_t kernel_buffers;                             /* bytes of the kernel for a connection: socket.h */
    uint64_t head_timeout, body_timeout, send_timeout; /* seconds */
};

/* Create a service, which accepts connections once it runs. All pointers in `config` must outlive the service. Returns
 * NULL, with the listening sockets closed, if it cannot be started. */
struct http *http_new(const struct http_config *config);

/* Create and run a service on the ops port. It runs on a thread of its own, so that it answers whatever the load on the
 * loops of `http`, and it serves only probes and the metrics of `http`. It has no log or counters of its own, a single
 * loop, and low limits. Call http_free on it before you free `http`. Returns NULL, with the sockets closed, if it
 * cannot be started. */
struct http *http_new_ops(const struct http *http, const struct listening *listening);

/* Serve until the shutdown started by http_shut_down or http_abort is complete. */
void http_run(struct http *http);

/* Free a service that has ended or has never run, or the one on the ops port, which is stopped first. Accepts NULL. */
void http_free(struct http *http);

/* Returns how many of the `wanted` connections the limit on descriptors allows, given the number of loops and whether
 * there is an ops port. Raises the soft limit as far as allowed. */
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

/* Stop immediately, without answering requests in flight. Returns how many of them are cut off. Must follow
 * http_shut_down. */
size_t http_abort(struct http *http);
