/* Messages from any thread to the thread of a loop.
 *
 * Posting is a push on a lock-free stack (R. K. Treiber, "Systems programming: coping with parallelism", 1986), and a
 * write to an eventfd if the stack was empty. The only other operation is "take all", so no element is removed while
 * another thread reads it. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

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
