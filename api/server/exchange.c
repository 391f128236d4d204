#include "api/server/exchange.h"

#include "api/log/log.h"
#include "api/server/http_loop.h"
#include "api/server/socket.h"
#include "api/work/clock.h"
#include "base/assert.h"

#include <stdlib.h>
#include <string.h>

enum { TRIM_AFTER = 1000 /* milliseconds during which no request that the queue solved has ended */ };

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
    if (timer == TIMER_NONE)
        loop_stop_timer(&loop->loop, &connection->timer);
    else
        loop_set_timer(&loop->loop, &connection->timer, loop->shared->pauses[timer]);
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
    gauge_add(&loop->shared->gauges.in_flight, to ? 1 : UINT64_MAX);
    if (loop->phase >= PHASE_REFUSE && gauge_get(&loop->shared->gauges.in_flight) == 0)
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

/* Apply the difference between two rows of the state table. `exchange->state` has not changed yet.
 *
 * libmicrohttpd lets a connection be suspended only in its callbacks, and resumed only outside them. So a state that
 * ends a suspension is always entered by a message or a timer. A resumed connection continues in the next MHD_run.
 * After a message, that is the next thing the loop does; after a timer, which cancels the job, it follows when the
 * queue reports that it has released the job. */
static void apply(struct exchange *exchange, const struct state_row *from, const struct state_row *to) {
    struct http_loop *loop = exchange->loop;
    struct connection *connection = exchange->connection;
    if (connection != NULL) {
        if (from->timer != to->timer) {
            connection->reader = (struct reader){0};
            start_timer(connection, to->timer);
        }
        change_socket(exchange, from->socket, to->socket);
        if (from->suspended != to->suspended)
            (to->suspended ? MHD_suspend_connection : MHD_resume_connection)(connection->mhd);
    }
    if (from->queue == QUEUE_HAS && to->queue == QUEUE_DROPS)
        queue_cancel(loop->shared->queue, &exchange->task);
    loop->queued += to->queue != QUEUE_NONE;
    loop->queued -= from->queue != QUEUE_NONE;
    change_sending(exchange, from->sends, to->sends);
    if (from->keeps_job && !to->keeps_job) {
        task_clear(&exchange->task);
        buffer_clear(&exchange->body);
    }
    if (from->streams != to->streams)
        gauge_add(&loop->shared->gauges.streams, to->streams ? 1 : UINT64_MAX);
    change_in_flight(exchange, from->in_flight, to->in_flight);
}

/* ---- the end of a request: its metrics and its line in the log ---- */

/* Get the client's address as text. The address of a socket is printed only once for all of its requests. */
static const char *peer_text(const struct exchange *exchange, char space[PEER_TEXT_SIZE]) {
    struct connection *connection = exchange->connection;
    bool is_socket = connection != NULL &&
                     memcmp(exchange->peer.bytes, connection->peer.bytes, sizeof exchange->peer.bytes) == 0 &&
                     exchange->peer.ipv4 == connection->peer.ipv4;
    char *text = is_socket ? connection->peer_text : space;
    if (!is_socket || *text == 0)
        peer_print(&exchange->peer, text);
    return text;
}

/* Describe the request for the metrics. */
static struct ended_request describe(const struct exchange *exchange) {
    struct ended_request ended = {
        .route = exchange->admission.route,
        .status = exchange->status,
        .reason = exchange->reason,
        .lane = exchange->solver == SOLVER_LOOP ? METRICS_IO : METRICS_NOWHERE,
        .took = exchange->began != 0 ? clock_now_us() - exchange->began : 0,
        .worked = exchange->worked,
        .bytes_in = exchange->bytes_in,
        .bytes_out = exchange->bytes_out,
    };
    if (exchange->solver == SOLVER_QUEUE) {
        struct task_report report = queue_report(exchange->loop->shared->queue, &exchange->task);
        ended.lane = METRICS_SHORT + (enum metrics_lane)report.lane;
        ended.waited = report.waited;
        ended.worked += report.worked;
    }
    return ended;
}

static void log_ended(const struct exchange *exchange, const struct ended_request *request) {
    struct log *log = exchange->loop->shared->log;
    enum log_level level = request->reason != REASON_NONE ? LOG_LEVEL_WARN : LOG_LEVEL_INFO;
    struct log_line line;
    char peer[PEER_TEXT_SIZE];
    if (!log_wants(log, level))
        return;
    log_begin(&line, level, "request");
    log_put_text(&line, ",\"request_id\":", exchange->id, 64);
    log_put_text(&line, ",\"method\":", exchange->method, 24);
    log_put_text(&line, ",\"route\":", request->route != NULL ? request->route : "", 100);
    log_put_number(&line, ",\"status\":", request->status);
    log_put_number(&line, ",\"bytes_in\":", request->bytes_in);
    log_put_number(&line, ",\"bytes_out\":", request->bytes_out);
    if (request->lane != METRICS_NOWHERE)
        log_put_text(&line, ",\"lane\":", metrics_lanes[request->lane], SIZE_MAX);
    log_put_milliseconds(&line, ",\"waited_ms\":", request->waited);
    log_put_milliseconds(&line, ",\"worked_ms\":", request->worked);
    log_put_text(&line, ",\"peer\":", peer_text(exchange, peer), 64);
    log_put_text(&line, ",\"trace_id\":", exchange->trace, 32);
    if (request->reason != REASON_NONE)
        log_put_text(&line, ",\"reason\":", reason_names[request->reason], SIZE_MAX);
    log_send(log, &line);
}

/* Count and log a request. Not if the head is incomplete, unless it was refused, too slow, or had to make room for
 * another client. */
static void report(const struct exchange *exchange) {
    struct http_shared *shared = exchange->loop->shared;
    bool is_seen = exchange->began != 0 || exchange->reason == REASON_HEAD || exchange->reason == REASON_HEAD_TIMEOUT ||
                   exchange->reason == REASON_MAKE_ROOM;
    if (!is_seen || http_is_ops(shared)) /* the ops port has neither a log nor counters */
        return;
    struct ended_request ended = describe(exchange);
    metrics_count(shared->metrics, &ended);
    log_ended(exchange, &ended);
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
    if (to == STATE_ENDED)
        report(exchange);
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

void exchange_restart_timer(struct connection *connection) {
    start_timer(connection, connection->exchange != NULL ? exchange_row(connection->exchange)->timer : TIMER_HEAD);
}

void exchange_close(struct connection *connection, enum reason reason) {
    if (connection->exchange != NULL)
        exchange_cut_off(connection->exchange, reason);
    else
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
