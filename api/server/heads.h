/* The head of a request, from libmicrohttpd to admission: its headers, its id, its client. For the I/O thread. */
#pragma once

#include "api/server/exchange.h"

/* A request line is read. What libmicrohttpd would choke on later is refused here: the stage is STAGE_REFUSED then. */
void heads_begin(struct exchange *exchange);

/* A head is decided on, or over; may be called again. */
void heads_end(struct exchange *exchange);

/* libmicrohttpd is about to answer a head by itself. Where the head is complete (a length that is no number, more
 * cookies than it has memory for) version 0.9 would send the head of its answer twice, and so this is answered here.
 * Called from its log. */
void heads_refuse_complete(struct http *http);

/* Decide on a head, and note what the log will tell of it. */
enum admit_action heads_decide(struct exchange *exchange, struct MHD_Connection *connection, const char *method,
                               const char *version);
