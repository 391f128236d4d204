#include "api/server/tally.h"

#include "base/assert.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

static int compare(const void *a, const void *b) {
    const struct tally_client *one = a, *other = b;
    return memcmp(one->address.bytes, other->address.bytes, sizeof one->address.bytes);
}

static struct tally_client *find(const struct tally *tally, const struct client_address *address) {
    const struct tally_client key = {.address = *address};
    struct tally_client *const *node = tfind(&key, &tally->tree, compare);
    return node != NULL ? *node : NULL;
}

/* A client that has nothing yet. NULL when memory is exhausted. */
static struct tally_client *make(struct tally *tally, const struct client_address *address) {
    struct tally_client *client = malloc(sizeof *client);
    if (client == NULL)
        return NULL;
    *client = (struct tally_client){.address = *address};
    LIST_INSERT_HEAD(&tally->clients, client, entry);
    if (tsearch(client, &tally->tree, compare) != NULL) {
        tally->client_count++;
        return client;
    }
    LIST_REMOVE(client, entry);
    free(client);
    return NULL;
}

static void forget(struct tally *tally, struct tally_client *client) {
    tdelete(client, &tally->tree, compare);
    LIST_REMOVE(client, entry);
    tally->client_count--;
    free(client);
}

void tally_clear(struct tally *tally) {
    while (!LIST_EMPTY(&tally->clients))
        forget(tally, LIST_FIRST(&tally->clients));
}

bool tally_add(struct tally *tally, const struct client_address *address, size_t amount) {
    ASSERT(amount != 0);
    struct tally_client *client = find(tally, address);
    if (client == NULL)
        client = make(tally, address);
    if (client != NULL)
        client->amount += amount;
    return client != NULL;
}

void tally_subtract(struct tally *tally, const struct client_address *address, size_t amount) {
    struct tally_client *client = find(tally, address);
    ASSERT(client != NULL && client->amount >= amount);
    if (client == NULL)
        return;
    client->amount -= amount;
    if (client->amount == 0)
        forget(tally, client);
}

size_t tally_of(const struct tally *tally, const struct client_address *address) {
    const struct tally_client *client = find(tally, address);
    return client != NULL ? client->amount : 0;
}

const struct tally_client *tally_largest(const struct tally *tally) {
    const struct tally_client *largest = LIST_FIRST(&tally->clients), *client = largest;
    for (; client != NULL; client = LIST_NEXT(client, entry))
        if (client->amount > largest->amount)
            largest = client;
    return largest;
}
