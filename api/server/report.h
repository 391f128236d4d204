/* The end of a request: its metrics and its line in the log. */
#pragma once

#include "api/server/exchange.h"

#include <microhttpd.h>

/* libmicrohttpd has ended the request, and `code` is the reason that it gives: note the reason for the log. Count and
 * log the request, unless the queue has its job: then the time of all its turns is known when the job is released. */
void report_close(struct exchange *exchange, enum MHD_RequestTerminationCode code);

/* Count and log a request whose job the queue is about to release, in STATE_CLOSED. */
void report_request(const struct exchange *exchange);
