#include "api/server/request.h"

#include "api/log/log.h"
#include "api/request/cors.h"
#include "api/server/dispatch.h"
#include "api/server/exchange.h"
#include "api/server/listener.h"
#include "api/server/probe.h"
#include "api/server/send.h"
#include "api/server/socket.h"
#include "api/server/watch.h"
#include "api/work/clock.h"
#include "base/account.h"
#include "base/hash.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    KEPT_BODY = 65536,     /* bytes; larger bodies are refused because of their head, which ends the connection */
    MAX_PARAMETERS = 100,  /* no path takes more than ten */
    PARAMETER_BYTES = 100, /* maximum bytes that a parameter takes up in a connection's 32 KiB */
    MAX_TARGET = 20 << 10, /* bytes, including its parameters; a longer one would leave no memory for the headers */
};

/* ---- the id of a request ---- */

/* Use the caller's request id, or create one. libmicrohttpd keeps blanks after the value, which are not part of it. */
static void choose_id(struct exchange *exchange, const char *given) {
    static const char digits[] = "0123456789abcdef";
    struct http_loop *loop = exchange->loop;
    size_t length = given != NULL ? strcspn(given, " \t") : 0;
    if (length != 0 && length < sizeof exchange->id && given[length + strspn(given + length, " \t")] == 0) {
        memcpy(exchange->id, given, length);
        exchange->id[length] = 0;
        if (head_request_id_is_good(exchange->id))
            return;
    }
    uint64_t number = ++loop->id_count << 8 | loop->number; /* there are fewer than 256 loops */
    uint64_t id = splitmix_number(loop->shared->id_seed, number);
    for (int i = 0; i < 16; i++)
        exchange->id[i] = digits[id >> (4 * i) & 15];
    exchange->id[16] = 0;
}

/* Extract the trace id from a traceparent header (W3C Trace Context, version 00): "00-" and 32 lowercase hexadecimal
 * digits. */
static void note_trace(struct exchange *exchange, const char *trace_parent) {
    if (trace_parent == NULL || strlen(trace_parent) < 55 || strncmp(trace_parent, "00-", 3) != 0 ||
        strspn(trace_parent + 3, "0123456789abcdef") != 32 || trace_parent[35] != '-')
        return;
    memcpy(exchange->trace, trace_parent + 3, 32);
    exchange->trace[32] = 0;
}

/* ---- heads that libmicrohttpd cannot parse ---- */

/* Answer 400 with a detail, bypassing libmicrohttpd. It must not read any further, or it would announce an answer of
 * its own. */
static void refuse_head(struct exchange *exchange, const char *detail) {
    struct response_cors cors = cors_for(&exchange->loop->shared->service->cors, NULL);
    choose_id(exchange, NULL);
    problem_respond(PROBLEM_MALFORMED, &cors, &exchange->response, "%s", detail);
    send_past(exchange, REASON_HEAD);
    exchange_cut_off(exchange, REASON_HEAD);
}

/* If libmicrohttpd has no memory for a parameter, or for what follows a long target, it does not answer at all, and the
 * client waits until the deadline. */
static bool has_too_long_target(const struct exchange *exchange) {
    size_t bytes = strlen(exchange->target), count = 0;
    for (const char *at = strchr(exchange->target, '?'); at != NULL && count <= MAX_PARAMETERS; count++)
        at = strchr(at + 1, '&');
    return count > MAX_PARAMETERS || bytes + count * PARAMETER_BYTES > MAX_TARGET;
}

/* Called from the log callback when libmicrohttpd is about to answer a head itself. If that head is complete (for
 * instance with a Content-Length that is not a number, or with more cookies than there is memory for), version 0.9
 * would send the head of its answer twice. In that case this function answers instead, and returns true. */
