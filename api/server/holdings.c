#include "api/server/holdings.h"

void holdings_init(struct holdings *holdings) {
    *holdings = (struct holdings){.totals = {.tree = NULL}};
    pthread_mutex_init(&holdings->mutex, NULL);
}

void holdings_clear(struct holdings *holdings) {
    client_totals_clear(&holdings->totals);
    pthread_mutex_destroy(&holdings->mutex);
}

bool holdings_add(struct holdings *holdings, const struct client_address *client, size_t bytes) {
    pthread_mutex_lock(&holdings->mutex);
    bool added = client_totals_add(&holdings->totals, client, bytes);
    pthread_mutex_unlock(&holdings->mutex);
    return added;
}

void holdings_subtract(struct holdings *holdings, const struct client_address *client, size_t bytes) {
    pthread_mutex_lock(&holdings->mutex);
    client_totals_subtract(&holdings->totals, client, bytes);
    pthread_mutex_unlock(&holdings->mutex);
}

bool holdings_find_greediest(struct holdings *holdings, size_t limit, struct client_address *ret_client) {
    pthread_mutex_lock(&holdings->mutex);
    const struct client_total *largest = client_totals_largest(&holdings->totals);
    bool is_greedy = largest != NULL && largest->amount > limit / (holdings->totals.client_count + 1);
    if (is_greedy)
        *ret_client = largest->address;
    pthread_mutex_unlock(&holdings->mutex);
    return is_greedy;
}
