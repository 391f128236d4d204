/* Answers on their way out: whole ones, and those that are read line by line while they come about. */
#pragma once

#include "api/server/exchange.h"

/* Queue the exchange's response with libmicrohttpd. For the I/O thread. */
enum MHD_Result send_response(struct exchange *exchange);

/* Queue the head of a stream, whose lines follow as they are known. For the I/O thread. */
enum MHD_Result send_stream(struct exchange *exchange);

/* A stream may have more to send, or has come to its end: resume its connection if it waits for that. Any thread, with
 * the task's mutex held. */
void send_more(struct exchange *exchange);
