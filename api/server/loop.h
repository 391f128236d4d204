/* An event loop: one thread that waits for descriptors, timers and messages, and calls their functions.
 *
 *     loop_init
 *     while (...) {
 *         loop_begin_round(&loop);
 *         ... other work of the round ...
 *         loop_run_timers(&loop);
 *         loop_wait(&loop, pause);              <- sources, and messages from other threads
 *     }
 *     loop_clear
 *
 * Call all functions on the loop's thread, except mailbox_post and the functions that read the meter. */
#pragma once

#include "api/work/heap.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/epoll.h>

/* ---- messages from any thread to the thread of a loop ---- */

/* Posting pushes onto a lock-free stack (R. K. Treiber, "Systems programming: coping with parallelism", 1986) and
 * writes to an eventfd if the stack was empty. The only other operation takes all messages, so no element is ever
 * removed while another thread reads it. */

/* A message. The sender owns its memory, which must stay valid until delivery. Set `deliver` before the first post; the
 * rest must be zeroed. */
struct message {
    void (*deliver)(struct message *message); /* called by mailbox_deliver; may free the message */
    struct message *next;
    atomic_bool is_posted;
};

struct mailbox {
    _Atomic(struct message *) first; /* the message posted last, head of the list */
    int descriptor;                  /* readable when there are messages */
};

/* Initialise a mailbox. Returns false when out of descriptors; the mailbox must not be used then. */
bool mailbox_init(struct mailbox *mailbox);

/* Free a mailbox that no thread posts to any longer. Undelivered messages are dropped. */
void mailbox_clear(struct mailbox *mailbox);

/* Post a message. Does nothing if it is already posted and not yet delivered. Can be called from any thread. */
void mailbox_post(struct mailbox *mailbox, struct message *message);

/* Are there undelivered messages? */
static inline bool mailbox_has_messages(const struct mailbox *mailbox) { return atomic_load(&mailbox->first) != NULL; }

/* Deliver the messages in the order in which they were posted. Once its `deliver` has been called, a message may be
 * posted again. */
void mailbox_deliver(struct mailbox *mailbox);

/* ---- the meter ---- */

/* How busy a loop is, for the metrics. Written by the loop's thread, read by any thread. Zeroed before the first
 * measurement. All times are in microseconds. */
struct meter {
    atomic_uint_fast64_t busy;       /* the sum of all rounds */
    atomic_uint_fast64_t longest[2]; /* the longest round of the current minute, and of the one before */
    atomic_uint_fast64_t minute;     /* the minute of the last round, counted from an arbitrary start */
    atomic_uint_fast64_t began;      /* when the current round began; 0 while the loop waits */
};

/* A round begins at `now`: the loop has stopped waiting. */
void meter_begin_round(struct meter *meter, uint64_t now);

/* A round ends at `now`: the loop is about to wait. */
void meter_end_round(struct meter *meter, uint64_t now);

/* Get the sum of the lengths of all rounds. */
uint64_t meter_busy(const struct meter *meter);

/* Get the length of the current round up to `now`; 0 while the loop waits. */
uint64_t meter_current(const struct meter *meter, uint64_t now);

/* Get the length of the longest round in the last one to two minutes before `now`, which is how long a source may have
 * waited. The current round counts with its length so far, so that a hanging loop is noticed. */
uint64_t meter_longest(const struct meter *meter, uint64_t now);

/* ---- the loop ---- */

/* A descriptor that the loop waits for. The caller owns its memory. */
struct event_source {
    int descriptor;
    void (*ready)(struct event_source *source, uint32_t events); /* events as in epoll(7) */
};

/* A function to call at a given time. The caller owns the memory and sets `fire` before using the timer; the rest must
 * be zeroed. */
struct timer {
    void (*fire)(struct timer *timer); /* may set and stop any timer, and may free this one, which is no longer set */
    struct heap_node node;
    bool is_set;
};

/* When a timer that is set is due, in milliseconds of clock_now_ms. */
static inline uint64_t timer_due(const struct timer *timer) { return timer->node.key; }

enum {
    LOOP_EVENTS = 64, /* events fetched in one call */
    LOOP_MAX = 64,    /* maximum number of loops */
};

/* Bytes of the workspace in which a serving loop solves cases. The loop's work budget is too small to use more. */
#define LOOP_WORKSPACE ((size_t)2 << 20)

struct loop {
    int epoll;
    struct heap timers; /* the timers that are set, by due time in milliseconds */
    struct mailbox mailbox;
    struct event_source mail;
    struct meter meter;
    uint64_t now;                           /* milliseconds: when the round began */
    struct epoll_event events[LOOP_EVENTS]; /* the events of this wait */
    size_t event, event_count;              /* those from `event` on have not been handled yet */
};

/* Initialise a loop. Returns false when out of descriptors; there is nothing to clear then. */
bool loop_init(struct loop *loop);
void loop_clear(struct loop *loop);

/* Start waiting for a descriptor, with events as in epoll(7). Returns false when out of memory. */
bool loop_watch(struct loop *loop, struct event_source *source, uint32_t events);

/* Stop waiting for a descriptor. Its `ready` is no longer called. */
void loop_unwatch(struct loop *loop, struct event_source *source);

/* Set a timer to fire in `pause` milliseconds. Replaces an earlier setting. */
void loop_set_timer(struct loop *loop, struct timer *timer, uint64_t pause);

/* Stop a timer. Does nothing if it is not set. */
void loop_stop_timer(struct loop *loop, struct timer *timer);

/* Read the time of this round. A source that is read between this call and loop_run_timers is read before its deadline
 * is checked. */
void loop_begin_round(struct loop *loop);

/* Fire the timers that were due when the round began, the earliest first. */
void loop_run_timers(struct loop *loop);

/* Wait for sources and messages until the next timer is due, for at most `pause` milliseconds (0: do not wait). Then
 * call the functions of the sources that are ready, and deliver the messages. */
void loop_wait(struct loop *loop, uint64_t pause);
