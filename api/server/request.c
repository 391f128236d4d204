#include "api/server/request.h"

#include "api/server/connection.h"
#include "api/server/deadline.h"
#include "api/server/dispatch.h"
#include "api/server/exchange.h"
#include "api/server/hang_up.h"
#include "api/server/linger.h"
#include "api/server/listener.h"
#include "api/server/log.h"
#include "api/server/mhd_epoll.h"
#include "api/server/probe.h"
#include "api/server/request_end.h"
#include "api/server/request_head.h"
#include "api/server/resume.h"
#include "api/server/send.h"
#include "api/server/socket.h"
#include "api/work/clock.h"
#include "base/account.h"
#include "base/assert.h"
#include "base/owner.h"

#include <stdio.h>
#include <string.h>

enum {
    KEPT_BODY = 65536, /* bytes; a larger body is refused by its head, which ends the connection */
    TRIM_AFTER = 1000, /* milliseconds in which no request that was in the queue ends */
};

static const char too_many_bytes[] = "too many bytes are in flight";

/* ---- the body ---- */

static enum MHD_Result gather(struct exchange *exchange, const char *bytes, size_t length) {
    uint64_t max = exchange->loop->shared->service->request->max_body_bytes;
    exchange->bytes_in += length;
    /* A link has its case in the head, and a body with it is ignored. */
    if (exchange->state == STATE_BODY && !exchange->admission.link) {
        bool too_large = length > max - exchange->body.length;
        if (!too_large) {
            buffer_put(&exchange->body, bytes, length);
            if (exchange->body.outcome == OUTCOME_DONE)
                return MHD_YES;
        }
        buffer_clear(&exchange->body);
        exchange_happens(exchange, too_large ? EVENT_TOO_LARGE : EVENT_NO_MEMORY);
    }
    /* Beyond twice the limit the connection is closed instead of read on. */
    if (exchange->bytes_in / 2 <= max)
        return MHD_YES;
    exchange_cut_off(exchange, EVENT_FAILED,
                     exchange->state == STATE_DROP_NO_MEMORY ? REASON_MEMORY_FULL : REASON_TOO_LARGE);
    return MHD_NO;
}

/* May the body be larger than the kernel's receive buffer? */
static bool is_large(const struct exchange *exchange) {
    return exchange->admission.content_length > KEPT_BODY || exchange->admission.chunked;
}

static enum MHD_Result end_body(struct exchange *exchange) {
    if (is_large(exchange))
        socket_bound_receiving(connection_socket(exchange->connection));
    if (exchange->state == STATE_BODY)
        return dispatch_job(exchange);
    if (exchange->state == STATE_DROP_NO_MEMORY) {
        exchange_overload(exchange, REASON_MEMORY_FULL, too_many_bytes);
    } else {
        exchange->reason = REASON_TOO_LARGE;
        admit_respond_too_large(exchange->loop->shared->service, &exchange->admission, &exchange->response);
    }
    exchange_happens(exchange, EVENT_BODY_DROPPED);
    return send_response(exchange, EVENT_SEND);
}

/* ---- the head ---- */

static void answer_probe(struct exchange *exchange) {
    struct http_shared *shared = exchange->loop->shared;
    const struct admission *admission = &exchange->admission;
    if (admission->probe == ROUTE_METRICS && shared->metrics_elsewhere)
        problem_respond(PROBLEM_NOT_FOUND, &admission->cors, &exchange->response,
                        "the metrics are answered at the port of --ops-port only");
    else
        probe_respond(shared, admission->probe, admission->gzip, &admission->cors, &exchange->response);
    if (admission->probe != ROUTE_READYZ) /* /readyz logs its own reason for a 503 */
        exchange_note_refusal(exchange);
}

/* Send the answer that the head decided. A response that is queued before the body is read ends the connection. This is
 * done if there is a body, or if its end is not certain. Otherwise the answer waits for the end of the request, and the
 * connection is kept. */
static enum MHD_Result send_from_head(struct exchange *exchange) {
    const struct admission *admission = &exchange->admission;
    if (exchange->response.closes || admission->chunked || admission->content_length != 0)
        return send_response(exchange, EVENT_DECIDED_EARLY);
    exchange_happens(exchange, EVENT_DECIDED);
    return MHD_YES;
}

