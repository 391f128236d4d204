/* Turns a complete request into a job and has it solved: right here on the loop if it is small, and otherwise by the
 * queue.
 *
 * All functions must be called in STATE_BODY, from a libmicrohttpd callback for the connection. */
#pragma once

#include "api/server/exchange.h"

#include <stdbool.h>

/* Create the job. If it is refused because the queue is full or memory is exhausted, triggers EVENT_ANSWERED and
 * returns false. */
bool dispatch_begin(struct exchange *exchange);

/* Try to solve the whole job on this thread, within a small budget. If that succeeds, triggers EVENT_ANSWERED, or
 * EVENT_OPENED for a stream, and returns true. */
bool dispatch_here(struct exchange *exchange);

/* Hand the job to the queue. Triggers EVENT_PUSHED, plus EVENT_OPENED for a stream that has already begun here, or
 * EVENT_ANSWERED if the queue refuses the job. on_finished is called once the queue has released the job. */
void dispatch_push(struct exchange *exchange);
