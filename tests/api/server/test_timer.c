/* Timers of a loop with a clock controlled by the test, compared with a plain table after random steps. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "api/server/loop.h"
#include "api/work/clock.h"
#include "base/owner.h"
#include "reference/random.h"

enum { TIMERS = 200, STEPS = 300000, FARTHEST = 500 };

static struct world {
    struct loop loop;
    struct reference_random random;
    struct timed {
        struct timer timer;
        uint64_t due; /* 0 if it is not set */
        size_t fired;
    } all[TIMERS];
    uint64_t now, last_due;
    bool sets_others; /* a timer that fires sets and stops others */
} world;

static uint64_t asked_pause;

/* The loop calls these three. */
uint64_t clock_now_ms(void) { return world.now; }
uint64_t clock_now_us(void) { return 1000 * world.now; }
int clock_poll_timeout(uint64_t now, uint64_t pause) {
    assert_int_equal(now, world.now);
    asked_pause = pause;
    return 0;
}

static unsigned pick(unsigned bound) { return reference_random_below(&world.random, bound); }

static void set(struct timed *timed, uint64_t due) {
    uint64_t now = world.now, pause = due > now ? due - now : 0;
    world.now = due - pause; /* in the past if the timer is already due */
    loop_set_timer(&world.loop, &timed->timer, pause);
    world.now = now;
    timed->due = due;
}

static void stop(struct timed *timed) {
    loop_stop_timer(&world.loop, &timed->timer);
    timed->due = 0;
}

static void on_timer(struct timer *timer) {
    struct timed *timed = OWNER_OF(timer, struct timed, timer);
    assert_int_not_equal(timed->due, 0);
    assert_true(timed->due <= world.now);
    assert_true(timed->due >= world.last_due); /* earlier timers fire first */
    for (size_t t = 0; t < TIMERS; t++)
        assert_true(world.all[t].due == 0 || world.all[t].due >= timed->due);
    world.last_due = timed->due;
    timed->due = 0;
    timed->fired++;
    assert_false(timer->is_set);
    if (!world.sets_others)
        return;
    set(&world.all[pick(TIMERS)], world.now + 1 + pick(FARTHEST));
    stop(&world.all[pick(TIMERS)]);
}

static void begin(bool sets_others) {
    world = (struct world){.now = 1000, .sets_others = sets_others};
    world.random.state = 25;
    assert_true(loop_init(&world.loop));
    for (size_t t = 0; t < TIMERS; t++)
        world.all[t].timer.fire = on_timer;
}

/* Run the timers, and compare with the table: no timer that is due may be left, and the pause must last until the next
 * one is due. */
static void run(void) {
    uint64_t next = UINT64_MAX;
    world.last_due = 0;
    loop_begin_round(&world.loop);
    loop_run_timers(&world.loop);
    loop_wait(&world.loop, UINT64_MAX);
    for (size_t t = 0; t < TIMERS; t++) {
        struct timed *timed = &world.all[t];
        assert_int_equal(timed->timer.is_set, timed->due != 0);
        assert_true(timed->due == 0 || timed->due > world.now);
        if (timed->due != 0 && timed->due < next)
            next = timed->due;
    }
    assert_int_equal(asked_pause, next == UINT64_MAX ? UINT64_MAX : next - world.now);
}

static void walk(bool sets_others) {
    size_t fired = 0;
    begin(sets_others);
    for (size_t step = 0; step < STEPS; step++) {
        struct timed *timed = &world.all[pick(TIMERS)];
        switch (pick(8)) {
        case 0:
            stop(timed);
            break;
        case 1:
            world.now += pick(20);
            run();
            break;
        case 2: /* includes timers that are already due, and many that are due at the same time */
            set(timed, world.now - pick(3));
            break;
        default:
            set(timed, world.now + pick(FARTHEST));
        }
    }
    world.sets_others = false;
    world.now += 2 * FARTHEST;
    run();
    for (size_t t = 0; t < TIMERS; t++)
        fired += world.all[t].fired;
    assert_true(fired > STEPS / 100);
    assert_null(world.loop.timers.first);
    loop_clear(&world.loop);
}

static void each_timer_fires_when_it_is_due(void **state) {
    (void)state;
    walk(false);
}

static void a_timer_that_fires_sets_and_stops_others(void **state) {
    (void)state;
    walk(true);
}

static void a_timer_that_is_set_again_fires_once(void **state) {
    (void)state;
    begin(false);
    set(&world.all[0], 1100);
    set(&world.all[0], 1050);
    set(&world.all[0], 1200);
    world.now = 1199;
    run();
    assert_int_equal(world.all[0].fired, 0);
    world.now = 1200;
    run();
    run();
    assert_int_equal(world.all[0].fired, 1);
    loop_clear(&world.loop);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_timer_fires_when_it_is_due),
        cmocka_unit_test(a_timer_that_fires_sets_and_stops_others),
        cmocka_unit_test(a_timer_that_is_set_again_fires_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
