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
 * All functions belong to the thread of the loop, except mailbox_post and the functions that read the meter. */
#pragma once

#include "api/work/heap.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/epoll.h>

/* ---- messages from any thread to the thread of a loop ---- */

/* Posting is a push on a lock-free stack (R. K. Treiber, "Systems programming: coping with parallelism", 1986), and a
 * write to an eventfd if the stack was empty. The only other operation is "take all", so no element is removed while
 * another thread reads it. */

/* A message. The sender owns its memory, which must live until the message is delivered. `deliver` is set before the
 * first post; the rest is zeroed. */
struct message {
    void (*deliver)(struct message *message); /* called by mailbox_deliver; may free the message */
    struct message *next;
    atomic_bool is_posted;
};

struct mailbox {
    _Atomic(struct message *) first; /* the message that was posted last, head of the list */
    int descriptor;                  /* readable when there are messages */
};

/* Initialise a mailbox. False when descriptors are exhausted; then the mailbox must not be used. */
bool mailbox_init(struct mailbox *mailbox);

/* Free it. No thread posts any more. Messages that were not delivered are dropped. */
void mailbox_clear(struct mailbox *mailbox);

/* Post a message. If it is posted and not yet delivered, nothing happens. Any thread. */
void mailbox_post(struct mailbox *mailbox, struct message *message);

/* Are there messages that are not delivered yet? */
static inline bool mailbox_has_messages(const struct mailbox *mailbox) { return atomic_load(&mailbox->first) != NULL; }

/* Deliver the messages, in the order of the posts. A message may be posted again from its `deliver` on. */
void mailbox_deliver(struct mailbox *mailbox);

/* ---- the meter ---- */

/* How busy a loop is, for the metrics. The loop's thread writes; any thread may read. Zeroed: nothing was measured. All
 * times are in microseconds. */
struct meter {
    atomic_uint_fast64_t busy;       /* the sum of all rounds */
    atomic_uint_fast64_t longest[2]; /* the longest round of the current minute, and of the one before */
    atomic_uint_fast64_t minute;     /* the number of the minute of the last round; minutes are counted from any
                                      * beginning */
    atomic_uint_fast64_t began;      /* when the current round began; 0: the loop waits */
};

/* A round begins at `now`: the loop has stopped waiting. */
void meter_begin_round(struct meter *meter, uint64_t now);

/* A round ends at `now`: the loop is about to wait. */
void meter_end_round(struct meter *meter, uint64_t now);

/* Get the sum of the lengths of all rounds. */
uint64_t meter_busy(const struct meter *meter);

/* Get the length of the current round until `now`; 0 while the loop waits. */
uint64_t meter_current(const struct meter *meter, uint64_t now);

/* Get the length of the longest round in the one to two minutes before `now`. A source may have waited as long. The
 * current round counts with the time since it began, so that a loop that hangs is seen. */
uint64_t meter_longest(const struct meter *meter, uint64_t now);

/* ---- the loop ---- */

/* A descriptor that the loop waits for. The caller owns its memory. */
struct event_source {
    int descriptor;
    void (*ready)(struct event_source *source, uint32_t events); /* events of epoll(7) */
};

/* A function that is called at a given time. The caller owns its memory, and sets `fire` before it uses the timer; the
 * rest is zeroed. */
struct timer {
    void (*fire)(struct timer *timer); /* may set and stop any timer, and free this one, which is no longer set */
    struct heap_node node;
    bool is_set;
};

/* When a timer that is set is due, in milliseconds of clock_now_ms. */
static inline uint64_t timer_due(const struct timer *timer) { return timer->node.key; }

enum {
    LOOP_EVENTS = 64, /* events that are fetched at once */
    LOOP_MAX = 64,    /* the most loops */
};

/* Bytes: the workspace of a serving loop, in which cases are solved. The budget of work there cannot use as much. */
#define LOOP_WORKSPACE ((size_t)2 << 20)

struct loop {
    int epoll;
    struct heap timers; /* those that are set, by the milliseconds when they are due */
    struct mailbox mailbox;
    struct event_source mail;
    struct meter meter;
    uint64_t now;                           /* milliseconds: when the round began */
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

/* Let a timer of the loop fire after `pause` milliseconds. A time that was set before is replaced. */
void loop_set_timer(struct loop *loop, struct timer *timer, uint64_t pause);

/* Stop a timer. Nothing happens if it is not set. */
void loop_stop_timer(struct loop *loop, struct timer *timer);

/* Take the time of this round. Sources that are read between this and loop_run_timers are read before they are late. */
void loop_begin_round(struct loop *loop);

/* Fire the timers that were due when the round began, the earliest first. */
void loop_run_timers(struct loop *loop);

/* Wait for sources and messages until the next timer is due, and for at most `pause` milliseconds (0: do not wait).
 * Then call the functions of the sources that are ready, and deliver the messages. */
void loop_wait(struct loop *loop, uint64_t pause);
