/* An event loop with a clock controlled by the test: descriptors, timers and messages, and how busy the loop is. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "api/server/loop.h"
#include "api/work/clock.h"
#include "base/owner.h"

#include <pthread.h>
#include <sys/eventfd.h>
#include <unistd.h>

enum { SOURCES = 20, MINUTE = 60000000 };

static uint64_t milliseconds, microseconds;
static int asked_timeout; /* in milliseconds, as passed to clock_poll_timeout; -1 if it was not called */

/* The loop calls these three. */
uint64_t clock_now_ms(void) { return milliseconds; }
uint64_t clock_now_us(void) { return microseconds; }
int clock_poll_timeout(uint64_t now, uint64_t pause) {
    assert_int_equal(now, milliseconds);
    asked_timeout = pause < 1000000 ? (int)pause : 1000000;
    return 60000; /* long enough for any event to arrive */
}

static struct world {
    struct loop loop;
    struct watched {
        struct event_source source;
        size_t ready;
        uint32_t events;
    } sources[SOURCES];
    struct timer timer;
    size_t fired;
    struct message message;
    size_t delivered;
    bool unwatches_others;
} world;

static void on_ready(struct event_source *source, uint32_t events) {
    struct watched *watched = OWNER_OF(source, struct watched, source);
    watched->ready++;
    watched->events = events;
    for (size_t s = 0; world.unwatches_others && s < SOURCES; s++)
        if (&world.sources[s] != watched)
            loop_unwatch(&world.loop, &world.sources[s].source);
}

static void on_timer(struct timer *timer) {
    (void)timer;
    world.fired++;
}

static void on_message(struct message *message) {
    (void)message;
    world.delivered++;
}

static void begin(void) {
    world = (struct world){.timer = {.fire = on_timer}, .message = {.deliver = on_message}};
    milliseconds = 5000;
    microseconds = MINUTE;
    asked_timeout = -1;
    assert_true(loop_init(&world.loop));
    for (size_t s = 0; s < SOURCES; s++) {
        world.sources[s].source = (struct event_source){.descriptor = eventfd(0, EFD_NONBLOCK), .ready = on_ready};
        assert_true(loop_watch(&world.loop, &world.sources[s].source, EPOLLIN));
    }
    loop_begin_round(&world.loop);
    loop_run_timers(&world.loop);
}

static void end(void) {
    for (size_t s = 0; s < SOURCES; s++)
        close(world.sources[s].source.descriptor);
    loop_clear(&world.loop);
}

static void a_source_that_is_ready_is_called(void **state) {
    (void)state;
    begin();
    loop_wait(&world.loop, 0);
    eventfd_write(world.sources[3].source.descriptor, 1);
    loop_wait(&world.loop, UINT64_MAX);
    for (size_t s = 0; s < SOURCES; s++)
        assert_int_equal(world.sources[s].ready, s == 3);
    assert_int_equal(world.sources[3].events, EPOLLIN);
    loop_unwatch(&world.loop, &world.sources[3].source);
    loop_wait(&world.loop, 0);
    assert_int_equal(world.sources[3].ready, 1);
    end();
}

static void a_source_that_another_one_unwatches_is_not_called(void **state) {
    (void)state;
    begin();
    world.unwatches_others = true;
    for (size_t s = 0; s < SOURCES; s++)
        eventfd_write(world.sources[s].source.descriptor, 1);
    loop_wait(&world.loop, 0); /* a single wait finds all of them ready */
    size_t ready = 0;
    for (size_t s = 0; s < SOURCES; s++)
        ready += world.sources[s].ready;
    assert_int_equal(ready, 1);
    end();
}

static void timers_fire_by_the_clock(void **state) {
    (void)state;
    begin();
    loop_set_timer(&world.loop, &world.timer, 100);
    milliseconds += 99;
    loop_begin_round(&world.loop);
    loop_run_timers(&world.loop);
    assert_int_equal(world.fired, 0);
    milliseconds++;
    loop_begin_round(&world.loop);
    loop_run_timers(&world.loop);
    assert_int_equal(world.fired, 1);
    loop_set_timer(&world.loop, &world.timer, 1);
    loop_stop_timer(&world.loop, &world.timer);
    milliseconds++;
    loop_begin_round(&world.loop);
    loop_run_timers(&world.loop);
    assert_int_equal(world.fired, 1);
    end();
}

/* The process can be suspended after the sources are read. Timers that come due meanwhile fire only after the sources
 * have been read again, because data may have arrived in time. */
static void a_timer_that_comes_due_within_a_round_fires_in_the_next(void **state) {
    (void)state;
    begin();
    loop_set_timer(&world.loop, &world.timer, 100);
    loop_begin_round(&world.loop);
    milliseconds += 500;
    loop_run_timers(&world.loop);
    assert_int_equal(world.fired, 0);
    loop_begin_round(&world.loop);
    loop_run_timers(&world.loop);
    assert_int_equal(world.fired, 1);
    end();
}

