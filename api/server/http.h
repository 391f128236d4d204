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

enum { HTTP_REASON_SIZE = 160 /* bytes of a reason, including its end */ };

/* Can the program serve with the libmicrohttpd that is loaded? 0.9 and 1.x share a soname, so a program that was built
 * with one may be started with the other, and the loader does not notice. But then a connection from MHD_add_connection
 * would be opened in the next round, where nobody expects it, or the options of the daemon would be unknown. False,
 * with the reason as text, if one of the loaded version and the headers of the build is 0.9 and the other 1.x. */
bool http_fits_library(size_t size, char ret_reason[size]);

/* Get the version of libmicrohttpd that is loaded, such as "1.0.1". */
const char *http_library_version(void);

struct http_config {
    const struct service *service;
    struct account *account; /* the account of the service */
    struct log *log;
    const char *trusted_proxy;  /* a list that peer_check_proxies accepts, whose X-Forwarded-For is believed; or NULL */
    struct listening listening; /* the sockets to serve on; http_free closes them */
    bool is_inherited;          /* they outlive the program, and must not be shut down */
    const char *version, *commit;
    uint64_t memory_limit;  /* bytes: the most memory that the options allow; a metric */
    bool metrics_elsewhere; /* GET /metrics is 404 at this port; the port for probes and metrics has them */
    struct queue_config queue;
    size_t loops;                                      /* 1 to LOOP_MAX */
    uint64_t max_connections;                          /* lowered if there are not enough descriptors */
    uint64_t max_connections_per_client;               /* 0: any number */
    size_t kernel_buffers;                             /* bytes of the kernel for a connection: socket.h */
    uint64_t head_timeout, body_timeout, send_timeout; /* seconds */
};

/* Make a service, which accepts connections once it runs. All pointers in `config` must outlive the service. NULL when
 * it cannot be started; the listening sockets are closed then. */
struct http *http_new(const struct http_config *config);

/* Make and run a service at the port of the operators, on a thread of its own, so that it answers whatever the load on
 * the loops of `http`: only probes, and the metrics of `http`, without a log and without counters of its own. It has
 * one loop and small limits. http_free ends it, before `http`. NULL when it cannot be started; the sockets are
 * closed then. */
struct http *http_new_ops(const struct http *http, const struct listening *listening);

/* Serve until http_shut_down or http_abort has ended the service. */
void http_run(struct http *http);

/* Free a service that has ended or has never run, or the one for the operators, which it ends. Accepts NULL. */
void http_free(struct http *http);

/* Get how many of the `wanted` connections the limit on descriptors allows with this number of loops, and with a port
 * of the operators or without. Raises the soft limit as far as allowed. */
unsigned http_max_connections(uint64_t wanted, size_t loops, bool has_ops);

/* Get the first loop, for further sources and timers of the thread that calls http_run. */
struct loop *http_first_loop(struct http *http);

/* Refuse the requests that have waited for the queue's max_wait. Returns the milliseconds until the next one can be
 * due. Any thread. */
uint64_t http_expire(struct http *http);

/* Make GET /readyz answer 503. Called on the first loop's thread, like the next two functions. */
void http_set_unready(struct http *http);

/* Shut down: refuse new connections (or leave them to the next program), answer further requests on open ones with 503
 * (or as usual), close each after its answer, and end once nothing is in flight. */
void http_shut_down(struct http *http);

/* End now, without answers to the requests in flight. Returns how many are cut off. Called after http_shut_down. */
size_t http_abort(struct http *http);
