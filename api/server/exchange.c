#include "api/server/exchange.h"

#include "api/server/connection.h"
#include "api/server/http_loop.h"
#include "api/server/log.h"
#include "api/server/socket.h"
#include "base/assert.h"

#include <stdlib.h>
#include <string.h>

struct exchange *exchange_new(struct connection *connection, const char *target) {
    size_t size = strlen(target) + 1;
    struct exchange *exchange = malloc(sizeof *exchange + size); /* malloc, because calloc is slower */
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

static void log_event_of(const struct exchange *exchange, enum event event, enum state to) {
    struct log *log = exchange->loop->shared->log;
    if (log_wants(log, LOG_LEVEL_DEBUG))
        log_event(log, LOG_LEVEL_DEBUG, "exchange", "\"id\":\"%s\",\"was\":\"%s\",\"by\":\"%s\",\"is\":\"%s\"",
                  exchange->id, state_names[exchange->state], event_names[event], state_names[to]);
}

void exchange_happens(struct exchange *exchange, enum event event) {
    enum state from = exchange->state, to = state_after(from, event);
    struct http_loop *loop = exchange->loop;
    ASSERT(to != STATE_NONE);
    log_event_of(exchange, event, to);
    if (!state_is_stream(from) && state_is_stream(to))
        gauge_add(&loop->shared->gauges.streams, 1);
    if (state_is_stream(from) && !state_is_stream(to))
        gauge_subtract(&loop->shared->gauges.streams, 1);
    loop->queued += state_is_queued(to);
    loop->queued -= state_is_queued(from);
    exchange->state = to;
}

void exchange_cut_off(struct exchange *exchange, enum event event, enum reason reason) {
    int socket = connection_socket(exchange->connection);
    bool ends_by_close = exchange->http10 && state_is_stream(exchange->state);
    if (exchange->reason == REASON_NONE)
        exchange->reason = reason;
    if (state_is_queued(exchange->state))
        queue_cancel(exchange->loop->shared->queue, &exchange->task);
    exchange_happens(exchange, event);
    if (ends_by_close)
        socket_reset(socket);
    else
        socket_shut_down(socket);
}

void exchange_overload(struct exchange *exchange, enum reason reason, const char *detail) {
    exchange->reason = reason;
    problem_respond(PROBLEM_OVERLOADED, &exchange->admission.cors, &exchange->response, "%s", detail);
}

void exchange_charge(struct exchange *exchange, size_t bytes) {
    struct held_bytes *held_bytes = &exchange->loop->shared->held_bytes;
    if (bytes != 0 && held_bytes_add(held_bytes, &exchange->task.client, bytes))
        exchange->sending_bytes = bytes;
}

void exchange_note_refusal(struct exchange *exchange) {
    if (exchange->response.status == problem_table[PROBLEM_OVERLOADED].status)
        exchange->reason = REASON_MEMORY;
}

void exchange_free_job(struct exchange *exchange) {
    task_clear(&exchange->task);
    buffer_clear(&exchange->body);
}

static void free_ended(struct exchange *exchange) {
    ASSERT(exchange->state == STATE_ENDED);
    if (exchange->sending_bytes != 0)
        held_bytes_subtract(&exchange->loop->shared->held_bytes, &exchange->task.client, exchange->sending_bytes);
    exchange_free_job(exchange);
    response_clear(&exchange->response);
    free(exchange);
}

void exchange_close(struct exchange *exchange) {
    exchange->connection->exchange = NULL;
    exchange->connection = NULL;
    if (state_is_queued(exchange->state))
        queue_cancel(exchange->loop->shared->queue, &exchange->task);
    exchange_happens(exchange, EVENT_CLOSED);
    if (exchange->state == STATE_ENDED)
        free_ended(exchange);
}

bool exchange_let_go(struct exchange *exchange) {
    exchange_happens(exchange, EVENT_SOLVED);
    if (exchange->state != STATE_ENDED)
        return true;
    free_ended(exchange);
    return false;
}