static enum MHD_Result refuse(struct exchange *exchange, enum reason reason, const char *detail) {
    exchange_overload(exchange, reason, detail);
    return send_response(exchange, EVENT_DECIDED_EARLY);
}

/* A body is to come: is there memory for it? It is charged as it arrives. Refusing here, before it is sent, costs
 * least. Small requests always pass. */
static enum MHD_Result expect_body(struct exchange *exchange) {
    struct http_shared *shared = exchange->loop->shared;
    uint64_t length = exchange->admission.content_length, max = shared->service->request->max_body_bytes;
    bool small = length <= ADMIT_SMALL_BODY && !exchange->admission.chunked;
    buffer_init(&exchange->body, (size_t)(length != 0 ? length : max), shared->account);
    exchange->body.uncharged =
        length <= ADMIT_SMALL_BODY ? ADMIT_SMALL_BODY : 0; /* the length of a chunked body is 0 here */
    if (length > KEPT_BODY && queue_is_full(shared->queue, &exchange->task.client))
        return refuse(exchange, REASON_QUEUE_FULL, dispatch_queue_full);
    if (!small && length > account_free(shared->account)) {
        account_refuse(shared->account);
        return refuse(exchange, REASON_MEMORY_FULL, too_many_bytes);
    }
    if (small && !buffer_reserve(&exchange->body, (size_t)length))
        return refuse(exchange, REASON_MEMORY, dispatch_no_memory);
    if (is_large(exchange))
        socket_begin_body(connection_socket(exchange->connection));
    exchange_happens(exchange, EVENT_WANT_BODY);
    return MHD_YES;
}

/* From here on the request counts as in flight. */
static void begin(struct exchange *exchange) {
    struct http_loop *loop = exchange->loop;
    exchange->began = clock_now_us();
    loop->in_flight++;
    gauge_add(&loop->shared->gauges.in_flight, 1);
    deadline_for_body(exchange->connection);
}

static enum MHD_Result take_head(struct exchange *exchange, const char *method, const char *version) {
    struct http_loop *loop = exchange->loop;
    if (loop->phase >= PHASE_CLOSE) {
        exchange_cut_off(exchange, EVENT_FAILED, REASON_LEAVING);
        return MHD_NO;
    }
    begin(exchange);
    enum admit_action action = request_head_decide(exchange, method, version);
    bool refused = action == ADMIT_ANSWER && exchange->response.status >= 400;
    exchange_note_refusal(exchange);
    if (loop->phase >= PHASE_REFUSE && !loop->shared->is_inherited && !refused) {
        response_clear(&exchange->response);
        return refuse(exchange, REASON_LEAVING, "the service is about to leave");
    }
    if (exchange->response.closes)
        exchange->reason = REASON_FRAMING;
    if (action == ADMIT_PROBE)
        answer_probe(exchange);
    if (action == ADMIT_ANSWER || action == ADMIT_PROBE)
        return send_from_head(exchange);
    if (action == ADMIT_READ_BODY)
        return expect_body(exchange);
    exchange_happens(exchange, EVENT_WANT_BODY);
    return MHD_YES;
}

/* ---- libmicrohttpd's callbacks ---- */

static struct connection *connection_of(struct MHD_Connection *mhd) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(mhd, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info->socket_context;
}

static void *open_target(void *cls, const char *target, struct MHD_Connection *mhd) {
    struct exchange *exchange = exchange_new(connection_of(mhd), target);
    (void)cls;
    if (exchange != NULL)
        request_head_begin(exchange);
    return exchange;
}

