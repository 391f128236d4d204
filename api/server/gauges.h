/* Numbers that all threads share: for the metrics, for the end of the service, for what is done once. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef atomic_uint_fast64_t gauge;

struct gauges {
    gauge in_flight;           /* requests whose heads are complete and that have not ended */
    gauge streams;             /* answers in lines that are being sent */
    gauge connections;         /* clients that are connected */
    gauge connections_refused; /* ever, because their client had too many */
    gauge states;              /* that the searches of loops have visited, ever */
    gauge unready;             /* 1: the service is about to leave */
    gauge untrusted_proxy;     /* 1: the log has told of a proxy that is not trusted */
};

static inline void gauge_add(gauge *value, uint64_t more) {
    atomic_fetch_add_explicit(value, more, memory_order_relaxed);
}

static inline void gauge_subtract(gauge *value, uint64_t less) {
    atomic_fetch_sub_explicit(value, less, memory_order_relaxed);
}

/* Set a gauge to 1. True if it was 0. */
static inline bool gauge_set_first(gauge *value) {
    return atomic_exchange_explicit(value, 1, memory_order_relaxed) == 0;
}

static inline uint64_t gauge_get(const gauge *value) { return atomic_load_explicit(value, memory_order_relaxed); }
