#include "api/server/timer.h"

#include "base/owner.h"

#include <stddef.h>

void timer_set(struct timers *timers, struct timer *timer, uint64_t due) {
    timer_stop(timers, timer);
    heap_add(&timers->heap, &timer->node, due, 0);
    timer->is_set = true;
}

void timer_stop(struct timers *timers, struct timer *timer) {
    if (timer->is_set)
        heap_remove(&timers->heap, &timer->node);
    timer->is_set = false;
}

void timers_run(struct timers *timers, uint64_t now) {
    while (timers->heap.first != NULL && timers->heap.first->key <= now) {
        struct timer *timer = OWNER_OF(timers->heap.first, struct timer, node);
        timer_stop(timers, timer);
        timer->fire(timer);
    }
}

uint64_t timers_pause(const struct timers *timers, uint64_t now) {
    if (timers->heap.first == NULL)
        return UINT64_MAX;
    return timers->heap.first->key > now ? timers->heap.first->key - now : 0;
}
