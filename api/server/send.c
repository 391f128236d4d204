#include "api/server/send.h"

#include "api/server/http_loop.h"
#include "base/assert.h"

#include <stdio.h>
#include <string.h>

enum {
    STREAM_BLOCK = 32 << 10, /* bytes requested at a time */
    PAST_HEAD = 2048,        /* maximum bytes in the head of an answer that bypasses libmicrohttpd */
};

/* ---- streams ---- */

/* Make libmicrohttpd close the connection. The sending side is already closed, so libmicrohttpd notices as soon as it
 * fails to send this byte. If it ended the connection on its own (MHD_CONTENT_READER_END_WITH_ERROR, or END_OF_STREAM
 * without chunks), it would not clean up as long as an older connection of the loop is open (0.9.75 to 1.0.10). */
static ssize_t have_closed(char *bytes) {
    *bytes = '\n';
    return 1;
}

/* Called by libmicrohttpd whenever the socket can accept more data. */
static ssize_t read_stream(void *cls, uint64_t position, char *bytes, size_t max) {
    struct exchange *exchange = cls;
    size_t length;
    (void)position;
    if (!exchange_row(exchange)->streams)
        return have_closed(bytes);
    switch (task_read(exchange->loop->shared->queue, &exchange->task, bytes, max, &length)) {
    case TASK_SOME_LINES:
        exchange->bytes_out += length;
        return (ssize_t)length;
    case TASK_ALL_READ:
        if (!exchange->http10)
            return MHD_CONTENT_READER_END_OF_STREAM;
        if (exchange->state == STATE_STREAM_WHOLE) {
            exchange_happens(exchange, EVENT_SENT);
            return have_closed(bytes);
        }
        __attribute__((fallthrough)); /* the queue is about to release the job */
    case TASK_NO_LINES_YET:
        exchange_happens(exchange, EVENT_NO_LINES);
        return 0;
    case TASK_IS_BROKEN:
        break;
    }
    exchange_cut_off(exchange, REASON_MEMORY);
    return have_closed(bytes);
}

/* ---- all answers ---- */

bool send_misreads_chunks(const char *version) {
    static const char series[] = "1.0.";
    const size_t length = sizeof series - 1;
    return strncmp(version, series, length) == 0 && strspn(version + length, "0123456789") == 1;
}

static bool add_headers(struct MHD_Response *sent, const struct exchange *exchange) {
    const struct response *response = &exchange->response;
    bool good = true;
    ASSERT(response->header_count <= RESPONSE_HEADERS);
    for (size_t h = 0; h < response->header_count; h++)
        good &= MHD_add_response_header(sent, response->headers[h].name, response_value(response, h)) == MHD_YES;
#if MHD_VERSION >= 0x00097701 /* 1.0, the first release with this option */
    /* A Content-Length in a 304 must be that of the 200 (RFC 9110, 8.6); here it would be 0. */
    if (response->status == MHD_HTTP_NOT_MODIFIED)
        good &= MHD_set_response_options(sent, MHD_RF_HEAD_ONLY_RESPONSE, MHD_RO_END) == MHD_YES;
#endif
    if (*exchange->id != 0) /* empty on the ops port */
        good &= MHD_add_response_header(sent, "X-Request-Id", exchange->id) == MHD_YES;
    /* An HTTP/1.0 proxy may ignore chunks and find the end of the request at a different byte (RFC 9112, 6.1), and so
     * may some versions of libmicrohttpd. */
    bool unsure_of_end = exchange->admission.chunked && (exchange->http10 || send_misreads_chunks(MHD_get_version()));
    if (response->closes || unsure_of_end || exchange->loop->phase != PHASE_SERVE)
        good &= MHD_add_response_header(sent, "Connection", "close") == MHD_YES;
    return good;
}

void send_response(struct exchange *exchange, enum event event) {
    struct response *response = &exchange->response;
    bool is_stream = exchange->state == STATE_OPEN || exchange->state == STATE_OPEN_WHOLE;
    /* Whatever refuses a request also says why, except where memory has run out, and /readyz. */
    if (response->status == MHD_HTTP_SERVICE_UNAVAILABLE && exchange->reason == REASON_NONE &&
        exchange->admission.probe != ROUTE_READYZ)
        exchange->reason = REASON_MEMORY;
    /* For a stream, its body is charged to the account, and its lines up to their limit. */
    const struct job_limits *limits = limits_of(&exchange->loop->shared->service->limits, &job_limits);
    exchange->sending_bytes = is_stream ? buffer_charged(&exchange->body) + (size_t)limits->max_stream_bytes
                                        : buffer_charged(&response->owned);
    struct MHD_Response *sent =
        is_stream ? MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, STREAM_BLOCK, read_stream, exchange, NULL)
                  : MHD_create_response_from_buffer(response->length, (void *)(uintptr_t)response->body,
                                                    MHD_RESPMEM_PERSISTENT); /* until EVENT_CLOSED */
    bool good = sent != NULL && add_headers(sent, exchange);
    exchange->is_given = good && MHD_queue_response(exchange->connection->mhd, response->status, sent) == MHD_YES;
    if (sent != NULL)
        MHD_destroy_response(sent);
    if (!exchange->is_given) { /* libmicrohttpd refuses a response on a broken connection */
        exchange_cut_off(exchange, good ? REASON_CLIENT_GONE : REASON_MEMORY);
        return;
    }
    exchange->status = response->status;
    exchange->bytes_out = is_stream ? 0 : response->length;
    exchange_happens(exchange, event);
}

/* ---- bypassing libmicrohttpd ---- */

static void put_header(struct buffer *out, const char *name, const char *value) {
    buffer_put_string(out, name);
    buffer_put_literal(out, ": ");
    buffer_put_string(out, value);
    buffer_put_literal(out, "\r\n");
}

/* Write the response as it is sent on the wire, with the headers of the last response on a connection. */
static void put_response(struct buffer *out, const struct exchange *exchange) {
    const struct response *response = &exchange->response;
    char line[128], length[24];
    snprintf(line, sizeof line, "HTTP/1.1 %u %s\r\n", response->status, MHD_get_reason_phrase_for(response->status));
    snprintf(length, sizeof length, "%zu", response->length);
    buffer_put_string(out, line);
    for (size_t h = 0; h < response->header_count; h++)
        put_header(out, response->headers[h].name, response_value(response, h));
    put_header(out, "X-Request-Id", exchange->id);
    put_header(out, "Connection", "close");
    put_header(out, "Content-Length", length);
    buffer_put_literal(out, "\r\n");
    if (strcmp(exchange->method, "HEAD") != 0)
        buffer_put(out, response->body, response->length);
}

void send_past(struct exchange *exchange, enum reason reason) {
    struct buffer out;
    buffer_init(&out, PAST_HEAD + exchange->response.length, NULL);
    put_response(&out, exchange);
    bool sent = out.outcome == OUTCOME_DONE && send(connection_socket(exchange->connection), out.data, out.length,
                                                    MSG_DONTWAIT | MSG_NOSIGNAL) == (ssize_t)out.length;
    buffer_clear(&out);
    if (!sent) {
        exchange_cut_off(exchange, reason);
        return;
    }
    if (exchange->reason == REASON_NONE)
        exchange->reason = reason;
    exchange->status = exchange->response.status;
    exchange->bytes_out = exchange->response.length;
    exchange_happens(exchange, EVENT_SENT);
}
