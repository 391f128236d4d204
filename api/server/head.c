#include "api/server/head.h"

#include "api/log/log.h"
#include "api/request/cors.h"
#include "api/server/http_loop.h"
#include "api/server/send.h"
#include "base/assert.h"
#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

enum {
    MAX_PARAMETERS = 100,  /* no path takes more than five */
    PARAMETER_BYTES = 100, /* maximum bytes that a parameter takes up in a connection's 32 KiB */
    MAX_TARGET = 20 << 10, /* bytes, including its parameters; a longer one would leave no memory for the headers */
};

/* ---- for the log ---- */

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
static void refuse(struct exchange *exchange, const char *detail) {
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

void head_begin(struct exchange *exchange) {
    if (has_too_long_target(exchange))
        refuse(exchange, "the request target is too long, or has too many parameters");
}

bool head_refuse_complete(struct http_loop *loop) {
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
        refuse(exchange, "the request has a Content-Length that is not a number, or too many cookies");
        return true;
    }
#else
    (void)loop;
#endif
    return false;
}

/* ---- the decision ---- */

struct header_list {
    struct header *headers;
    size_t count, capacity;
    struct head_noted noted;
};

static enum MHD_Result collect_header(void *cls, enum MHD_ValueKind kind, const char *name, const char *value) {
    struct header_list *list = cls;
    const struct header header = {name, value != NULL ? value : ""};
    (void)kind;
    if (list->count < list->capacity)
        list->headers[list->count] = header;
    list->count++;
    head_note(&list->noted, header.name, header.value);
    return MHD_YES;
}

/* Collect all headers. The strings belong to libmicrohttpd. Returns false when out of memory. */
static bool collect(struct MHD_Connection *connection, struct header_list *list) {
    struct header *few = list->headers;
    MHD_get_connection_values(connection, MHD_HEADER_KIND, collect_header, list);
    if (list->count <= list->capacity)
        return true;
    struct header_list all = {.headers = malloc(list->count * sizeof *few), .capacity = list->count};
    if (all.headers == NULL)
        return false;
    MHD_get_connection_values(connection, MHD_HEADER_KIND, collect_header, &all);
    *list = all;
    return true;
}

/* For a request without a body that expects 100-continue, libmicrohttpd 0.9 would send 100 and then read what follows
 * as a body. So overwrite the value, which is in the connection's memory and which nothing else reads. */
static void forget_expectation(const struct exchange *exchange, const char *expect) {
    if (expect != NULL && exchange->admission.content_length == 0 && !exchange->admission.chunked)
        *(char *)(uintptr_t)expect = 0;
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

enum admit_action head_admit(struct exchange *exchange, const char *method, const char *version) {
    struct header few[48];
    struct header_list list = {.headers = few, .capacity = sizeof few / sizeof *few};
    memccpy(exchange->method, method, 0, sizeof exchange->method - 1);
    exchange->http10 = strcmp(version, "HTTP/1.0") == 0;
    if (!collect(exchange->connection->mhd, &list)) {
        choose_id(exchange, NULL);
        exchange_overload(exchange, REASON_MEMORY);
        return ADMIT_ANSWER;
    }
    struct request_head head = {method, exchange->target, version, list.headers, list.count};
    enum admit_action action =
        admit(exchange->loop->shared->service, &head, &exchange->admission, &exchange->response, &exchange->body);
    forget_expectation(exchange, list.noted.expect);
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
