#include "api/server/exchange.h"

#include "api/log/log.h"
#include "api/server/http_loop.h"
#include "api/server/socket.h"
#include "base/assert.h"

#include <stdlib.h>
#include <string.h>

enum {
    LEAVE = 2000,      /* milliseconds of TIMER_LEAVE */
    TRIM_AFTER = 1000, /* milliseconds during which no request that the queue solved has ended */
};

struct exchange *exchange_new(struct connection *connection, const char *target) {
    size_t size = strlen(target) + 1;
    struct exchange *exchange = malloc(sizeof *exchange + size); /* not calloc, which is slower */
    if (exchange == NULL)
        return NULL;
    memset(exchange, 0, sizeof *exchange);
    exchange->state = STATE_HEAD;
    exchange->loop = connection->loop;
    exchange->connection = connection;
    exchange->peer = connection->peer;
    memcpy(exchange->target, target, size);
    ASSERT(connection->exchange == NULL);
    connection->exchange = exchange;
    return exchange;
}

static void exchange_free(struct exchange *exchange) {
    if (exchange->solver == SOLVER_QUEUE) /* it may have left behind a lot of memory that will not be needed again
                                           * soon */
        loop_set_timer(&exchange->loop->loop, &exchange->loop->trim_timer, TRIM_AFTER);
    response_clear(&exchange->response);
    free(exchange);
}

/* ---- what is in effect in a state ---- */

static void start_timer(struct connection *connection, enum state_timer timer) {
    struct http_loop *loop = connection->loop;
    const uint64_t pauses[] = {[TIMER_HEAD] = loop->shared->head_timeout,
                               [TIMER_BODY] = loop->shared->body_timeout,
                               [TIMER_READER] = loop->shared->sample_pause,
                               [TIMER_LEAVE] = LEAVE};
    if (timer == TIMER_NONE)
        loop_stop_timer(&loop->loop, &connection->timer);
    else
        loop_set_timer(&loop->loop, &connection->timer, pauses[timer]);
}

static void change_timer(struct exchange *exchange, enum state_timer from, enum state_timer to) {
    if (from == to)
        return;
    if (to == TIMER_READER)
        exchange->connection->reader = (struct reader){0};
    start_timer(exchange->connection, to);
}

/* libmicrohttpd lets a connection be suspended only in its callbacks, and resumed only outside them. So a state that
 * ends a suspension is always entered by a message or a timer. A resumed connection continues in the next MHD_run. */
static void change_suspension(struct exchange *exchange, bool from, bool to) {
    struct http_loop *loop = exchange->loop;
    if (!from && to) {
        loop->suspended++;
        MHD_suspend_connection(exchange->connection->mhd);
    } else if (from && !to) {
        loop->suspended--;
        loop->has_resumed = true;
        MHD_resume_connection(exchange->connection->mhd);
    }
}

static void change_queue(struct exchange *exchange, enum state_queue from, enum state_queue to) {
    struct http_loop *loop = exchange->loop;
    if (from == QUEUE_HAS && to == QUEUE_DROPS)
        queue_cancel(loop->shared->queue, &exchange->task);
    loop->queued += to != QUEUE_NONE;
    loop->queued -= from != QUEUE_NONE;
}

static void change_socket(struct exchange *exchange, enum state_socket from, enum state_socket to) {
    int socket = connection_socket(exchange->connection);
    bool is_endless = from == SOCKET_ENDLESS && exchange->http10;
    if (from == to)
        return;
    if (to == SOCKET_ENDLESS && exchange->http10) {
        socket_reset_at_close(socket, true);
    } else if (to == SOCKET_FINISHED) {
        if (is_endless)
            socket_reset_at_close(socket, false);
        socket_end_sending(socket);
    } else if (to == SOCKET_SHUT) {
        if (is_endless)
            socket_reset(socket);
        else
            socket_shut_down(socket);
    } else if (from == SOCKET_LINGERS) {
        connection_linger(exchange->connection);
    }
}

