/* A loop that serves HTTP: libmicrohttpd runs in it, as one of its sources.
 *
 *     round:  MHD_run  ->  timers that are due  ->  wait for sources, and for messages of other threads
 */
#pragma once

#include "api/server/http_loop.h"

/* Initialise a loop. It posts messages to `reports`: the phase's `reached` when it has entered a phase, and `idle`
 * whenever it is shutting down and has nothing in flight. The caller sets their `deliver`. False when memory or
 * descriptors are exhausted; then nothing is left to clear. */
bool daemon_init(struct http_loop *loop, struct http_shared *shared, unsigned number, struct mailbox *reports);

/* Free what the loop owns. It has ended, or never ran. */
void daemon_clear(struct http_loop *loop);

/* Serve on this thread until the loop has completed PHASE_END or PHASE_ABORT. */
void daemon_run(struct http_loop *loop);

/* Ask a loop to enter a phase. Each phase is entered at most once, in the order of the enum. Any thread. */
void daemon_enter_phase(struct http_loop *loop, enum phase phase);
