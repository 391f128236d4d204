/* How many connections each client has. One thread at a time. */
#pragma once

#include "api/server/peer.h"

#include <stddef.h>

struct clients {
    size_t most; /* connections of one client */
    void *tree;  /* of those that have any (tsearch) */
};

/* Nobody is connected. Each client may have `most` connections; 0: any number, and nothing is counted. */
void clients_init(struct clients *clients, size_t most);
void clients_clear(struct clients *clients);

enum clients_result { CLIENTS_COUNTED, CLIENTS_FULL, CLIENTS_NO_MEMORY };

/* A client (peer_client) has connected. Unless the result is CLIENTS_COUNTED nothing has changed. */
enum clients_result clients_connect(struct clients *clients, const struct peer *client);

/* One of its connections that were counted has ended. */
void clients_disconnect(struct clients *clients, const struct peer *client);
