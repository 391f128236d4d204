/* Sends answers: complete ones, and streams, which are read line by line while they are made. */
#pragma once

#include "api/server/exchange.h"

/* Give the response of an exchange to libmicrohttpd, in a callback for its connection. `event` is the one that this is:
 * EVENT_SEND or EVENT_ANSWERED_EARLY; if it fails, EVENT_CUT_OFF. The lines of a stream follow as they are made. */
void send_response(struct exchange *exchange, enum event event);

/* Write the response of an exchange to the socket past libmicrohttpd, as the last answer of its connection: to a head
 * that libmicrohttpd would answer wrongly, and in the middle of a body, where it cannot queue a response.
 * EVENT_REFUSED; or EVENT_CUT_OFF if memory is exhausted or the kernel does not take all of it, because it still holds
 * earlier answers that the client has not read. */
void send_past(struct exchange *exchange, enum reason reason);
