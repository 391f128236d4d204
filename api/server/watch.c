#include "api/server/watch.h"

#include "api/answer/problem.h"
#include "api/server/exchange.h"
#include "api/server/http_loop.h"
#include "api/server/send.h"
#include "api/server/socket.h"
#include "api/work/clock.h"
#include "base/account.h"
#include "base/owner.h"

#include <string.h>

enum {
    HALF_CLOSED = 1000, /* milliseconds that a request can take once its client has closed its sending side */
    ROOM_PAUSE = 100,   /* milliseconds between two checks for room, each of which visits all connections */
    LONGEST = 60000,    /* milliseconds: an answer that needs longer can be cut off to make room */
    CLOSE_AFTER = 1000, /* milliseconds that a connection must have waited before it is closed to make room for another
                         * client */
};

/* ---- readers ---- */

/* Record a sample. A sample without unacknowledged bytes says nothing about the reader's rate, and discards the
 * others. */
static void remember(struct reader *reader, uint64_t now, uint64_t taken, bool has_all) {
    if (has_all) {
        reader->sample_count = 0;
        return;
    }
    memmove(reader->samples + 1, reader->samples, (READER_SAMPLES - 1) * sizeof *reader->samples);
    reader->samples[0] = (struct reader_sample){now, taken};
    reader->sample_count += reader->sample_count < READER_SAMPLES;
}

/* While bytes are waiting for it, a reader must take more than one byte per millisecond. */
static bool is_too_slow(struct connection *connection) {
    struct reader *reader = &connection->reader;
    uint64_t send = connection->loop->shared->send_timeout, now = clock_now_ms();
    bool has_all;
    uint64_t taken = socket_acknowledged(connection_socket(connection), &has_all);
    remember(reader, now, taken, has_all);
    bool is_good = reader->since == 0 || has_all || taken - reader->taken >= send * 1024 / 1000;
    if (!is_good)
        return now - reader->since >= send;
    if (reader->since == 0)
        reader->started = taken;
    reader->since = now;
    reader->taken = taken;
    return false;
}

/* Estimate, from the rate over the latest samples, how many milliseconds the reader of an answer needs for the rest:
 * UINT64_MAX if it reads nothing, 0 if that is not known yet. */
static uint64_t time_to_go(const struct connection *connection) {
    const struct reader *reader = &connection->reader;
    bool has_all;
    if (reader->sample_count < READER_SAMPLES)
        return 0;
    uint64_t now = clock_now_ms(), taken = socket_acknowledged(connection_socket(connection), &has_all);
    const struct reader_sample *oldest = &reader->samples[READER_SAMPLES - 1];
    uint64_t pace = taken - oldest->taken, time = now - oldest->when;
    struct exchange *exchange = connection->exchange;
    uint64_t length = exchange->response.length, read = taken - reader->started;
    if (has_all)
        return 0;
    uint64_t left = exchange_row(exchange)->streams ? task_left(&exchange->task) : length > read ? length - read : 0;
    return pace == 0 ? UINT64_MAX : left * time / pace;
}

/* ---- deadlines ---- */

/* Answer 408 in the middle of a body. */
static void refuse_body(struct exchange *exchange) {
    response_clear(&exchange->response); /* the response to the body that was being dropped */
    problem_respond(PROBLEM_BODY_TIMEOUT, &exchange->admission.cors, &exchange->response,
                    "the body did not arrive within %llu s (--body-timeout)",
                    (unsigned long long)exchange->loop->shared->pauses[TIMER_BODY] / 1000);
    send_past(exchange, REASON_BODY_TIMEOUT);
}

static void on_deadline(struct timer *timer) {
    struct connection *connection = OWNER_OF(timer, struct connection, timer);
    struct exchange *exchange = connection->exchange;
    enum state_timer passed = exchange != NULL ? exchange_row(exchange)->timer : TIMER_HEAD;
    switch (passed) {
    case TIMER_HEAD:
        exchange_close(connection, REASON_HEAD_TIMEOUT);
        break;
    case TIMER_BODY:
        refuse_body(exchange);
        break;
    case TIMER_READER:
        if (is_too_slow(connection))
            exchange_cut_off(exchange, REASON_SEND_TIMEOUT);
        else
            exchange_restart_timer(connection);
        break;
    default: /* TIMER_LEAVE */
        exchange_cut_off(exchange, REASON_NONE);
        break;
    }
}

/* ---- hang-ups ---- */

/* Is nothing in progress, not even one of libmicrohttpd's own answers? */
static bool is_idle(const struct connection *connection) {
    return connection->exchange == NULL &&
           MHD_get_connection_info(connection->mhd, MHD_CONNECTION_INFO_HTTP_STATUS) == NULL;
}

static void end(struct timer *timer);

static void set_hang_up_timer(struct connection *connection, void (*fire)(struct timer *timer), uint64_t pause) {
    connection->hang_up_timer.fire = fire;
    loop_set_timer(&connection->loop->loop, &connection->hang_up_timer, pause);
}

static void set_grace(struct connection *connection) { set_hang_up_timer(connection, end, HALF_CLOSED); }

/* The client closed its sending side, and whatever was in progress then has run out of time. */
static void end(struct timer *timer) {
    struct connection *connection = OWNER_OF(timer, struct connection, hang_up_timer);
    struct exchange *exchange = connection->exchange;
    const struct state_row *row = exchange != NULL ? exchange_row(exchange) : &state_rows[STATE_NONE];
    bool is_being_read = row->timer == TIMER_HEAD || row->timer == TIMER_BODY;
    if (row->queue == QUEUE_HAS)
        exchange_cut_off(exchange, REASON_CLIENT_GONE);
    else if ((is_being_read || is_idle(connection)) && socket_is_hung_up(connection_socket(connection)))
        exchange_close(connection, REASON_CONNECTION_LOST);
    else
        set_grace(connection); /* an answer is being sent, or libmicrohttpd has not read everything */
}

