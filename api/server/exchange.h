/* A request and its answer. The states are described in state.h. An exchange belongs to the thread of its connection's
 * loop. Only the two callbacks of its task run on other threads, and they post messages.
 *
 * Life cycle: exchange_new at the request line, exchange_close when libmicrohttpd has ended the request. It is freed
 * when the queue has released its job, too. */
#pragma once

#include "api/api.h"
#include "api/server/client.h"
#include "api/server/loop.h"
#include "api/server/metrics.h"
#include "api/server/reason.h"
#include "api/server/state.h"
#include "api/work/queue.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct connection;
struct http_loop;

enum { REQUEST_ID_SIZE = 65, TRACE_ID_SIZE = 33, METHOD_SIZE = 12 };

struct exchange {
    enum state state; /* changed by exchange_happens only */
    struct http_loop *loop;
    struct connection *connection; /* NULL: the connection is closed */
    struct task task;
    struct message progressed, finished; /* messages of the task's callbacks */
    struct admission admission;
    struct buffer body;
    struct response response;
    size_t
        sending_bytes; /* bytes of the account that the answer holds while libmicrohttpd sends it; see held_bytes.h */
    bool http10;       /* HTTP/1.0: a stream ends with the end of the connection */
    struct peer peer;  /* the client's address */
    /* For the log and the metrics. */
    enum reason reason;     /* why it was refused or cut off; else REASON_NONE */
    enum metrics_lane lane; /* METRICS_SHORT: the queue has, or had, its job, and task_report tells the lane */
    unsigned status;        /* of the answer that was sent; 0: none */
    uint64_t began;         /* microseconds: when its head was complete; 0: not yet */
    uint64_t worked, bytes_in, bytes_out;
    char id[REQUEST_ID_SIZE], trace[TRACE_ID_SIZE], method[METHOD_SIZE];
    char target[];
};

/* Begin an exchange on a connection. NULL when memory is exhausted. */
struct exchange *exchange_new(struct connection *connection, const char *target);

/* Apply an event. It must be possible in the current state. */
void exchange_happens(struct exchange *exchange, enum event event);

/* End the exchange without the rest of its answer. `event` is HUNG_UP, TIMED_OUT, DISMISSED, MAKE_ROOM or FAILED. Its
 * job is cancelled. Its socket is shut down, so that libmicrohttpd closes the connection; where the client could take
 * the end of the connection for the end of the answer, it is reset. A reason that was given before is kept. */
void exchange_cut_off(struct exchange *exchange, enum event event, enum reason reason);

/* Replace the response by a 503. */
void exchange_overload(struct exchange *exchange, enum reason reason, const char *detail);

/* Note that the answer, which is about to be given to libmicrohttpd, holds `bytes` of the account. */
void exchange_charge(struct exchange *exchange, size_t bytes);

/* Note the reason of a 503 that api has written: memory is exhausted. */
void exchange_note_refusal(struct exchange *exchange);

/* Free its job and its body. The queue must not have the job. */
void exchange_free_job(struct exchange *exchange);

/* libmicrohttpd has ended the request, and the exchange loses its connection. Frees the exchange, unless the queue has
 * the job. */
void exchange_close(struct exchange *exchange);

/* The queue has released the job. If the connection is closed, frees the exchange and returns false. */
bool exchange_let_go(struct exchange *exchange);
