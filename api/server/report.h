/* The end of a request: its metrics and its line in the log. */
#pragma once

#include "api/server/exchange.h"

#include <microhttpd.h>

/* libmicrohttpd has ended the request, and `code` is the reason that it gives: note the reason for the log. Count and
 * log the request, unless it is cut off and the queue has its job. */
void report_close(struct exchange *exchange, enum MHD_RequestTerminationCode code);

/* The queue is about to release the job, in STATE_CLOSED. Count and log a request that was cut off: now the time of all
 * its turns is known. */
void report_release(const struct exchange *exchange);
