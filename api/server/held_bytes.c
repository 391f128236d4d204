#include "api/server/held_bytes.h"

void held_bytes_init(struct held_bytes *held) {
    *held = (struct held_bytes){.totals = {.tree = NULL}};
    pthread_mutex_init(&held->mutex, NULL);
}

void held_bytes_clear(struct held_bytes *held) {
    client_totals_clear(&held->totals);
    pthread_mutex_destroy(&held->mutex);
}

bool held_bytes_add(struct held_bytes *held, const struct client_address *client, size_t bytes) {
    pthread_mutex_lock(&held->mutex);
    bool added = client_totals_add(&held->totals, client, bytes);
    pthread_mutex_unlock(&held->mutex);
    return added;
}

void held_bytes_subtract(struct held_bytes *held, const struct client_address *client, size_t bytes) {
    pthread_mutex_lock(&held->mutex);
    client_totals_subtract(&held->totals, client, bytes);
    pthread_mutex_unlock(&held->mutex);
}

bool held_bytes_find_largest(struct held_bytes *held, size_t limit, struct client_address *ret_client) {
    pthread_mutex_lock(&held->mutex);
    const struct client_total *largest = client_totals_largest(&held->totals);
    bool is_over_share = largest != NULL && largest->amount > limit / (held->totals.client_count + 1);
    if (is_over_share)
        *ret_client = largest->address;
    pthread_mutex_unlock(&held->mutex);
    return is_over_share;
}
