/* An amount for each client: its connections, or the bytes that it holds. One thread at a time. */
#pragma once

#include "api/work/schedule.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/queue.h>

LIST_HEAD(tally_list, tally_client);

/* Zeroed: nobody has anything. */
struct tally {
    void *tree;                /* of the clients that have anything, by address (tsearch) */
    struct tally_list clients; /* the same clients */
    size_t client_count;
};

/* A client and its amount, which is not 0. */
struct tally_client {
    struct client_address address;
    size_t amount;
    LIST_ENTRY(tally_client) entry;
};

/* Forget everybody. */
void tally_clear(struct tally *tally);

/* Add to a client's amount. False, and nothing has changed, when memory is exhausted, which happens only to one that
 * has nothing. */
bool tally_add(struct tally *tally, const struct client_address *address, size_t amount);

/* Subtract from a client's amount what was added before. */
void tally_subtract(struct tally *tally, const struct client_address *address, size_t amount);

/* Get a client's amount. */
size_t tally_of(const struct tally *tally, const struct client_address *address);

/* Get the client with the largest amount; NULL when nobody has anything. It lives until the tally changes. */
const struct tally_client *tally_largest(const struct tally *tally);