static bool refuse_complete_head(struct http_loop *loop) {
#if MHD_VERSION < 0x00097701
    struct connection *connection;
    /* One thread serves all these connections, so it must be the one with a complete head that was not reported to us.
     * If a connection already has a response, that answers an earlier error. */
    LIST_FOREACH(connection, &loop->connections, entry) {
        struct exchange *exchange = connection->exchange;
        if (exchange == NULL || exchange->state != STATE_HEAD ||
            MHD_get_connection_info(connection->mhd, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE) == NULL ||
            MHD_get_connection_info(connection->mhd, MHD_CONNECTION_INFO_HTTP_STATUS) != NULL)
            continue;
        refuse_head(exchange, "the request has a Content-Length that is not a number, or too many cookies");
        return true;
    }
#else
    (void)loop;
#endif
    return false;
}

/* ---- the head ---- */

struct header_list {
    struct header *headers;
    size_t count;
    struct head_noted noted;
};

/* The strings belong to libmicrohttpd. */
static enum MHD_Result collect_header(void *cls, enum MHD_ValueKind kind, const char *name, const char *value) {
    struct header_list *list = cls;
    (void)kind;
    list->headers[list->count++] = (struct header){name, value != NULL ? value : ""};
    head_note(&list->noted, name, list->headers[list->count - 1].value);
    return MHD_YES;
}

/* The request was forwarded. If the proxy is not trusted, log that once, because all of its clients then count as a
 * single one. */
static void take_forwarded(struct exchange *exchange, const struct header_list *list) {
    struct http_shared *shared = exchange->loop->shared;
    char address[PEER_TEXT_SIZE];
    if (!peer_is_trusted(shared->proxies, &exchange->peer) && gauge_set_first(&shared->gauges.untrusted_proxy)) {
        peer_print(&exchange->peer, address);
        log_text(shared->log, LOG_LEVEL_WARN, "untrusted-proxy", "peer", address);
    }
    exchange->peer = peer_of_request(shared->proxies, &exchange->peer, list->headers, list->count);
}

/* Decide what to do with a head, and record what the log needs from it. */
static enum admit_action read_head(struct exchange *exchange, const char *method, const char *version) {
    struct MHD_Connection *mhd = exchange->connection->mhd;
    struct header few[48];
    size_t count = (size_t)MHD_get_connection_values(mhd, MHD_HEADER_KIND, NULL, NULL);
    struct header_list list = {.headers = count > sizeof few / sizeof *few ? malloc(count * sizeof *few) : few};
    memccpy(exchange->method, method, 0, sizeof exchange->method - 1);
    exchange->http10 = strcmp(version, "HTTP/1.0") == 0;
    if (list.headers == NULL) {
        choose_id(exchange, NULL);
        exchange_overload(exchange, REASON_MEMORY);
        return ADMIT_ANSWER;
    }
    MHD_get_connection_values(mhd, MHD_HEADER_KIND, collect_header, &list);
    struct request_head head = {method, exchange->target, version, list.headers, list.count};
    enum admit_action action =
        admit(exchange->loop->shared->service, &head, &exchange->admission, &exchange->response, &exchange->body);
    /* For a request without a body that expects 100-continue, libmicrohttpd 0.9 would send 100 and then read what
     * follows as a body. So overwrite the value, which is in the connection's memory and which nothing else reads. */
    if (list.noted.expect != NULL && exchange->admission.content_length == 0 && !exchange->admission.chunked)
        *(char *)(uintptr_t)list.noted.expect = 0;
    struct http_shared *shared = exchange->loop->shared;
    if (!http_is_ops(shared)) { /* the ops port has no log, and its clients are counted by their own addresses */
        choose_id(exchange, list.noted.request_id);
        if (log_wants(shared->log, LOG_LEVEL_WARN))
            note_trace(exchange, list.noted.trace_parent);
        if (list.noted.forwarded_for != NULL)
            take_forwarded(exchange, &list);
    }
    exchange->task.client = peer_client(&exchange->peer);
    if (list.headers != few)
        free(list.headers);
    return action;
}

