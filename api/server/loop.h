/* An event loop: one thread that waits for descriptors, timers and messages, and calls who is concerned.
 *
 *     loop_init
 *     while (...) {
 *         loop_run_timers(&loop);
 *         ... do what else is to be done in a round, which timers may have begun ...
 *         loop_wait(&loop, pause);              <- sources, and messages from other threads
 *     }
 *     loop_clear
 *
 * All functions belong to the thread of the loop, but for mailbox_post and the readers of the meter. */
#pragma once

#include "api/server/mailbox.h"
#include "api/server/meter.h"
#include "api/server/timer.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/epoll.h>

/* A descriptor that is waited for. The caller owns its memory. */
struct source {
    int descriptor;
    void (*ready)(struct source *source, uint32_t events); /* events of epoll(7) */
};

enum {
    LOOP_EVENTS = 64, /* at most these many are fetched at once */
    LOOP_MAX = 64,    /* loops that serve at once */
};

/* How much memory a case may be solved in on a loop that serves, bytes: more than the work that is done there can use.
 */
#define LOOP_WORKSPACE ((size_t)2 << 20)

struct loop {
    int epoll;
    struct timers timers;
    struct mailbox mailbox;
    struct source mail;
    struct meter meter;
    uint64_t now;                           /* when loop_run_timers was called last, milliseconds of the clock */
    struct epoll_event events[LOOP_EVENTS]; /* those of this wait ... */
    size_t event, event_count;              /* ... of which those from `event` on were not handled yet */
};

/* False when descriptors are exhausted; nothing needs to be cleared then. */
bool loop_init(struct loop *loop);
void loop_clear(struct loop *loop);

/* Wait for events of epoll(7) on a descriptor, too. False when the system has no memory for it. */
bool loop_watch(struct loop *loop, struct source *source, uint32_t events);

/* End this. `ready` is not called any more. */
void loop_unwatch(struct loop *loop, struct source *source);

/* Let a timer of the loop fire in `pause` milliseconds. */
void loop_set_timer(struct loop *loop, struct timer *timer, uint64_t pause);
void loop_stop_timer(struct loop *loop, struct timer *timer);

/* Fire the timers that are due. */
void loop_run_timers(struct loop *loop);

/* Wait for sources and messages, until the next timer is due and for at most `pause` milliseconds (0: only look at
 * them), and call those concerned. */
void loop_wait(struct loop *loop, uint64_t pause);
