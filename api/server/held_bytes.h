/* How many bytes of the account the answers of each client hold while they are sent. Shared by all loops. Any thread.
 */
#pragma once

#include "api/server/client.h"

#include <pthread.h>

struct held_bytes {
    pthread_mutex_t mutex;
    struct client_totals totals;
};

void held_bytes_init(struct held_bytes *held);
void held_bytes_clear(struct held_bytes *held);

/* Add to the bytes that a client holds; `bytes` > 0. False when memory is exhausted; nothing has changed then. */
bool held_bytes_add(struct held_bytes *held, const struct client_address *client, size_t bytes);

/* Subtract from the bytes that a client holds. They were added before. */
void held_bytes_subtract(struct held_bytes *held, const struct client_address *client, size_t bytes);

/* Get the client that holds the most bytes, if they are more than an equal share of `limit`; otherwise false. The
 * shares are those of all clients that hold bytes, and of one more, the client that was refused. */
bool held_bytes_find_largest(struct held_bytes *held, size_t limit, struct client_address *ret_client);
