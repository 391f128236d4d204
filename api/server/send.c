#include "api/server/send.h"

#include "api/server/connection.h"
#include "api/server/deadline.h"
#include "api/server/http_loop.h"
#include "api/server/mhd_version.h"
#include "api/server/resume.h"
#include "api/server/socket.h"
#include "base/assert.h"

#include <stdlib.h>

enum { STREAM_BLOCK = 32 << 10 /* bytes that are asked for at once */ };

static void free_block(void *cls) {
    struct buffer *block = cls;
    buffer_clear(block);
    free(block);
}

struct MHD_Response *send_make_response(struct response *response) {
    if (response->owned.data == NULL)
        return MHD_create_response_from_buffer(response->length, (void *)(uintptr_t)response->body,
                                               MHD_RESPMEM_PERSISTENT);
    struct buffer *block = malloc(sizeof *block);
    if (block == NULL)
        return NULL;
    *block = response->owned;
    struct MHD_Response *sent = MHD_create_response_from_buffer_with_free_callback_cls(
        response->length, (void *)(uintptr_t)response->body, free_block, block);
    if (sent == NULL)
        free(block); /* the response still owns the bytes */
    else
        response->owned = (struct buffer){0};
    return sent;
}

bool send_add_headers(struct MHD_Response *sent, const struct response *response) {
    bool good = true;
    ASSERT(response->header_count <= RESPONSE_HEADERS);
    for (size_t h = 0; h < response->header_count; h++)
        good &= MHD_add_response_header(sent, response->headers[h].name, response_value(response, h)) == MHD_YES;
    return good;
}

/* Queue the libmicrohttpd response of the exchange, with its headers. */
static enum MHD_Result queue_answer(struct exchange *exchange, struct MHD_Response *sent, enum event event) {
    struct response *response = &exchange->response;
    if (sent == NULL) {
        exchange_cut_off(exchange, EVENT_FAILED, REASON_MEMORY);
        return MHD_NO;
    }
    bool good = send_add_headers(sent, response);
#if MHD_VERSION >= 0x00097701 /* 1.0, the first release with this option */
    /* A Content-Length in a 304 must be that of the 200 (RFC 9110, 8.6); here it would be 0. */
    if (response->status == MHD_HTTP_NOT_MODIFIED)
        good &= MHD_set_response_options(sent, MHD_RF_HEAD_ONLY_RESPONSE, MHD_RO_END) == MHD_YES;
#endif
    good &= MHD_add_response_header(sent, "X-Request-Id", exchange->id) == MHD_YES;
    /* An HTTP/1.0 proxy may ignore chunks, and see the end of the request at another byte (RFC 9112, 6.1). Some
     * versions of libmicrohttpd may see it there, too. */
    bool unsure_of_end =
        exchange->admission.chunked && (exchange->http10 || mhd_version_misreads_chunks(mhd_version_loaded()));
    if (response->closes || unsure_of_end || exchange->loop->phase != PHASE_SERVE)
        good &= MHD_add_response_header(sent, "Connection", "close") == MHD_YES;
    enum MHD_Result result = good ? MHD_queue_response(exchange->connection->mhd, response->status, sent) : MHD_NO;
    MHD_destroy_response(sent);
    if (result != MHD_YES) {
        exchange_cut_off(exchange, EVENT_FAILED, good ? REASON_NONE : REASON_MEMORY);
        return MHD_NO;
    }
    exchange->status = response->status;
    exchange_happens(exchange, event);
    deadline_for_reader(exchange->connection);
    return MHD_YES;
}

/* Have libmicrohttpd close the connection, whose socket is shut down: it finds that out, because the byte cannot be
 * sent. If it closed the connection by itself (MHD_CONTENT_READER_END_WITH_ERROR, or END_OF_STREAM without chunks), it
 * would forget to clean up as long as an older connection of the loop is open (0.9.75 to 1.0.10). */
static ssize_t have_closed(char *bytes) {
    *bytes = '\n';
    return 1;
}

/* All lines were sent. Over HTTP/1.0 the end of the connection ends the answer. */
static ssize_t end_stream(struct exchange *exchange, char *bytes) {
    int socket = connection_socket(exchange->connection);
    if (!exchange->http10)
        return MHD_CONTENT_READER_END_OF_STREAM;
    socket_reset_at_close(socket, false);
    socket_end_sending(socket);
    exchange_happens(exchange, EVENT_SENT);
    return have_closed(bytes);
}

static ssize_t wait_for_lines(struct exchange *exchange) {
    resume_suspend(exchange);
    exchange_happens(exchange, EVENT_NO_LINES);
    return 0;
}

/* Called by libmicrohttpd whenever the socket can take more. */
static ssize_t read_stream(void *cls, uint64_t position, char *bytes, size_t max) {
    struct exchange *exchange = cls;
    size_t length;
    (void)position;
    if (!state_is_stream(exchange->state))
        return have_closed(bytes);
    enum task_lines lines = task_read(exchange->loop->shared->queue, &exchange->task, bytes, max, &length);
    switch (lines) {
    case TASK_SOME_LINES:
        break;
    case TASK_NO_LINES_YET:
        return wait_for_lines(exchange);
    case TASK_ALL_READ:
        /* In STREAM the queue is about to release the job. */
        return exchange->http10 && exchange->state == STATE_STREAM ? wait_for_lines(exchange)
                                                                   : end_stream(exchange, bytes);
    case TASK_IS_BROKEN:
        exchange_cut_off(exchange, EVENT_FAILED, REASON_MEMORY);
        return have_closed(bytes);
    }
    exchange->bytes_out += length;
    return (ssize_t)length;
}

/* The bytes of the account that a stream holds: its body, and lines up to their limit. */
static size_t stream_charge(const struct exchange *exchange) {
    const struct job_limits *limits = limits_of(&exchange->loop->shared->service->limits, &job_limits);
    return buffer_charged(&exchange->body) + (size_t)limits->max_stream_bytes;
}

enum MHD_Result send_response(struct exchange *exchange, enum event event) {
    struct response *response = &exchange->response;
    if (exchange->state == STATE_OPEN || exchange->state == STATE_OPEN_WHOLE) {
        if (exchange->http10)
            socket_reset_at_close(connection_socket(exchange->connection), true);
        exchange_charge(exchange, stream_charge(exchange));
        return queue_answer(
            exchange, MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, STREAM_BLOCK, read_stream, exchange, NULL),
            event);
    }
    exchange_charge(exchange, buffer_charged(&response->owned));
    enum MHD_Result result = queue_answer(exchange, send_make_response(response), event);
    exchange->bytes_out = result == MHD_YES ? response->length : 0;
    return result;
}