static void answer_probe(struct exchange *exchange) {
    struct http_shared *shared = exchange->loop->shared;
    const struct admission *admission = &exchange->admission;
    if (admission->probe == ROUTE_METRICS && shared->metrics_elsewhere)
        problem_respond(PROBLEM_NOT_FOUND, &admission->cors, &exchange->response,
                        "metrics are only available on the port set with --ops-port");
    else
        probe_respond(shared->probed, admission->probe, admission->gzip, &admission->cors, &exchange->response);
}

/* The ops port serves only probes, and not to pages in a browser. A bad head gets the same answer as on the main
 * port. */
static enum admit_action admit_ops(struct exchange *exchange, enum admit_action action) {
    struct response *response = &exchange->response;
    const char *path = exchange->admission.route;
    struct route route;
    exchange->admission.cors = (struct response_cors){0};
    bool is_elsewhere = response->status == MHD_HTTP_NOT_FOUND || response->status == MHD_HTTP_PERMANENT_REDIRECT;
    if (action == ADMIT_PROBE || (path == NULL && !is_elsewhere))
        return action;
    bool is_probe = path != NULL && route_find(path, strlen(path), &route) && route.kind == ROUTE_PROBE;
    response_clear(response);
    if (is_probe) {
        problem_respond(PROBLEM_METHOD_NOT_ALLOWED, &exchange->admission.cors, response,
                        "this port allows only GET and HEAD");
        response_add_header(response, "Allow", "GET, HEAD");
    } else {
        problem_respond(PROBLEM_NOT_FOUND, &exchange->admission.cors, response,
                        "this port has only /metrics, /livez and /readyz");
    }
    return ADMIT_ANSWER;
}

/* Decide on the head. */
static enum admit_action admit_head(struct exchange *exchange, const char *method, const char *version) {
    struct http_shared *shared = exchange->loop->shared;
    enum admit_action action = read_head(exchange, method, version);
    if (http_is_ops(shared))
        action = admit_ops(exchange, action);
    bool refused = action == ADMIT_ANSWER && exchange->response.status >= 400;
    if (exchange->loop->phase >= PHASE_REFUSE && !shared->is_inherited && !refused) {
        exchange_overload(exchange, REASON_LEAVING);
        return ADMIT_ANSWER;
    }
    if (exchange->response.closes)
        exchange->reason = REASON_FRAMING;
    return action;
}

/* Send an answer that was decided from the head alone. A response that is queued before the body is read ends the
 * connection. So this is done only if there is a body, or if it is uncertain where the request ends. Otherwise, the
 * answer waits for the end of the request, and the connection is kept. */
static void answer_from_head(struct exchange *exchange) {
    const struct admission *admission = &exchange->admission;
    if (exchange->response.closes || admission->chunked || admission->content_length != 0)
        send_response(exchange, EVENT_ANSWERED_EARLY);
    else
        exchange_happens(exchange, EVENT_ANSWERED);
}

/* Can the body be larger than the kernel's receive buffer? */
static bool is_large(const struct exchange *exchange) {
    return exchange->admission.content_length > KEPT_BODY || exchange->admission.chunked;
}

/* Is there memory for the body that is about to arrive? The body is charged to the account as it arrives, but refusing
 * it before it is sent is cheapest. Small requests always pass. */
static bool has_room_for_body(struct exchange *exchange) {
    struct http_shared *shared = exchange->loop->shared;
    uint64_t length = exchange->admission.content_length, max = shared->service->request->max_body_bytes;
    bool small = length <= ADMIT_SMALL_BODY && !exchange->admission.chunked;
    buffer_init(&exchange->body, (size_t)(length != 0 ? length : max), shared->account);
    exchange->body.uncharged =
        length <= ADMIT_SMALL_BODY ? ADMIT_SMALL_BODY : 0; /* this length is 0 for a chunked body */
    if (length > KEPT_BODY && queue_is_full(shared->queue, &exchange->task.client)) {
        exchange_overload(exchange, REASON_QUEUE_FULL);
        return false;
    }
    if (!small && length > account_free(shared->account)) {
        account_refuse(shared->account);
        exchange_overload(exchange, REASON_MEMORY_FULL);
        return false;
    }
    if (small && !buffer_reserve(&exchange->body, (size_t)length)) {
        exchange_overload(exchange, REASON_MEMORY);
        return false;
    }
    return true;
}

