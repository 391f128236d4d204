#include "api/server/loop.h"

#include "api/work/clock.h"
#include "base/assert.h"
#include "base/owner.h"

#include <unistd.h>

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
    timer_set(&loop->timers, timer, clock_now_ms() + pause);
}

void loop_stop_timer(struct loop *loop, struct timer *timer) { timer_stop(&loop->timers, timer); }

void loop_run_timers(struct loop *loop) {
    loop->now = clock_now_ms();
    timers_run(&loop->timers, loop->now);
}

void loop_wait(struct loop *loop, uint64_t pause) {
    uint64_t due = timers_pause(&loop->timers, loop->now);
    pause = due < pause ? due : pause;
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
