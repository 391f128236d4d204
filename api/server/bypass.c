#include "api/server/bypass.h"

#include "api/server/connection.h"
#include "base/buffer.h"

#include <microhttpd.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

enum { MAX_ANSWER_HEAD = 2048 /* bytes */ };

static void put_header(struct buffer *out, const char *name, const char *value) {
    buffer_put_string(out, name);
    buffer_put_literal(out, ": ");
    buffer_put_string(out, value);
    buffer_put_literal(out, "\r\n");
}

/* Write the response as it is sent, as the last one of its connection. */
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

bool bypass_send(struct exchange *exchange) {
    int socket = connection_socket(exchange->connection);
    struct buffer out;
    buffer_init(&out, MAX_ANSWER_HEAD + exchange->response.length, NULL);
    put_response(&out, exchange);
    bool sent = out.outcome == OUTCOME_DONE &&
                send(socket, out.data, out.length, MSG_DONTWAIT | MSG_NOSIGNAL) == (ssize_t)out.length;
    buffer_clear(&out);
    if (!sent)
        return false;
    exchange->status = exchange->response.status;
    exchange->bytes_out = exchange->response.length;
    return true;
}
