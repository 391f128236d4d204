/* A loop that serves HTTP: libmicrohttpd runs in it, as one of its sources.
 *
 *     round:  timers that are due  ->  MHD_run  ->  wait for sources, and for messages of other threads
 */
#pragma once

#include "api/server/http_loop.h"

/* Begin a loop. It posts messages to `reports`: the phase's `reached` when it is in a phase that it was told, and
 * `idle` whenever, on its way to the end, it has nothing in flight; the caller sets their `deliver`. False, with
 * nothing left, when memory or descriptors are exhausted. */
bool daemon_init(struct http_loop *loop, struct http_shared *shared, unsigned number, struct mailbox *reports);

/* The loop has ended, or never ran. */
void daemon_clear(struct http_loop *loop);

/* Serve on this thread until PHASE_END or PHASE_ABORT has come about. */
void daemon_run(struct http_loop *loop);

/* Bring a loop to a phase: each at most once, and none that comes before one that was told. Any thread. */
void daemon_enter_phase(struct http_loop *loop, enum phase phase);
