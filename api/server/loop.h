/* An event loop: one thread that waits for descriptors, timers and messages, and calls their functions.
 *
 *     loop_init
 *     while (...) {
 *         ... other work of the round ...
 *         loop_run_timers(&loop);
 *         loop_wait(&loop, pause);              <- sources, and messages from other threads
 *     }
 *     loop_clear
 *
 * All functions belong to the thread of the loop, except mailbox_post and the functions that read the meter. */
#pragma once

#include "api/server/mailbox.h"
#include "api/server/meter.h"
#include "api/server/timer.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/epoll.h>

/* A descriptor that the loop waits for. The caller owns its memory. */
struct event_source {
    int descriptor;
    void (*ready)(struct event_source *source, uint32_t events); /* events of epoll(7) */
};

enum {
    LOOP_EVENTS = 64, /* events that are fetched at once */
    LOOP_MAX = 64,    /* the most loops */
};

/* Bytes: the workspace of a serving loop, in which cases are solved. The budget of work there cannot use as much. */
#define LOOP_WORKSPACE ((size_t)2 << 20)

struct loop {
    int epoll;
    struct timers timers;
    struct mailbox mailbox;
    struct event_source mail;
    struct meter meter;
    uint64_t now;                           /* milliseconds: the time of the last call of loop_run_timers */
    struct epoll_event events[LOOP_EVENTS]; /* the events of this wait ... */
    size_t event, event_count;              /* ... those from `event` on are not handled yet */
};

/* Initialise a loop. False when descriptors are exhausted; then nothing needs to be cleared. */
bool loop_init(struct loop *loop);
void loop_clear(struct loop *loop);

/* Add a descriptor to wait for, with the events of epoll(7). False when the system has no memory for it. */
bool loop_watch(struct loop *loop, struct event_source *source, uint32_t events);

/* Stop waiting for it. `ready` is not called any more. */
void loop_unwatch(struct loop *loop, struct event_source *source);

/* Let a timer of the loop fire after `pause` milliseconds. */
void loop_set_timer(struct loop *loop, struct timer *timer, uint64_t pause);
void loop_stop_timer(struct loop *loop, struct timer *timer);

/* Fire the timers that are due. */
void loop_run_timers(struct loop *loop);

/* Wait for sources and messages until the next timer is due, and for at most `pause` milliseconds (0: do not wait).
 * Then call the functions of the sources that are ready, and deliver the messages. */
void loop_wait(struct loop *loop, uint64_t pause);
