#include "api/server/meter.h"

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

uint64_t meter_longest(const struct meter *meter, uint64_t now) {
    uint64_t began = get(&meter->began), ended = longest_ended(meter, now);
    uint64_t lasts = began != 0 && now > began ? now - began : 0; /* it may have begun after `now` */
    return lasts > ended ? lasts : ended;
}
