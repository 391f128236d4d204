/* An amount for each client: the number of its connections, or the bytes that its answers hold. Not thread-safe: the
 * caller serialises the calls. */
#pragma once

#include "api/work/schedule.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/queue.h>

LIST_HEAD(client_total_list, client_total);

/* Zeroed: empty. */
struct client_totals {
    void *tree;                       /* a tree of the clients, by address (tsearch) */
    struct client_total_list clients; /* a list of the same clients */
    size_t client_count;
};

/* A client and its amount, which is never 0. */
struct client_total {
    struct client_address address;
    size_t amount;
    LIST_ENTRY(client_total) entry;
};

/* Remove all clients. */
void client_totals_clear(struct client_totals *totals);

/* Add to a client's amount. False when memory is exhausted; nothing has changed then. This happens only if the client
 * had no amount. */
bool client_totals_add(struct client_totals *totals, const struct client_address *address, size_t amount);

/* Subtract from a client's amount. At most what was added may be subtracted. */
void client_totals_subtract(struct client_totals *totals, const struct client_address *address, size_t amount);

/* Get a client's amount; 0 if it has none. */
size_t client_totals_of(const struct client_totals *totals, const struct client_address *address);

/* Get the client with the largest amount; NULL if no client has one. The pointer is valid until an amount changes. */
const struct client_total *client_totals_largest(const struct client_totals *totals);
