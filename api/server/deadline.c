#include "api/server/deadline.h"

#include "api/answer/problem.h"
#include "api/server/bypass.h"
#include "api/server/exchange.h"
#include "api/server/socket.h"
#include "api/work/clock.h"
#include "base/owner.h"

#include <string.h>

enum {
    SAMPLES = 4,        /* samples of a reader within the send timeout */
    CHECK_EVERY = 5000, /* milliseconds: the longest time between two samples */
    LEAVE = 2000,       /* milliseconds in which a client can read why its body was refused, and hang up */
};

/* ---- readers ---- */

static void set_sample_timer(struct connection *connection) {
    uint64_t pause = connection->loop->shared->send_timeout / SAMPLES;
    loop_set_timer(&connection->loop->loop, &connection->timer, pause < CHECK_EVERY ? pause : CHECK_EVERY);
}

/* Keep a sample. One without unacknowledged bytes says nothing about the reader's rate. */
static void remember(struct reader *reader, uint64_t now, uint64_t taken, bool has_all) {
    if (has_all) {
        reader->sample_count = 0;
        return;
    }
    memmove(reader->samples + 1, reader->samples, (READER_SAMPLES - 1) * sizeof *reader->samples);
    reader->samples[0] = (struct reader_sample){now, taken};
    reader->sample_count += reader->sample_count < READER_SAMPLES;
}

/* While bytes wait for it, a reader must take more than one byte a millisecond. */
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

/* Get how many bytes the reader has yet to take, of a stream about as many, when it has taken `taken`. */
static uint64_t bytes_left(struct exchange *exchange, uint64_t taken) {
    if (state_is_stream(exchange->state))
        return task_left(&exchange->task);
    return exchange->response.length > taken ? exchange->response.length - taken : 0;
}

uint64_t deadline_time_to_go(const struct connection *connection) {
    const struct reader *reader = &connection->reader;
    bool has_all;
    if (reader->sample_count < READER_SAMPLES)
        return 0;
    uint64_t now = clock_now_ms(), taken = socket_acknowledged(connection_socket(connection), &has_all);
    const struct reader_sample *oldest = &reader->samples[READER_SAMPLES - 1];
    uint64_t pace = taken - oldest->taken, time = now - oldest->when;
    uint64_t left = bytes_left(connection->exchange, taken - reader->started);
    if (has_all)
        return 0;
    return pace == 0 ? UINT64_MAX : left * time / pace;
}

/* ---- the timer ---- */

static void set(struct connection *connection, uint64_t pause);

/* Answer 408 in the middle of a body. The client may still be sending, and a reset could make it lose the answer, so
 * only the sending direction is closed. libmicrohttpd reads on, and what it reads is dropped, until the client hangs up
 * or the timer fires again. */
static void refuse_body(struct connection *connection) {
    struct exchange *exchange = connection->exchange;
    exchange_free_job(exchange);
    problem_respond(PROBLEM_BODY_TIMEOUT, &exchange->admission.cors, &exchange->response,
                    "the body was not complete %llu s after the head",
                    (unsigned long long)connection->loop->shared->body_timeout / 1000);
    if (!bypass_send(exchange)) {
        exchange_cut_off(exchange, EVENT_TIMED_OUT, REASON_BODY_TIMEOUT);
        return;
    }
    exchange->reason = REASON_BODY_TIMEOUT;
    exchange_happens(exchange, EVENT_REFUSED);
    socket_end_sending(connection_socket(connection));
    set(connection, LEAVE);
}

static void on_timer(struct timer *timer) {
    struct connection *connection = OWNER_OF(timer, struct connection, timer);
    struct exchange *exchange = connection->exchange;
    if (exchange == NULL || exchange->state == STATE_REFUSED)
        socket_shut_down(connection_socket(connection));
    else if (exchange->state == STATE_HEAD)
        exchange_cut_off(exchange, EVENT_TIMED_OUT, REASON_HEAD_TIMEOUT);
    else if (state_is_body(exchange->state))
        refuse_body(connection);
    else if (exchange->state == STATE_ANSWER)
        exchange_cut_off(exchange, EVENT_TIMED_OUT, REASON_BODY_TIMEOUT);
    else if (state_is_sending(exchange->state) && is_too_slow(connection))
        exchange_cut_off(exchange, EVENT_TIMED_OUT, REASON_SEND_TIMEOUT);
    else if (state_is_sending(exchange->state))
        set_sample_timer(connection);
}

static void set(struct connection *connection, uint64_t pause) {
    connection->timer.fire = on_timer;
    loop_set_timer(&connection->loop->loop, &connection->timer, pause);
}

void deadline_for_head(struct connection *connection) { set(connection, connection->loop->shared->head_timeout); }

void deadline_for_body(struct connection *connection) { set(connection, connection->loop->shared->body_timeout); }

void deadline_for_reader(struct connection *connection) {
    connection->reader = (struct reader){.since = 0};
    connection->timer.fire = on_timer;
    set_sample_timer(connection);
}

void deadline_stop(struct connection *connection) { loop_stop_timer(&connection->loop->loop, &connection->timer); }
