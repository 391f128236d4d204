#include "api/server/client_totals.h"

#include "base/assert.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

static int compare(const void *a, const void *b) {
    const struct client_total *one = a, *other = b;
    return memcmp(one->address.bytes, other->address.bytes, sizeof one->address.bytes);
}

static struct client_total *find(const struct client_totals *totals, const struct client_address *address) {
    const struct client_total key = {.address = *address};
    struct client_total *const *node = tfind(&key, &totals->tree, compare);
    return node != NULL ? *node : NULL;
}

/* Add a client without an amount. NULL when memory is exhausted. */
static struct client_total *make(struct client_totals *totals, const struct client_address *address) {
    struct client_total *client = malloc(sizeof *client);
    if (client == NULL)
        return NULL;
    *client = (struct client_total){.address = *address};
    LIST_INSERT_HEAD(&totals->clients, client, entry);
    if (tsearch(client, &totals->tree, compare) != NULL) {
        totals->client_count++;
        return client;
    }
    LIST_REMOVE(client, entry);
    free(client);
    return NULL;
}

static void remove_client(struct client_totals *totals, struct client_total *client) {
    tdelete(client, &totals->tree, compare);
    LIST_REMOVE(client, entry);
    totals->client_count--;
    free(client);
}

void client_totals_clear(struct client_totals *totals) {
    while (!LIST_EMPTY(&totals->clients))
        remove_client(totals, LIST_FIRST(&totals->clients));
}

bool client_totals_add(struct client_totals *totals, const struct client_address *address, size_t amount) {
    ASSERT(amount != 0);
    struct client_total *client = find(totals, address);
    if (client == NULL)
        client = make(totals, address);
    if (client != NULL)
        client->amount += amount;
    return client != NULL;
}

void client_totals_subtract(struct client_totals *totals, const struct client_address *address, size_t amount) {
    struct client_total *client = find(totals, address);
    ASSERT(client != NULL && client->amount >= amount);
    if (client == NULL)
        return;
    client->amount -= amount;
    if (client->amount == 0)
        remove_client(totals, client);
}

size_t client_totals_of(const struct client_totals *totals, const struct client_address *address) {
    const struct client_total *client = find(totals, address);
    return client != NULL ? client->amount : 0;
}

const struct client_total *client_totals_largest(const struct client_totals *totals) {
    const struct client_total *largest = LIST_FIRST(&totals->clients), *client = largest;
    for (; client != NULL; client = LIST_NEXT(client, entry))
        if (client->amount > largest->amount)
            largest = client;
    return largest;
}
