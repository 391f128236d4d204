/* The end of a request: its metrics and its line in the log. */
#pragma once

#include "api/server/exchange.h"

#include <microhttpd.h>

/* Count and log a request that has ended. `code` is the reason that libmicrohttpd gives. */
void report_request(struct exchange *exchange, enum MHD_RequestTerminationCode code);
