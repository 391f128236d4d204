/* A byte account shared by several threads. It limits the memory of all bodies and answers in flight. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

struct account {
    atomic_size_t used;
    atomic_size_t refusals; /* how often the account could not provide the requested bytes */
    size_t limit;
};

static inline void account_init(struct account *account, size_t limit) {
    atomic_init(&account->used, 0);
    atomic_init(&account->refusals, 0);
    account->limit = limit;
}

/* Get the number of bytes that could be reserved now. The result may be outdated immediately. Can be called from any
 * thread. */
static inline size_t account_free(const struct account *account) {
    size_t used = atomic_load_explicit(&account->used, memory_order_relaxed);
    return used < account->limit ? account->limit - used : 0;
}

/* Count a refusal: the account could not provide what a request needed. Can be called from any thread. */
static inline void account_refuse(struct account *account) {
    atomic_fetch_add_explicit(&account->refusals, 1, memory_order_relaxed);
}

/* Get the number of refusals. Can be called from any thread. */
static inline size_t account_refusals(const struct account *account) {
    return atomic_load_explicit(&account->refusals, memory_order_relaxed);
}

/* Is less than 1/16 of the account free? Can be called from any thread. */
static inline bool account_is_scarce(const struct account *account) {
    return account_free(account) < account->limit / 16;
}

/* Reserve `bytes`. Returns false, with nothing reserved, if that would exceed the limit. Can be called from any
 * thread. */
static inline bool account_take(struct account *account, size_t bytes) {
    size_t used = atomic_load_explicit(&account->used, memory_order_relaxed);
    do {
        if (bytes > account->limit || used > account->limit - bytes) {
            account_refuse(account);
            return false;
        }
    } while (!atomic_compare_exchange_weak_explicit(&account->used, &used, used + bytes, memory_order_relaxed,
                                                    memory_order_relaxed));
    return true;
}

/* Return bytes that were reserved with account_take. Can be called from any thread. */
static inline void account_give(struct account *account, size_t bytes) {
    atomic_fetch_sub_explicit(&account->used, bytes, memory_order_relaxed);
}
