/* The end of a request: what became of it, for the log and the metrics. */
#pragma once

#include "api/server/exchange.h"

#include <microhttpd.h>

/* A request has ended: count it, and log it. `code` says how libmicrohttpd has ended it. */
void request_end_record(struct exchange *exchange, enum MHD_RequestTerminationCode code);
