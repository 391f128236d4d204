/* Answers on their way out: whole ones, and those that are read line by line while they come about. */
#pragma once

#include "api/server/exchange.h"

#include <microhttpd.h>

/* Give the body of a response to libmicrohttpd; it owns the body from here on. NULL when memory is exhausted. */
struct MHD_Response *send_hand_over(struct response *response);

/* Give it the headers of the response. False when memory is exhausted. */
bool send_add_headers(struct MHD_Response *sent, const struct response *response);

/* In a callback for the exchange's connection: queue its response. `event` is the one that brings about that it is sent
 * (SEND, or DECIDED_EARLY). Of a stream the lines follow as they are known. */
enum MHD_Result send_response(struct exchange *exchange, enum event event);
