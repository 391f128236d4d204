/* How many bytes of the account the answers hold that are being sent, client by client. Shared by all loops: any
 * thread. */
#pragma once

#include "api/server/client_totals.h"

#include <pthread.h>

struct holdings {
    pthread_mutex_t mutex;
    struct client_totals totals;
};

void holdings_init(struct holdings *holdings);
void holdings_clear(struct holdings *holdings);

/* A client holds `bytes` more, at least one. False, and nothing has changed, when memory is exhausted. */
bool holdings_add(struct holdings *holdings, const struct client_address *client, size_t bytes);

/* A client holds `bytes` less, which were added before. */
void holdings_subtract(struct holdings *holdings, const struct client_address *client, size_t bytes);

/* Get the client that holds most, if that is more than an equal share of `limit`; false if it is not. Somebody who
 * holds nothing, and was refused, has a share, too. */
bool holdings_find_greediest(struct holdings *holdings, size_t limit, struct client_address *ret_client);
