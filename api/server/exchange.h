/* A request and its answer: what the server's files share of it. Its states stand in state.h. It belongs to the thread
 * of its connection's loop; only the two functions of its task run elsewhere, and they post messages.
 *
 * It begins with the request line (exchange_new) and ends when libmicrohttpd has ended the request and the queue has
 * let go of the job (exchange_close). */
#pragma once

#include "api/api.h"
#include "api/server/mailbox.h"
#include "api/server/metrics.h"
#include "api/server/peer.h"
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
    struct connection *connection; /* NULL: it is closed */
    struct task task;
    struct message progressed, finished; /* of the task */
    struct admission admission;
    struct buffer body;
    struct response response;
    size_t sending_bytes; /* bytes of the account that the answer holds, once libmicrohttpd has it; see held_bytes.h */
    bool http10;          /* the end of the connection is the end of a stream */
    struct peer peer;     /* the client */
    /* For the log and the metrics. */
    enum reason reason;     /* why it was refused or cut off */
    enum metrics_lane lane; /* METRICS_SHORT: the queue has, or had, its job, and knows more */
    unsigned status;        /* that was sent; 0: none */
    uint64_t began;         /* microseconds: when its head was complete; 0: it is not */
    uint64_t worked, bytes_in, bytes_out;
    char id[REQUEST_ID_SIZE], trace[TRACE_ID_SIZE], method[METHOD_SIZE];
    char target[];
};

/* Begin an exchange on a connection. NULL when memory is exhausted. */
struct exchange *exchange_new(struct connection *connection, const char *target);

/* Change the state. The event must be possible in the state that it is in. */
void exchange_happens(struct exchange *exchange, enum event event);

/* End it without the rest of its answer: HUNG_UP, TIMED_OUT, DISMISSED, MAKE_ROOM or FAILED. Its job is cancelled. The
 * reason stays the first that was given. */
void exchange_cut_off(struct exchange *exchange, enum event event, enum reason reason);

/* The response is a 503 from here on. */
void exchange_overload(struct exchange *exchange, enum reason reason, const char *detail);

/* Note that the answer, which goes to libmicrohttpd next, holds `bytes` of the account. */
void exchange_charge(struct exchange *exchange, size_t bytes);

/* Note the reason of a 503 that the api has written: memory is exhausted. */
void exchange_note_refusal(struct exchange *exchange);

/* Its job and its body are of no use any more. The queue does not have the job. */
void exchange_free_job(struct exchange *exchange);

/* libmicrohttpd has ended the request: the connection is not its any more. Frees it, unless the queue has the job. */
void exchange_close(struct exchange *exchange);

/* The queue has let go of the job: EVENT_SOLVED or EVENT_DISPLACED. Frees an exchange whose connection is closed, and
 * returns false then. */
bool exchange_let_go(struct exchange *exchange, enum event event);
