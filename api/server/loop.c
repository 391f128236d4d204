#include "api/server/loop.h"

#include "api/work/clock.h"
#include "base/owner.h"

#include <sys/eventfd.h>
#include <unistd.h>

/* ---- messages ---- */

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
    /* From here on, the message may already have been delivered and freed. */
    if (first == NULL)
        eventfd_write(mailbox->descriptor, 1);
}

void mailbox_deliver(struct mailbox *mailbox) {
    eventfd_t unused;
    /* Reset the eventfd before taking the list: a message posted after that writes to the eventfd again. */
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
        /* The atomic exchange ensures that `deliver` sees whatever was written before a post that found the message
         * already posted. */
        atomic_exchange(&first->is_posted, false);
        first->deliver(first);
        first = next;
    }
}

/* ---- the meter ---- */

enum { MINUTE = 60000000 /* microseconds */ };

static uint64_t get(const atomic_uint_fast64_t *value) { return atomic_load_explicit(value, memory_order_relaxed); }

static void set(atomic_uint_fast64_t *value, uint64_t to) { atomic_store_explicit(value, to, memory_order_relaxed); }

void meter_begin_round(struct meter *meter, uint64_t now) { set(&meter->began, now); }

void meter_end_round(struct meter *meter, uint64_t now) {
    uint64_t began = get(&meter->began), took = began != 0 ? now - began : 0, minute = now / MINUTE;
    set(&meter->began, 0);
    if (minute != get(&meter->minute)) {
        set(&meter->longest[1], minute == get(&meter->minute) + 1 ? get(&meter->longest[0]) : 0);
        set(&meter->longest[0], 0);
        set(&meter->minute, minute);
    }
    set(&meter->busy, get(&meter->busy) + took);
    if (took > get(&meter->longest[0]))
        set(&meter->longest[0], took);
}

uint64_t meter_busy(const struct meter *meter) { return get(&meter->busy); }

static uint64_t longest_ended(const struct meter *meter, uint64_t now) {
    uint64_t current = get(&meter->longest[0]), before = get(&meter->longest[1]), minute = get(&meter->minute);
    if (now / MINUTE > minute + 1)
        return 0;
    return current > before || now / MINUTE == minute + 1 ? current : before;
}

uint64_t meter_current(const struct meter *meter, uint64_t now) {
    uint64_t began = get(&meter->began);
    return began != 0 && now > began ? now - began : 0; /* another thread may have started the round after `now` */
}

uint64_t meter_longest(const struct meter *meter, uint64_t now) {
    uint64_t lasts = meter_current(meter, now), ended = longest_ended(meter, now);
    return lasts > ended ? lasts : ended;
}

/* ---- the loop ---- */

static void on_mail(struct event_source *source, uint32_t events) {
    (void)events;
    mailbox_deliver(&OWNER_OF(source, struct loop, mail)->mailbox);
}

bool loop_init(struct loop *loop) {
    *loop = (struct loop){.epoll = epoll_create1(EPOLL_CLOEXEC)};
    if (loop->epoll < 0)
        return false;
    if (mailbox_init(&loop->mailbox)) {
        loop->mail = (struct event_source){.descriptor = loop->mailbox.descriptor, .ready = on_mail};
        if (loop_watch(loop, &loop->mail, EPOLLIN))
            return true;
        mailbox_clear(&loop->mailbox);
    }
    close(loop->epoll);
    return false;
}

void loop_clear(struct loop *loop) {
    mailbox_clear(&loop->mailbox);
    close(loop->epoll);
}

bool loop_watch(struct loop *loop, struct event_source *source, uint32_t events) {
    struct epoll_event event = {.events = events, .data.ptr = source};
    return epoll_ctl(loop->epoll, EPOLL_CTL_ADD, source->descriptor, &event) == 0;
}

void loop_unwatch(struct loop *loop, struct event_source *source) {
    epoll_ctl(loop->epoll, EPOLL_CTL_DEL, source->descriptor, NULL);
    for (size_t e = loop->event; e < loop->event_count; e++)
        if (loop->events[e].data.ptr == source)
            loop->events[e].data.ptr = NULL;
}

void loop_set_timer(struct loop *loop, struct timer *timer, uint64_t pause) {
    loop_stop_timer(loop, timer);
    heap_add(&loop->timers, &timer->node, clock_now_ms() + pause, 0);
    timer->is_set = true;
}

void loop_stop_timer(struct loop *loop, struct timer *timer) {
    if (timer->is_set)
        heap_remove(&loop->timers, &timer->node);
    timer->is_set = false;
}

void loop_begin_round(struct loop *loop) { loop->now = clock_now_ms(); }

void loop_run_timers(struct loop *loop) {
    while (loop->timers.first != NULL && loop->timers.first->key <= loop->now) {
        struct timer *timer = OWNER_OF(loop->timers.first, struct timer, node);
        loop_stop_timer(loop, timer);
        timer->fire(timer);
    }
}

void loop_wait(struct loop *loop, uint64_t pause) {
    if (loop->timers.first != NULL) {
        uint64_t due = loop->timers.first->key, until_due = due > loop->now ? due - loop->now : 0;
        pause = until_due < pause ? until_due : pause;
    }
    bool has_more = pause == 0 || mailbox_has_messages(&loop->mailbox);
    int timeout = has_more ? 0 : clock_poll_timeout(loop->now, pause);
    meter_end_round(&loop->meter, clock_now_us());
    int count = epoll_wait(loop->epoll, loop->events, LOOP_EVENTS, timeout);
    meter_begin_round(&loop->meter, clock_now_us());
    loop->event_count = count > 0 ? (size_t)count : 0;
    for (loop->event = 0; loop->event < loop->event_count;) {
        struct epoll_event event = loop->events[loop->event++];
        struct event_source *source = event.data.ptr;
        if (source != NULL)
            source->ready(source, event.events);
    }
}
