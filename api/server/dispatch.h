/* A complete request becomes a job: a small one is solved on the loop, any other goes to the queue. */
#pragma once

#include "api/server/exchange.h"

#include <microhttpd.h>

/* The details of problems that several files answer with. */
extern const char dispatch_queue_is_full[], dispatch_no_memory[];

/* The body is complete, in STATE_BODY: solve it here, or push it, in which case its connection is suspended, or refuse
 * it. In a callback for the connection. */
enum MHD_Result dispatch_job(struct exchange *exchange);
