/* An amount for each client: its connections, or the bytes that it holds. One thread at a time. */
#pragma once

#include "api/work/schedule.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/queue.h>

LIST_HEAD(client_total_list, client_total);

/* Zeroed: no client has anything. */
struct client_totals {
    void *tree;                       /* of the clients that have anything, by address (tsearch) */
    struct client_total_list clients; /* the same clients */
    size_t client_count;
};

/* A client and its amount, which is not 0. */
struct client_total {
    struct client_address address;
    size_t amount;
    LIST_ENTRY(client_total) entry;
};

/* Remove all clients. */
void client_totals_clear(struct client_totals *totals);

/* Add to a client's amount. False, and nothing has changed, when memory is exhausted, which happens only to one that
 * has nothing. */
bool client_totals_add(struct client_totals *totals, const struct client_address *address, size_t amount);

/* Subtract from a client's amount what was added before. */
void client_totals_subtract(struct client_totals *totals, const struct client_address *address, size_t amount);

/* Get a client's amount. */
size_t client_totals_of(const struct client_totals *totals, const struct client_address *address);

/* Get the client with the largest amount; NULL when nobody has anything. It lives until an amount changes. */
const struct client_total *client_totals_largest(const struct client_totals *totals);
