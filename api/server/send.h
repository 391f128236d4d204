/* Sends answers: complete ones, and streams, which are read line by line while they are made. */
#pragma once

#include "api/server/exchange.h"

/* Give the response of an exchange to libmicrohttpd, in a callback for its connection. `event` is the one that this is:
 * EVENT_SEND or EVENT_ANSWERED_EARLY; if it fails, EVENT_CUT_OFF. The lines of a stream follow as they are made. */
void send_response(struct exchange *exchange, enum event event);

/* Write the response of an exchange to the socket past libmicrohttpd, as the last answer of its connection: to a head
 * that libmicrohttpd would answer wrongly, and in the middle of a body, where it cannot queue a response.
 * A reason that was given before is kept. EVENT_SENT; or EVENT_CUT_OFF if memory is exhausted or the kernel does not
 * take all of it, because it still holds earlier answers that the client has not read. */
void send_past(struct exchange *exchange, enum reason reason);

/* May this version of libmicrohttpd find the end of a chunked body at the wrong byte? 1.0.3 to 1.0.6 take what follows
 * an extension of the last chunk for the next request, also in their strict reading. 1.0.10 does not; what lies between
 * could not be tried. So the answer is yes for all from 1.0.0 to 1.0.9. It is decided by the text, because the number
 * in the headers of 1.0.4 is that of 1.0.3. */
bool send_misreads_chunks(const char *version);
