/* Counters and flags that all threads share: for metrics, for shutting down, and for events that are logged once. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef atomic_uint_fast64_t gauge;

struct gauges {
    gauge in_flight;           /* requests with a complete head that have not ended */
    gauge streams;             /* streams that are being sent */
    gauge connections;         /* open connections */
    gauge connections_refused; /* since the start, because their client had too many */
    gauge states;              /* states that searches on loops have visited since the start */
    gauge unready;             /* 1: the service is about to shut down */
    gauge untrusted_proxy;     /* 1: the log has reported a proxy that is not trusted */
    gauge room_made;           /* milliseconds: when an answer was last cut off to free memory */
};

static inline void gauge_add(gauge *value, uint64_t more) {
    atomic_fetch_add_explicit(value, more, memory_order_relaxed);
}

static inline void gauge_subtract(gauge *value, uint64_t less) {
    atomic_fetch_sub_explicit(value, less, memory_order_relaxed);
}

/* Set a gauge to 1. Returns true if it was 0. */
static inline bool gauge_set_first(gauge *value) {
    return atomic_exchange_explicit(value, 1, memory_order_relaxed) == 0;
}

/* Replace a time by `now`. False, and nothing is changed, if less than `pause` has passed since that time, or another
 * thread was faster, which may have read a later time. */
static inline bool gauge_claim_time(gauge *value, uint64_t now, uint64_t pause) {
    uint_fast64_t last = atomic_load_explicit(value, memory_order_relaxed);
    return now >= last + pause &&
           atomic_compare_exchange_strong_explicit(value, &last, now, memory_order_relaxed, memory_order_relaxed);
}

static inline uint64_t gauge_get(const gauge *value) { return atomic_load_explicit(value, memory_order_relaxed); }
