/* A request and its answer. state.h describes its states; this module changes them and applies what each state implies:
 * timers, suspension, work in the queue, the state of the socket, gauges, and at the end its line in the log. An
 * exchange belongs to the thread of its connection's loop. Only the two callbacks of its task run on other threads, and
 * they only post messages.
 *
 * Life cycle: exchange_new at the request line, then exchange_happens for every event. EVENT_CLOSED detaches the
 * exchange from its connection. Once the queue has also released its job, so that the time of all its turns is known,
 * it is counted, logged and freed. */
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

/* The kind of thread that solved the job, or tried to. */
enum solver { SOLVER_NONE, SOLVER_LOOP, SOLVER_QUEUE };

struct exchange {
    enum state state; /* changed only by exchange_happens */
    struct http_loop *loop;
    struct connection *connection; /* NULL in STATE_CLOSED */
    struct task task;
    struct message progressed, finished; /* posted by the task's callbacks */
    struct admission admission;
    struct buffer body;
    struct response response;
    size_t sending_bytes; /* bytes charged to the account for the answer while it is being sent */
    bool http10;          /* HTTP/1.0, where a stream ends with the connection */
    bool is_given;        /* the response has been handed to libmicrohttpd */
    struct peer peer;     /* the client's address */
    /* For the log and the metrics. */
    enum reason reason; /* why it was refused or cut off, or is about to be; otherwise REASON_NONE */
    enum solver solver;
    unsigned status; /* the status of the answer that was sent; 0 if none was */
    uint64_t began;  /* microseconds: when its head was complete; 0 if it is not yet complete */
    uint64_t worked, bytes_in, bytes_out;
    char id[REQUEST_ID_SIZE], trace[TRACE_ID_SIZE], method[METHOD_SIZE];
    char target[];
};

/* Begin an exchange on a connection that has none. Returns NULL when out of memory. */
struct exchange *exchange_new(struct connection *connection, const char *target);

/* Apply an event, which must be possible in the current state. EVENT_CLOSED detaches the exchange from its connection.
 * Do not use the exchange after EVENT_CLOSED, or after EVENT_SOLVED without a connection: it may have been freed. */
void exchange_happens(struct exchange *exchange, enum event event);

/* End the exchange without sending the rest of its answer (EVENT_CUT_OFF). An earlier reason is kept. */
void exchange_cut_off(struct exchange *exchange, enum reason reason);

/* Replace the response with a 503 whose detail depends on the reason, which is one of QUEUE_FULL to MAX_WAIT, or
 * LEAVING. */
void exchange_overload(struct exchange *exchange, enum reason reason);

/* Start or restart the timer of the connection's state; without an exchange, it waits for its first head. */
void exchange_restart_timer(struct connection *connection);

/* The same for the exchange of a connection. If it has none, the connection is shut down: its client has gone, sends no
 * head, or makes room for another one. */
void exchange_close(struct connection *connection, enum reason reason);

/* Get the exchange's row in the table of states. */
static inline const struct state_row *exchange_row(const struct exchange *exchange) {
    return &state_rows[exchange->state];
}
