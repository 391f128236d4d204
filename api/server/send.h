/* Sends answers: complete ones, and streams, whose lines are sent as they are computed. */
#pragma once

#include "api/server/exchange.h"

/* Hand the response of an exchange to libmicrohttpd, from a callback for its connection. Triggers `event`, which is
 * EVENT_SEND or EVENT_ANSWERED_EARLY, or EVENT_CUT_OFF on failure. The lines of a stream follow as they are
 * computed. */
void send_response(struct exchange *exchange, enum event event);

/* Write the response of an exchange directly to the socket, bypassing libmicrohttpd, as the last answer of its
 * connection: in reply to a head that libmicrohttpd would answer wrongly, or in the middle of a body, when it cannot
 * queue a response. An earlier reason is kept. Triggers EVENT_SENT, or EVENT_CUT_OFF if memory is exhausted or the
 * kernel does not accept all of it because it still holds earlier answers that the client has not read. */
void send_past(struct exchange *exchange, enum reason reason);

/* Might this version of libmicrohttpd find the end of a chunked body at the wrong byte? 1.0.3 to 1.0.6 read what
 * follows an extension of the last chunk as the next request, even in their strict mode. 1.0.10 does not; the versions
 * in between could not be tested. So this returns true from 1.0.0 to 1.0.9. It compares the version string, because the
 * headers of 1.0.4 carry the number of 1.0.3. */
bool send_misreads_chunks(const char *version);
