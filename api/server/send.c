#include "api/server/send.h"

#include "base/assert.h"

#include <stdlib.h>

enum { STREAM_BLOCK = 32 << 10 /* bytes that are asked for at once */ };

static void free_block(void *cls) {
    struct buffer *block = cls;
    buffer_clear(block);
    free(block);
}

struct MHD_Response *send_hand_over(struct response *response) {
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
        free(block); /* the bytes are still the response's */
    else
        response->owned = (struct buffer){0};
    return sent;
}

bool send_add_headers(struct MHD_Response *sent, const struct response *response) {
    bool good = true;
    ASSERT(response->header_count <= RESPONSE_HEADERS);
    for (size_t h = 0; h < response->header_count; h++)
        good &= MHD_add_response_header(sent, response->headers[h].name, response->headers[h].value) == MHD_YES;
    return good;
}

/* Queue what was made of the exchange's response, under its headers. */
static enum MHD_Result queue_answer(struct exchange *exchange, struct MHD_Response *sent) {
    struct http *http = exchange->http;
    struct response *response = &exchange->response;
    struct deadline *deadline = exchange_deadline(exchange->connection);
    if (sent == NULL) {
        exchange->reason = REASON_MEMORY;
        return MHD_NO;
    }
    bool good = send_add_headers(sent, response);
#if MHD_VERSION >= 0x00097701 /* 1.0, the first release that can do so */
    /* The length in a 304, if there is one, must be that of the 200 (RFC 9110, 8.6), and here it would be 0. */
    if (response->status == MHD_HTTP_NOT_MODIFIED)
        good &= MHD_set_response_options(sent, MHD_RF_HEAD_ONLY_RESPONSE, MHD_RO_END) == MHD_YES;
#endif
    good &= MHD_add_response_header(sent, "X-Request-Id", exchange->id) == MHD_YES;
    /* A proxy may ignore chunks in HTTP/1.0, and take another byte for the end of the request (RFC 9112, 6.1). */
    bool unsure_of_end = exchange->old && exchange->admission.chunked;
    if (response->closes || unsure_of_end || atomic_load(&http->leaving))
        good &= MHD_add_response_header(sent, "Connection", "close") == MHD_YES;
    enum MHD_Result result = good ? MHD_queue_response(exchange->connection, response->status, sent) : MHD_NO;
    MHD_destroy_response(sent);
    if (!good)
        exchange->reason = REASON_MEMORY;
    if (result != MHD_YES)
        return MHD_NO;
    exchange->stage = STAGE_SENT;
    if (deadline != NULL) {
        deadline_arm(http->deadlines, deadline, DEADLINE_SEND);
        if (exchange->streams && exchange->old)
            deadline_set_open_ended(http->deadlines, deadline);
    }
    return MHD_YES;
}

enum MHD_Result send_response(struct exchange *exchange) {
    ASSERT(exchange->stage != STAGE_SENT && exchange->stage != STAGE_SOLVE);
    enum MHD_Result result = queue_answer(exchange, send_hand_over(&exchange->response));
    exchange->bytes_out = result == MHD_YES ? exchange->response.length : 0;
    return result;
}

/* ---- streams ---- */

void send_more(struct exchange *exchange) {
    if (!exchange->suspended || exchange->connection == NULL ||
        !(exchange->cut_off || job_is_readable(exchange->task.job)))
        return;
    exchange->suspended = false;
    MHD_resume_connection(exchange->connection);
}

/* Nobody may take a part for the whole. A chunked answer lacks its last chunk then; an older client only knows that the
 * connection ends, and is told by a reset. */
static ssize_t break_off(struct exchange *exchange) {
    struct deadline *deadline = exchange_deadline(exchange->connection);
    if (job_is_broken(exchange->task.job))
        exchange->reason = REASON_MEMORY;
    if (exchange->old && deadline != NULL)
        deadline_reset(exchange->http->deadlines, deadline);
    return MHD_CONTENT_READER_END_WITH_ERROR;
}

/* Called by libmicrohttpd whenever the socket takes more. */
static ssize_t read_stream(void *cls, uint64_t position, char *bytes, size_t most) {
    struct exchange *exchange = cls;
    struct task *task = &exchange->task;
    ssize_t result;
    (void)position;
    pthread_mutex_lock(&task->mutex);
    size_t length = exchange->cut_off ? 0 : job_read(task->job, bytes, most);
    if (length != 0)
        result = (ssize_t)length;
    else if (exchange->cut_off || job_is_broken(task->job))
        result = break_off(exchange);
    else if (job_is_read(task->job))
        result = MHD_CONTENT_READER_END_OF_STREAM;
    else
        result = 0;
    if (result == 0) {
        exchange->suspended = true;
        MHD_suspend_connection(exchange->connection);
    }
    exchange->bytes_out += length;
    bool more = length != 0 && job_has_turn(task->job, JOB_SHORT);
    pthread_mutex_unlock(&task->mutex);
    /* It may have been waiting for its reader. */
    if (more && exchange->queued)
        queue_wake(exchange->http->queue, task);
    return result;
}

enum MHD_Result send_stream(struct exchange *exchange) {
    ASSERT(exchange->streams && exchange->stage == STAGE_ANSWER);
    exchange->bytes_out = 0;
    enum MHD_Result result = queue_answer(
        exchange, MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, STREAM_BLOCK, read_stream, exchange, NULL));
    if (exchange->stage == STAGE_SENT)
        atomic_fetch_add_explicit(&exchange->http->streams, 1, memory_order_relaxed);
    return result;
}
