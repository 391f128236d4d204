/* Messages from any thread to the thread of a loop.
 *
 * Posting is a push on a list without locks (R. K. Treiber, "Systems programming: coping with parallelism", 1986, of
 * which only "take all" is needed, so that no element is taken while another one looks at it), and a write to an
 * eventfd when the list was empty. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

/* A message. The sender owns its memory, which lives until it is delivered. `deliver` is set before the first post; the
 * rest is zeroed. */
struct message {
    void (*deliver)(struct message *message); /* called by mailbox_deliver; may free the message */
    struct message *next;
    atomic_bool is_posted;
};

struct mailbox {
    _Atomic(struct message *) first; /* of the list of messages: the one that was posted last */
    int descriptor;                  /* can be read when there are messages */
};

/* False when descriptors are exhausted; then the mailbox must not be used. */
bool mailbox_init(struct mailbox *mailbox);

/* Nobody posts any more. Messages that were not delivered are forgotten. */
void mailbox_clear(struct mailbox *mailbox);

/* Post a message. One that is posted and not yet delivered is not posted twice. Any thread. */
void mailbox_post(struct mailbox *mailbox, struct message *message);

/* Are there messages that were not delivered? */
static inline bool mailbox_has_messages(const struct mailbox *mailbox) { return atomic_load(&mailbox->first) != NULL; }

/* Deliver what has been posted, in the order of the posts. From its `deliver` on a message may be posted again. */
void mailbox_deliver(struct mailbox *mailbox);
