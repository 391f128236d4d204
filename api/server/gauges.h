/* Counts of what there is at the moment, shared by all threads: for the metrics, and for the end of the service. */
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
};

static inline void gauge_add(gauge *value, uint64_t more) {
    atomic_fetch_add_explicit(value, more, memory_order_relaxed);
}

static inline void gauge_subtract(gauge *value, uint64_t less) {
    atomic_fetch_sub_explicit(value, less, memory_order_relaxed);
}

static inline uint64_t gauge_get(const gauge *value) { return atomic_load_explicit(value, memory_order_relaxed); }