static void expect_body(struct exchange *exchange) {
    if (!has_room_for_body(exchange)) {
        send_response(exchange, EVENT_ANSWERED_EARLY);
        return;
    }
    if (is_large(exchange))
        socket_begin_body(connection_socket(exchange->connection));
    exchange_happens(exchange, EVENT_WANT_BODY);
}

/* ---- the body ---- */

/* Get the reason why the body is being dropped. The answer was written when dropping began. */
static enum reason drop_reason(const struct exchange *exchange) {
    return exchange->response.status == MHD_HTTP_SERVICE_UNAVAILABLE ? REASON_MEMORY_FULL : REASON_TOO_LARGE;
}

/* Count a piece of the body. Beyond twice the limit, the connection is closed instead of being read further. */
static void count_piece(struct exchange *exchange, size_t length) {
    exchange->bytes_in += length;
    if (exchange->bytes_in / 2 > exchange->loop->shared->service->request->max_body_bytes)
        exchange_cut_off(exchange, drop_reason(exchange));
}

/* Keep a piece of the body. A link carries its case in the head, so a body is ignored. */
static void gather_body(struct exchange *exchange, const char *bytes, size_t length) {
    const struct service *service = exchange->loop->shared->service;
    struct buffer *body = &exchange->body;
    if (exchange->admission.link)
        return;
    if (length > service->request->max_body_bytes - body->length) {
        admit_respond_too_large(service, &exchange->admission, &exchange->response);
    } else {
        buffer_put(body, bytes, length);
        if (body->outcome == OUTCOME_DONE)
            return;
        exchange_overload(exchange, REASON_MEMORY_FULL);
        exchange->reason = REASON_NONE; /* if the client sends it to the end, it is refused there */
    }
    exchange_happens(exchange, EVENT_DROP);
}

/* The body is complete. Returns false if there is nothing more to do. */
static bool end_body(struct exchange *exchange) {
    if (is_large(exchange))
        socket_bound_buffers(connection_socket(exchange->connection), exchange->loop->shared->kernel_buffers);
    if (exchange->loop->phase < PHASE_END)
        return true;
    exchange_cut_off(exchange, REASON_LEAVING);
    return false;
}

/* ---- a request's path ---- */

/* Continue as decided from the head: with the answer, or with the body and the job. */
static void take_head(struct exchange *exchange, const char *method, const char *version) {
    if (exchange->loop->phase >= PHASE_CLOSE) {
        exchange_cut_off(exchange, REASON_LEAVING);
        return;
    }
    exchange->began = clock_now_us();
    exchange_happens(exchange, EVENT_HEAD_READ);
    switch (admit_head(exchange, method, version)) {
    case ADMIT_PROBE:
        answer_probe(exchange);
        answer_from_head(exchange);
        break;
    case ADMIT_ANSWER:
        answer_from_head(exchange);
        break;
    case ADMIT_READ_BODY:
        expect_body(exchange);
        break;
    case ADMIT_HAS_BODY: /* a link */
        exchange_happens(exchange, EVENT_WANT_BODY);
        break;
    }
}

/* A request's path from top to bottom, as in the table "One request" of ARCHITECTURE.md. libmicrohttpd calls this when
 * the head is complete, for each piece of the body, at the end of the body (with no bytes), and then until there is an
 * answer. */