static void a_wait_ends_when_a_timer_is_due(void **state) {
    (void)state;
    begin();
    eventfd_write(world.sources[0].source.descriptor, 1); /* makes the wait end immediately */
    loop_set_timer(&world.loop, &world.timer, 100);
    loop_wait(&world.loop, UINT64_MAX);
    assert_int_equal(asked_timeout, 100);
    loop_wait(&world.loop, 30);
    assert_int_equal(asked_timeout, 30);
    milliseconds += 40;
    loop_begin_round(&world.loop);
    loop_run_timers(&world.loop);
    loop_wait(&world.loop, UINT64_MAX);
    assert_int_equal(asked_timeout, 60);
    asked_timeout = -1;
    loop_set_timer(&world.loop, &world.timer, 0); /* already due, so the loop must not sleep */
    loop_wait(&world.loop, UINT64_MAX);
    assert_int_equal(asked_timeout, -1);
    end();
}

static void *post(void *argument) {
    mailbox_post(&world.loop.mailbox, argument);
    return NULL;
}

static void a_message_ends_the_wait(void **state) {
    pthread_t thread;
    (void)state;
    begin();
    assert_int_equal(pthread_create(&thread, NULL, post, &world.message), 0);
    while (world.delivered == 0) /* the message can arrive before the wait or during it */
        loop_wait(&world.loop, 1000);
    pthread_join(thread, NULL);
    assert_int_equal(world.delivered, 1);
    end();
}

static void waiting_with_work_to_do_returns_at_once(void **state) {
    (void)state;
    begin();
    loop_wait(&world.loop, 0);
    assert_int_equal(asked_timeout, -1);
    mailbox_post(&world.loop.mailbox, &world.message);
    loop_wait(&world.loop, 1000);
    assert_int_equal(asked_timeout, -1);
    assert_int_equal(world.delivered, 1);
    eventfd_write(world.sources[0].source.descriptor, 1);
    loop_wait(&world.loop, 1000);
    assert_int_equal(asked_timeout, 1000);
    end();
}

static void rounds_are_measured(void **state) {
    struct meter meter = {0};
    uint64_t now = 10 * (uint64_t)MINUTE;
    (void)state;
    meter_end_round(&meter, now); /* ends a round that never began */
    assert_int_equal(meter_busy(&meter), 0);
    meter_begin_round(&meter, now);
    meter_end_round(&meter, now + 30);
    meter_begin_round(&meter, now + 500);
    meter_end_round(&meter, now + 520);
    assert_int_equal(meter_busy(&meter), 50);
    assert_int_equal(meter_longest(&meter, now + 520), 30);
    now += MINUTE;
    assert_int_equal(meter_longest(&meter, now), 30); /* no round has ended since */
    meter_begin_round(&meter, now);
    meter_end_round(&meter, now + 7);
    assert_int_equal(meter_longest(&meter, now + 7), 30); /* the previous minute counts, too */
    now += MINUTE;
    meter_begin_round(&meter, now);
    meter_end_round(&meter, now + 5);
    assert_int_equal(meter_longest(&meter, now + 5), 7);
    assert_int_equal(meter_longest(&meter, now + MINUTE), 5);
    assert_int_equal(meter_longest(&meter, now + 2 * (uint64_t)MINUTE), 0);
    now += 5 * (uint64_t)MINUTE; /* several minutes without a round */
    meter_begin_round(&meter, now);
    meter_end_round(&meter, now + 1);
    assert_int_equal(meter_longest(&meter, now + 1), 1);
    assert_int_equal(meter_busy(&meter), 63);
    /* A round that has not ended counts with its duration so far; a wait does not count. */
    assert_int_equal(meter_longest(&meter, now + 5 * (uint64_t)MINUTE), 0);
    meter_begin_round(&meter, now + 10);
    assert_int_equal(meter_longest(&meter, now + 9), 1);
    assert_int_equal(meter_longest(&meter, now + 10), 1);
    assert_int_equal(meter_longest(&meter, now + 18), 8);
    assert_int_equal(meter_longest(&meter, now + 5 * (uint64_t)MINUTE), 5 * (uint64_t)MINUTE - 10);
    meter_end_round(&meter, now + 20);
    assert_int_equal(meter_longest(&meter, now + 5 * (uint64_t)MINUTE), 0);
    assert_int_equal(meter_longest(&meter, now + 20), 10);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_source_that_is_ready_is_called),
        cmocka_unit_test(a_source_that_another_one_unwatches_is_not_called),
        cmocka_unit_test(timers_fire_by_the_clock),
        cmocka_unit_test(a_timer_that_comes_due_within_a_round_fires_in_the_next),
        cmocka_unit_test(a_wait_ends_when_a_timer_is_due),
        cmocka_unit_test(a_message_ends_the_wait),
        cmocka_unit_test(waiting_with_work_to_do_returns_at_once),
        cmocka_unit_test(rounds_are_measured),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
