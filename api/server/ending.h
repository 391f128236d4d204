/* The end of a request: what became of it, for the log and the metrics. For the I/O thread. */
#pragma once

#include "api/server/exchange.h"

/* Why a request has ended as it did. `code` is libmicrohttpd's, the deadline that of its connection, or NULL. */
enum reason ending_reason(const struct exchange *exchange, struct MHD_Connection *connection, struct deadline *deadline,
                          enum MHD_RequestTerminationCode code);

/* A request has ended: count it, and tell the log. */
void ending_note(const struct exchange *exchange, enum reason reason);
