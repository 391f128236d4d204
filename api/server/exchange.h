/* A request and its answer. state.h describes its states; this file changes them, and applies what is in effect in
 * each: timers, suspension, the queue's work, the end of the socket, gauges. It belongs to the thread of its
 * connection's loop. Only the two callbacks of its task run on other threads, and they post messages.
 *
 * Life cycle: exchange_new at the request line, exchange_happens from then on. EVENT_CLOSED takes its connection, and
 * it is freed when the queue has released its job, too. */
#pragma once

#include "api/api.h"
#include "api/server/connection.h"
#include "api/server/metrics.h"
#include "api/server/state.h"
#include "api/work/queue.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { REQUEST_ID_SIZE = 65, TRACE_ID_SIZE = 33, METHOD_SIZE = 12 };

/* Who has solved, or tried to solve, the job. */
enum solver { SOLVER_NONE, SOLVER_LOOP, SOLVER_QUEUE };

struct exchange {
    enum state state; /* changed by exchange_happens only */
    struct http_loop *loop;
    struct connection *connection; /* NULL in STATE_CLOSED */
    struct task task;
    struct message progressed, finished; /* messages of the task's callbacks */
    struct admission admission;
    struct buffer body;
    struct response response;
    size_t sending_bytes; /* of the account: what the answer holds while it is sent */
    bool http10;          /* HTTP/1.0: a stream ends with the end of the connection */
    bool is_given;        /* libmicrohttpd has the response */
    struct peer peer;     /* the client's address */
    /* For the log and the metrics. */
    enum reason reason; /* why it was refused or cut off, or is about to be; else REASON_NONE */
    enum solver solver;
    unsigned status; /* of the answer that was sent; 0: none */
    uint64_t began;  /* microseconds: when its head was complete; 0: not yet */
    uint64_t worked, bytes_in, bytes_out;
    char id[REQUEST_ID_SIZE], trace[TRACE_ID_SIZE], method[METHOD_SIZE];
    char target[];
};

/* Begin an exchange on a connection that has none. NULL when memory is exhausted. */
struct exchange *exchange_new(struct connection *connection, const char *target);

/* Apply an event, which must be possible in the current state. EVENT_CLOSED takes the exchange from its connection.
 * After EVENT_CLOSED, and after EVENT_SOLVED without a connection, the exchange may be freed. */
void exchange_happens(struct exchange *exchange, enum event event);

/* End the exchange without the rest of its answer: EVENT_CUT_OFF. A reason that was given before is kept. */
void exchange_cut_off(struct exchange *exchange, enum reason reason);

/* Start the timer of the current state again. */
void exchange_restart_timer(struct exchange *exchange);

/* Replace the response by a 503, whose detail follows from the reason: one from QUEUE_FULL to MAX_WAIT, or LEAVING. */
void exchange_overload(struct exchange *exchange, enum reason reason);

/* Note the reason of a 503 that api has written: memory is exhausted. */
void exchange_note_refusal(struct exchange *exchange);

/* A connection begins, and waits for its first head. `fire` is called when the time for what it waits for is over, then
 * and in all states of its exchanges. */
void exchange_wait_for_first(struct connection *connection, void (*fire)(struct timer *timer));

/* A connection without an exchange ends: its client has gone, or sends no head. */
void exchange_shut_down_idle(struct connection *connection);

/* Get its row of the table of states. */
static inline const struct state_row *exchange_row(const struct exchange *exchange) {
    return &state_rows[exchange->state];
}