static enum MHD_Result on_request(void *cls, struct MHD_Connection *mhd, const char *path, const char *method,
                                  const char *version, const char *bytes, size_t *length, void **context) {
    struct exchange *exchange = *context;
    (void)cls, (void)path, (void)mhd;
    if (exchange == NULL) /* there was no memory for it */
        return MHD_NO;
    switch (exchange->state) {
    case STATE_HEAD:
        return take_head(exchange, method, version);
    case STATE_BODY:
    case STATE_DROP_LARGE:
    case STATE_DROP_NO_MEMORY:
        if (*length == 0)
            return end_body(exchange);
        if (gather(exchange, bytes, *length) != MHD_YES)
            return MHD_NO;
        *length = 0;
        return MHD_YES;
    case STATE_REFUSED: /* by bypass_send; a body that still arrives is dropped (deadline.c) */
        if (*length == 0)
            return MHD_NO;
        *length = 0;
        return MHD_YES;
    case STATE_ANSWER:
    case STATE_OPEN:
    case STATE_OPEN_WHOLE:
        return send_response(exchange, EVENT_SEND);
    case STATE_SOLVE:
        /* Not suspended at the end of the body: libmicrohttpd would then read from the socket after the resume, and
         * drop the connection of a client that has closed its sending side. From this call on it does not. */
        resume_suspend(exchange);
        return MHD_YES;
    case STATE_SEND:
    case STATE_SEND_EARLY:
    case STATE_STREAM:
    case STATE_STREAM_WAIT:
    case STATE_STREAM_WHOLE:
        return MHD_YES;
    default:
        return MHD_NO;
    }
}

/* No request that was in the queue has ended for a while, so memory may be unused. */
static void on_trim(struct timer *timer) {
    queue_trim_memory(OWNER_OF(timer, struct http_loop, trim_timer)->shared->queue);
}

/* A request that was in flight has ended. */
static void end(struct http_loop *loop) {
    ASSERT(loop->in_flight != 0);
    loop->in_flight--;
    gauge_subtract(&loop->shared->gauges.in_flight, 1);
    if (loop->in_flight == 0 && loop->phase >= PHASE_REFUSE)
        mailbox_post(loop->reports, &loop->idle);
}

/* Has the current request of the connection an answer from us? */
static bool is_answered(const struct connection *connection) {
    const struct exchange *exchange = connection->exchange;
    return exchange != NULL && exchange->status != 0 && exchange->state != STATE_REFUSED;
}

/* libmicrohttpd has announced answers of its own, without their connections, and a request or a connection ends. Mark
 * the connections that still have such an answer. One that is left was sent at once: it may be that of `ending`, unless
 * that was answered by us, or ends because of its client. */
static void find_own_answers(struct connection *ending, enum MHD_RequestTerminationCode code) {
    struct http_loop *loop = ending->loop;
    struct connection *connection;
    if (loop->own_answers == 0)
        return;
    LIST_FOREACH(connection, &loop->connections, entry) {
        if (loop->own_answers == 0 || connection == ending || connection->is_own_answer || is_answered(connection) ||
            connection->mhd == NULL ||
            MHD_get_connection_info(connection->mhd, MHD_CONNECTION_INFO_HTTP_STATUS) == NULL)
            continue;
        connection->is_own_answer = true;
        loop->own_answers--;
    }
    if (loop->own_answers != 0 && !is_answered(ending) &&
        (code == MHD_REQUEST_TERMINATED_COMPLETED_OK || code == MHD_REQUEST_TERMINATED_WITH_ERROR)) {
        ending->is_own_answer = true;
        loop->own_answers--;
    }
}

/* If libmicrohttpd has answered a request itself, find why: it could not read the head, or the chunks of the body. */
static void note_own_answer(struct exchange *exchange) {
    struct connection *connection = exchange->connection;
    if (connection->is_own_answer && exchange->reason == REASON_NONE)
        exchange->reason = state_is_body(exchange->state) ? REASON_FRAMING : REASON_HEAD;
    connection->is_own_answer = false;
}

/* libmicrohttpd has answered a request line itself, so there was no exchange. Report it like any other request. */
static void report_own_answer(struct connection *connection) {
    struct exchange *exchange = exchange_new(connection, "");
    if (exchange == NULL)
        return;
    exchange->reason = REASON_HEAD;
    request_end_report(exchange, MHD_REQUEST_TERMINATED_WITH_ERROR);
    exchange_close(exchange);
}

