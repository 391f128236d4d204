/* Sends answers: complete ones, and streams, which are read line by line while they are made. */
#pragma once

#include "api/server/exchange.h"

#include <microhttpd.h>

/* Make the response of libmicrohttpd, which owns the body from here on. NULL when memory is exhausted. */
struct MHD_Response *send_make_response(struct response *response);

/* Add the headers of the response. False when memory is exhausted. */
bool send_add_headers(struct MHD_Response *sent, const struct response *response);

/* Queue the response of an exchange, in a callback for its connection. `event` is the one that starts sending: SEND or
 * DECIDED_EARLY. The lines of a stream follow as they are made. */
enum MHD_Result send_response(struct exchange *exchange, enum event event);