static enum MHD_Result on_request(void *cls, struct MHD_Connection *mhd, const char *path, const char *method,
                                  const char *version, const char *bytes, size_t *length, void **context) {
    struct exchange *exchange = *context;
    size_t piece = *length;
    (void)cls, (void)path, (void)mhd;
    if (exchange == NULL) /* there was no memory for the exchange */
        return MHD_NO;
    *length = 0;                                   /* all bytes are consumed, even if they are dropped */
    bool is_first = exchange->state == STATE_HEAD; /* a response queued now would end the connection */
    if (piece != 0)
        count_piece(exchange, piece);
    switch (exchange->state) {
    case STATE_HEAD:
        take_head(exchange, method, version);
        break;
    case STATE_BODY:
        if (piece != 0)
            gather_body(exchange, bytes, piece);
        else if (end_body(exchange) && dispatch_begin(exchange) && !dispatch_here(exchange))
            dispatch_push(exchange);
        break;
    case STATE_DROP:
        if (piece == 0 && end_body(exchange)) {
            exchange->reason = drop_reason(exchange);
            exchange_happens(exchange, EVENT_ANSWERED);
        }
        break;
    case STATE_SOLVE: /* in the queue: suspend the connection until the queue reports (dispatch.c) */
        exchange_happens(exchange, EVENT_ASKED);
        break;
    case STATE_SENT: /* answered without libmicrohttpd; the rest of the body is dropped */
        return piece != 0 ? MHD_YES : MHD_NO;
    default:
        break;
    }
    if (!is_first && state_after(exchange->state, EVENT_SEND) != STATE_NONE)
        send_response(exchange, EVENT_SEND);
    return exchange_row(exchange)->socket == SOCKET_SHUT ? MHD_NO : MHD_YES;
}

/* ---- libmicrohttpd's own answers ---- */

/* Has libmicrohttpd been given an answer to the connection's current request? */
static bool is_answered(const struct connection *connection) {
    return connection->exchange != NULL && connection->exchange->is_given;
}

/* libmicrohttpd announces in its log that it answers a request by itself, but not on which connection. When a request
 * or a connection ends, mark the connections on which such an answer is still being sent. If one announced answer is
 * left over, it was sent immediately: it is attributed to `ending`, unless we answered that connection or its client
 * ended it. */
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

/* ---- the beginning and the end of requests and connections ---- */

static struct connection *connection_of(struct MHD_Connection *mhd) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(mhd, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info->socket_context;
}

static void *open_target(void *cls, const char *target, struct MHD_Connection *mhd) {
    struct exchange *exchange = exchange_new(connection_of(mhd), target);
    (void)cls;
    if (exchange != NULL && has_too_long_target(exchange))
        refuse_head(exchange, "the request target is too long, or has too many parameters");
    return exchange;
}

/* Determine why the request has ended. */
static enum reason find_reason(const struct exchange *exchange, enum MHD_RequestTerminationCode code) {
    if (exchange->reason != REASON_NONE)
        return exchange->reason;
    if (code == MHD_REQUEST_TERMINATED_COMPLETED_OK || exchange->state == STATE_SENT)
        return REASON_NONE;
    if (code == MHD_REQUEST_TERMINATED_DAEMON_SHUTDOWN || exchange->loop->phase == PHASE_ABORT)
        return REASON_LEAVING;
    return exchange_row(exchange)->timer == TIMER_BODY ? REASON_CONNECTION_LOST : REASON_CLIENT_GONE;
}

static void end_request(struct exchange *exchange, enum MHD_RequestTerminationCode code) {
    struct connection *connection = exchange->connection;
    /* libmicrohttpd could not parse the head or a chunk of the body. */
    if (connection->is_own_answer && exchange->reason == REASON_NONE)
        exchange->reason = exchange_row(exchange)->timer == TIMER_BODY ? REASON_FRAMING : REASON_HEAD;
    connection->is_own_answer = false;
    exchange->reason = find_reason(exchange, code);
    exchange_happens(exchange, EVENT_CLOSED);
}

