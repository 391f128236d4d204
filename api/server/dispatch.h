/* Turns a complete request into a job, and has it solved: here on the loop if it is small, otherwise by the queue.
 *
 * All functions are called in a callback of libmicrohttpd for the connection, in STATE_BODY. */
#pragma once

#include "api/server/exchange.h"

#include <stdbool.h>

/* Make the job. False, with EVENT_ANSWERED, if it is refused: the queue is full, or memory is exhausted. */
bool dispatch_begin(struct exchange *exchange);

/* Try to do the whole job on this thread, within a small budget. If it is done: EVENT_ANSWERED, or EVENT_OPENED for a
 * stream. Otherwise false. */
bool dispatch_here(struct exchange *exchange);

/* Give the job to the queue: EVENT_PUSHED, and EVENT_OPENED for a stream that has begun here; or EVENT_ANSWERED if the
 * queue refuses it. on_finished follows when the queue has released the job. */
void dispatch_push(struct exchange *exchange);