/* A request counts as in flight once its head is complete. */
static void change_in_flight(const struct exchange *exchange, bool from, bool to) {
    struct http_loop *loop = exchange->loop;
    if (from == to || exchange->began == 0)
        return;
    loop->in_flight += to ? 1 : (size_t)-1;
    gauge_add(&loop->shared->gauges.in_flight, to ? 1 : UINT64_MAX);
    if (loop->in_flight == 0 && loop->phase >= PHASE_REFUSE)
        mailbox_post(loop->reports, &loop->idle);
}

static void change_sending(struct exchange *exchange, bool from, bool to) {
    struct client_totals *held = &exchange->loop->shared->held_bytes;
    if (exchange->sending_bytes == 0 || from == to)
        return;
    if (from)
        client_totals_subtract(held, &exchange->task.client, exchange->sending_bytes);
    if (from || !client_totals_add(held, &exchange->task.client, exchange->sending_bytes))
        exchange->sending_bytes = 0;
}

/* Apply the difference between two rows of the state table. `exchange->state` has not changed yet. */
static void apply(struct exchange *exchange, const struct state_row *from, const struct state_row *to) {
    struct http_loop *loop = exchange->loop;
    if (exchange->connection != NULL) {
        change_timer(exchange, from->timer, to->timer);
        change_socket(exchange, from->socket, to->socket);
        change_suspension(exchange, from->suspended, to->suspended);
    }
    change_queue(exchange, from->queue, to->queue);
    change_sending(exchange, from->sends, to->sends);
    if (from->keeps_job && !to->keeps_job) {
        task_clear(&exchange->task);
        buffer_clear(&exchange->body);
    }
    if (from->streams != to->streams)
        gauge_add(&loop->shared->gauges.streams, to->streams ? 1 : UINT64_MAX);
    change_in_flight(exchange, from->in_flight, to->in_flight);
}

/* ---- events ---- */

static void log_change(const struct exchange *exchange, enum event event, enum state to) {
    struct log *log = exchange->loop->shared->log;
    if (log_wants(log, LOG_LEVEL_DEBUG))
        log_event(log, LOG_LEVEL_DEBUG, "exchange", "\"id\":\"%s\",\"was\":\"%s\",\"by\":\"%s\",\"is\":\"%s\"",
                  exchange->id, exchange_row(exchange)->name, event_names[event], state_rows[to].name);
}

void exchange_happens(struct exchange *exchange, enum event event) {
    enum state from = exchange->state, to = state_after(from, event);
    ASSERT(to != STATE_NONE);
    log_change(exchange, event, to);
    apply(exchange, &state_rows[from], &state_rows[to]);
    exchange->state = to;
    if (event == EVENT_CLOSED) {
        exchange->connection->exchange = NULL;
        exchange->connection = NULL;
    }
    if (to == STATE_ENDED)
        exchange_free(exchange);
}

void exchange_cut_off(struct exchange *exchange, enum reason reason) {
    if (exchange->reason == REASON_NONE)
        exchange->reason = reason;
    exchange_happens(exchange, EVENT_CUT_OFF);
}

void exchange_restart_timer(struct exchange *exchange) {
    start_timer(exchange->connection, exchange_row(exchange)->timer);
}

void exchange_wait_for_first(struct connection *connection, void (*fire)(struct timer *timer)) {
    connection->timer.fire = fire;
    start_timer(connection, TIMER_HEAD);
}

void exchange_shut_down_idle(struct connection *connection) {
    ASSERT(connection->exchange == NULL);
    socket_shut_down(connection_socket(connection));
}

/* ---- refusals ---- */

void exchange_overload(struct exchange *exchange, enum reason reason) {
    static const char *const details[REASONS] = {
        [REASON_QUEUE_FULL] = "the queue is full",
        [REASON_MEMORY_FULL] = "too many bytes are in flight",
        [REASON_MEMORY] = "out of memory",
        [REASON_MAX_WAIT] = "the request waited too long in the queue",
        [REASON_LEAVING] = "the server is shutting down",
    };
    ASSERT(details[reason] != NULL);
    exchange->reason = reason;
    response_clear(&exchange->response);
    problem_respond(PROBLEM_OVERLOADED, &exchange->admission.cors, &exchange->response, "%s", details[reason]);
}

void exchange_note_refusal(struct exchange *exchange) {
    if (exchange->response.status == problem_table[PROBLEM_OVERLOADED].status)
        exchange->reason = REASON_MEMORY;
}
