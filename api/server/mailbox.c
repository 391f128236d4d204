#include "api/server/mailbox.h"

#include <sys/eventfd.h>
#include <unistd.h>

bool mailbox_init(struct mailbox *mailbox) {
    atomic_init(&mailbox->first, NULL);
    mailbox->descriptor = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    return mailbox->descriptor >= 0;
}

void mailbox_clear(struct mailbox *mailbox) { close(mailbox->descriptor); }

void mailbox_post(struct mailbox *mailbox, struct message *message) {
    if (atomic_exchange(&message->is_posted, true))
        return;
    struct message *first = atomic_load(&mailbox->first);
    do
        message->next = first;
    while (!atomic_compare_exchange_weak(&mailbox->first, &first, message));
    /* From here on the message may be delivered and freed. */
    if (first == NULL)
        eventfd_write(mailbox->descriptor, 1);
}

void mailbox_deliver(struct mailbox *mailbox) {
    eventfd_t unused;
    /* The order matters: a message that is posted after the list was taken writes to the eventfd again. */
    eventfd_read(mailbox->descriptor, &unused);
    struct message *message = atomic_exchange(&mailbox->first, NULL), *first = NULL;
    while (message != NULL) {
        struct message *next = message->next;
        message->next = first;
        first = message;
        message = next;
    }
    while (first != NULL) {
        struct message *next = first->next;
        /* An exchange, so that `deliver` sees what was written before a post that found the message posted already. */
        atomic_exchange(&first->is_posted, false);
        first->deliver(first);
        first = next;
    }
}
