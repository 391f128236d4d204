/* The end of a request: its metrics and its line in the log. */
#pragma once

#include "api/server/exchange.h"

#include <microhttpd.h>

/* libmicrohttpd has ended the request, with the reason `code`. Record the reason for the log, then count and log the
 * request, unless it was cut off while its job is still in the queue. */
void report_close(struct exchange *exchange, enum MHD_RequestTerminationCode code);

/* The queue is about to release the job, in STATE_CLOSED. Count and log a request that was cut off, now that the time
 * of all its turns is known. */
void report_release(const struct exchange *exchange);
