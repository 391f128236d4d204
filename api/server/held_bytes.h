/* How many bytes of the account the answers hold that are being sent, client by client. Shared by all loops: any
 * thread. */
#pragma once

#include "api/server/client_totals.h"

#include <pthread.h>

struct held_bytes {
    pthread_mutex_t mutex;
    struct client_totals totals;
};

void held_bytes_init(struct held_bytes *held);
void held_bytes_clear(struct held_bytes *held);

/* A client holds `bytes` more, at least one. False, and nothing has changed, when memory is exhausted. */
bool held_bytes_add(struct held_bytes *held, const struct client_address *client, size_t bytes);

/* A client holds `bytes` less, which were added before. */
void held_bytes_subtract(struct held_bytes *held, const struct client_address *client, size_t bytes);

/* Get the client that holds most, if that is more than an equal share of `limit`; false if it is not. Somebody who
 * holds nothing, and was refused, has a share, too. */
bool held_bytes_find_largest(struct held_bytes *held, size_t limit, struct client_address *ret_client);