/* libmicrohttpd has run since the client closed its sending side with no request in progress. If it has found another
 * request, that request still gets its time. */
static void on_run(struct timer *timer) {
    struct connection *connection = OWNER_OF(timer, struct connection, hang_up_timer);
    if (connection->exchange != NULL)
        set_grace(connection);
    else
        end(timer);
}

static void end_after_run(struct connection *connection) { set_hang_up_timer(connection, on_run, 0); }

/* A reset ends the work immediately. */
static void on_hung_up(struct event_source *source, uint32_t events) {
    struct connection *connection = OWNER_OF(source, struct connection, source);
    if ((events & (EPOLLERR | EPOLLHUP)) != 0)
        end(&connection->hang_up_timer);
    else if (connection->exchange != NULL)
        set_grace(connection);
    else
        end_after_run(connection);
}

void watch_begin(struct connection *connection) {
    connection->source.ready = on_hung_up;
    loop_watch(&connection->loop->loop, &connection->source, EPOLLRDHUP | EPOLLET);
    connection->timer.fire = on_deadline;
    exchange_restart_timer(connection);
}

void watch_end(struct connection *connection) {
    struct loop *loop = &connection->loop->loop;
    loop_unwatch(loop, &connection->source);
    loop_stop_timer(loop, &connection->hang_up_timer);
    loop_stop_timer(loop, &connection->timer);
}

void watch_request_ended(struct connection *connection) {
    if (connection->hang_up_timer.is_set)
        end_after_run(connection);
}

/* ---- room ---- */

static bool wants_room(const struct http_loop *loop) {
    const struct account *account = loop->shared->account;
    return account_is_scarce(account) || loop->refusals != account_refusals(account);
}

static bool can_make_room(const struct exchange *exchange, const struct client_address *client) {
    return exchange_row(exchange)->sends && exchange->sending_bytes != 0 &&
           memcmp(exchange->task.client.bytes, client->bytes, sizeof client->bytes) == 0;
}

/* Find the client's answer that takes longest to send; NULL if none takes longer than LONGEST. */
static struct exchange *find_slowest(const struct http_loop *loop, const struct client_address *client) {
    struct connection *connection;
    struct exchange *slowest = NULL;
    uint64_t longest = LONGEST;
    LIST_FOREACH(connection, &loop->connections, entry) {
        struct exchange *exchange = connection->exchange;
        if (exchange == NULL || !can_make_room(exchange, client))
            continue;
        uint64_t time = time_to_go(connection);
        if (time <= longest)
            continue;
        longest = time;
        slowest = exchange;
    }
    return slowest;
}

static void on_check(struct timer *timer) {
    struct http_loop *loop = OWNER_OF(timer, struct http_loop, room_timer);
    struct http_shared *shared = loop->shared;
    struct client_address client;
    bool wanted = wants_room(loop); /* there may be room by now */
    loop->refusals = account_refusals(shared->account);
    if (!wanted || !client_totals_over_share(&shared->held_bytes, shared->account->limit, &client))
        return;
    struct exchange *slowest = find_slowest(loop, &client);
    if (slowest != NULL && gauge_claim_time(&shared->gauges.room_made, clock_now_ms(), ROOM_PAUSE))
        exchange_cut_off(slowest, REASON_MAKE_ROOM);
}

void watch_room(struct http_loop *loop) {
    loop->room_timer.fire = on_check;
    if (wants_room(loop) && !loop->room_timer.is_set)
        loop_set_timer(&loop->loop, &loop->room_timer, ROOM_PAUSE);
}

/* ---- connections ---- */

/* The order in which connections are closed to make room: first those that wait for a head, then for a body, then for
 * their client to read an answer; among these, the one that has waited longest. UINT64_MAX: it waits for none of these,
 * or not for long enough. */
static uint64_t closing_order(const struct connection *connection, uint64_t now) {
    const struct exchange *exchange = connection->exchange;
    enum state_timer what = exchange != NULL ? exchange_row(exchange)->timer : TIMER_HEAD;
    if (!connection->timer.is_set || what == TIMER_LEAVE)
        return UINT64_MAX;
    uint64_t since = exchange != NULL && what == TIMER_READER
                         ? exchange->began / 1000
                         : timer_due(&connection->timer) - connection->loop->shared->pauses[what];
    return since + CLOSE_AFTER > now ? UINT64_MAX : (uint64_t)what << 48 | since; /* milliseconds since the start */
}

bool watch_close_one(struct http_loop *loop, const struct client_address *client) {
    struct connection *connection, *found = NULL;
    uint64_t first = UINT64_MAX, now = clock_now_ms();
    LIST_FOREACH(connection, &loop->connections, entry) {
        struct client_address own = peer_client(&connection->peer);
        uint64_t order = closing_order(connection, now);
        if (order >= first || memcmp(own.bytes, client->bytes, sizeof own.bytes) != 0)
            continue;
        first = order;
        found = connection;
    }
    if (found == NULL)
        return false;
    gauge_add(&loop->shared->gauges.connections_closed, 1);
    exchange_close(found, REASON_MAKE_ROOM);
    return true;
}
