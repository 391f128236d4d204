/* Turns a complete request into a job. A small job is solved on the loop; any other goes to the queue. */
#pragma once

#include "api/server/exchange.h"

#include <microhttpd.h>

/* Details of problems that several files use. */
extern const char dispatch_queue_full[], dispatch_no_memory[];

/* The body is complete (STATE_BODY): solve the job here, push it to the queue, or refuse it. Unless there is a response
 * now, the state is SOLVE, and the connection must be suspended when libmicrohttpd asks again: on_request in
 * request.c. Called in a callback of libmicrohttpd for the connection. */
enum MHD_Result dispatch_job(struct exchange *exchange);