static void close_request(void *cls, struct MHD_Connection *mhd, void **context, enum MHD_RequestTerminationCode code) {
    struct exchange *exchange = *context;
    struct connection *connection = connection_of(mhd);
    (void)cls;
    *context = NULL;
    find_own_answers(connection, code);
    if (exchange != NULL)
        end_request(exchange, code);
    watch_request_ended(connection);
}

static void on_connection(void *cls, struct MHD_Connection *mhd, void **context,
                          enum MHD_ConnectionNotificationCode code) {
    struct http_loop *loop = cls;
    struct connection *connection = code == MHD_CONNECTION_NOTIFY_STARTED ? loop->opening : *context;
    if (code == MHD_CONNECTION_NOTIFY_STARTED) {
        loop->opening = NULL;
        connection->mhd = mhd;
        *context = connection;
        watch_begin(connection);
        return;
    }
    *context = NULL;
    /* libmicrohttpd does not report the end of a request if the system has no memory for polling its connection. */
    if (connection->exchange != NULL)
        end_request(connection->exchange, MHD_REQUEST_TERMINATED_WITH_ERROR);
    find_own_answers(connection, MHD_REQUEST_TERMINATED_WITH_ERROR);
    /* libmicrohttpd has answered a request line itself, so there was no exchange. Report it like any other request. */
    if (connection->is_own_answer && exchange_new(connection, "") != NULL)
        end_request(connection->exchange, MHD_REQUEST_TERMINATED_WITH_ERROR);
    watch_end(connection);
    LIST_REMOVE(connection, entry);
    listener_take_back(connection);
}

static void on_log(void *cls, const char *format, va_list arguments) __attribute__((format(printf, 2, 0)));

/* Messages from libmicrohttpd. Only here does it say that it is about to answer a request by itself. */
static void on_log(void *cls, const char *format, va_list arguments) {
    static const char cannot_answer[] = "Error processing request (";
    struct http_loop *loop = cls;
    struct log *log = loop->shared->log;
    char text[512];
    if (log_wants(log, LOG_LEVEL_DEBUG)) {
        vsnprintf(text, sizeof text, format, arguments);
        log_text(log, LOG_LEVEL_DEBUG, "libmicrohttpd", "message", text);
    }
    if (strncmp(format, cannot_answer, sizeof cannot_answer - 1) == 0 && !refuse_complete_head(loop))
        loop->own_answers++;
}

/* Without MHD_USE_NO_THREAD_SAFETY, version 1.0 opens a connection from MHD_add_connection only in the next MHD_run,
 * and does not report whether that failed. With the flag, and in 0.9, the connection is opened immediately. */
#if MHD_VERSION >= 0x00097707
#define MHD_EPOLL_FLAGS (MHD_USE_EPOLL | MHD_USE_NO_LISTEN_SOCKET | MHD_USE_NO_THREAD_SAFETY)
#else
#define MHD_EPOLL_FLAGS (MHD_USE_EPOLL | MHD_USE_NO_LISTEN_SOCKET)
#endif

struct MHD_Daemon *request_start_daemon(struct http_loop *loop) {
    return MHD_start_daemon(MHD_EPOLL_FLAGS | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ERROR_LOG, 0, NULL, NULL, on_request,
                            loop, MHD_OPTION_EXTERNAL_LOGGER, on_log, loop, MHD_OPTION_URI_LOG_CALLBACK, open_target,
                            loop, MHD_OPTION_NOTIFY_COMPLETED, close_request, loop, MHD_OPTION_NOTIFY_CONNECTION,
                            on_connection, loop,
                            /* Connections are counted by the listener instead. */
                            MHD_OPTION_CONNECTION_LIMIT, (unsigned)1 << 20,
#if MHD_VERSION >= 0x00097701
                            /* 1.0.1 reads what follows an extension of the last chunk as the next request. Level 1
                             * refuses such requests. */
                            MHD_OPTION_CLIENT_DISCIPLINE_LVL, 1,
#endif
                            MHD_OPTION_SIGPIPE_HANDLED_BY_APP, 1, MHD_OPTION_END);
}
