/* Answers on their way out: whole ones, and those that are read line by line while they come about. */
#pragma once

#include "api/server/exchange.h"

/* The response in libmicrohttpd's hands; it owns the body from here on. NULL when memory is exhausted. */
struct MHD_Response *send_hand_over(struct response *response);

/* Give it the headers of the response. False when memory is exhausted. */
bool send_add_headers(struct MHD_Response *sent, const struct response *response);

/* Queue the exchange's response with libmicrohttpd. For the I/O thread. */
enum MHD_Result send_response(struct exchange *exchange);

/* Queue the head of a stream, whose lines follow as they are known. For the I/O thread. */
enum MHD_Result send_stream(struct exchange *exchange);

/* A stream may have more to send, or has come to its end: resume its connection if it waits for that. Any thread, with
 * the task's mutex held. */
void send_more(struct exchange *exchange);
