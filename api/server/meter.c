#include "api/server/meter.h"

enum { MINUTE = 60000000 /* microseconds */ };

static uint64_t get(const atomic_uint_fast64_t *value) { return atomic_load_explicit(value, memory_order_relaxed); }

static void set(atomic_uint_fast64_t *value, uint64_t to) { atomic_store_explicit(value, to, memory_order_relaxed); }

void meter_begin_round(struct meter *meter, uint64_t now) { meter->began = now; }

void meter_end_round(struct meter *meter, uint64_t now) {
    uint64_t took = meter->began != 0 ? now - meter->began : 0, minute = now / MINUTE;
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

uint64_t meter_longest(const struct meter *meter, uint64_t now) {
    uint64_t current = get(&meter->longest[0]), before = get(&meter->longest[1]), minute = get(&meter->minute);
    if (now / MINUTE > minute + 1)
        return 0;
    return current > before || now / MINUTE == minute + 1 ? current : before;
}