static void end_request(struct exchange *exchange, enum MHD_RequestTerminationCode code) {
    struct http_loop *loop = exchange->loop;
    struct connection *connection = exchange->connection;
    if (exchange->state == STATE_SEND_EARLY && code == MHD_REQUEST_TERMINATED_COMPLETED_OK)
        linger_begin(loop, connection_socket(connection));
    note_own_answer(exchange);
    bool in_flight = exchange->began != 0;
    /* An incomplete head is not logged, unless it came too slowly or was refused. */
    if (in_flight || exchange->reason == REASON_HEAD || exchange->reason == REASON_HEAD_TIMEOUT)
        request_end_report(exchange, code);
    if (exchange->lane == METRICS_SHORT) {
        loop->trim_timer.fire = on_trim;
        loop_set_timer(&loop->loop, &loop->trim_timer, TRIM_AFTER);
    }
    exchange_close(exchange);
    if (in_flight)
        end(loop);
}

static void close_request(void *cls, struct MHD_Connection *mhd, void **context, enum MHD_RequestTerminationCode code) {
    struct exchange *exchange = *context;
    (void)cls;
    deadline_for_head(connection_of(mhd));
    hang_up_check(connection_of(mhd));
    *context = NULL;
    find_own_answers(connection_of(mhd), code);
    if (exchange != NULL)
        end_request(exchange, code);
}

static void on_connection(void *cls, struct MHD_Connection *mhd, void **context,
                          enum MHD_ConnectionNotificationCode code) {
    struct http_loop *loop = cls;
    struct connection *connection = code == MHD_CONNECTION_NOTIFY_STARTED ? loop->opening : *context;
    if (code == MHD_CONNECTION_NOTIFY_STARTED) {
        loop->opening = NULL;
        connection->mhd = mhd;
        *context = connection;
        deadline_for_head(connection);
        hang_up_watch(connection);
        return;
    }
    *context = NULL;
    /* libmicrohttpd does not report the end of the request if the system has no memory to wait for the connection. */
    if (connection->exchange != NULL)
        end_request(connection->exchange, MHD_REQUEST_TERMINATED_WITH_ERROR);
    find_own_answers(connection, MHD_REQUEST_TERMINATED_WITH_ERROR);
    if (connection->is_own_answer)
        report_own_answer(connection);
    deadline_stop(connection);
    hang_up_unwatch(connection);
    LIST_REMOVE(connection, entry);
    listener_take_back(connection);
}

static void on_log(void *cls, const char *format, va_list arguments) __attribute__((format(printf, 2, 0)));

/* Messages of libmicrohttpd. That it is about to answer a request itself is reported only here. */
static void on_log(void *cls, const char *format, va_list arguments) {
    static const char cannot_answer[] = "Error processing request (";
    struct http_loop *loop = cls;
    struct log *log = loop->shared->log;
    char text[512];
    if (log_wants(log, LOG_LEVEL_DEBUG)) {
        vsnprintf(text, sizeof text, format, arguments);
        log_text(log, LOG_LEVEL_DEBUG, "libmicrohttpd", "message", text);
    }
    if (strncmp(format, cannot_answer, sizeof cannot_answer - 1) == 0 && !request_head_refuse_complete(loop))
        loop->own_answers++;
}

struct MHD_Daemon *request_start_daemon(struct http_loop *loop) {
    return MHD_start_daemon(MHD_EPOLL_FLAGS | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ERROR_LOG, 0, NULL, NULL, on_request,
                            loop, MHD_OPTION_EXTERNAL_LOGGER, on_log, loop, MHD_OPTION_URI_LOG_CALLBACK, open_target,
                            loop, MHD_OPTION_NOTIFY_COMPLETED, close_request, loop, MHD_OPTION_NOTIFY_CONNECTION,
                            on_connection, loop,
                            /* The listener counts connections. */
                            MHD_OPTION_CONNECTION_LIMIT, (unsigned)1 << 20,
#if MHD_VERSION >= 0x00097701
                            /* After an extension of the last chunk, 1.0.1 takes what follows for the next request.
                             * Level 1 refuses such a request. */
                            MHD_OPTION_CLIENT_DISCIPLINE_LVL, 1,
#endif
                            MHD_OPTION_SIGPIPE_HANDLED_BY_APP, 1, MHD_OPTION_END);
}
