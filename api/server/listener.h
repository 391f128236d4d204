/* The listening sockets: accepts connections, counts them, and hands each to the loop that has the fewest. Runs on the
 * first loop's thread.
 *
 * When all connections are taken and another client is waiting, the client with the most connections loses one
 * (watch_close_one). A limit per client cannot replace this: if the limit is high enough for a proxy or a NAT, a single
 * address can still take every connection. */
#pragma once

#include "api/server/client.h"
#include "api/server/connection.h"
#include "api/server/loop.h"

#include <stdbool.h>
#include <stddef.h>

struct http_loop;

enum { LISTENER_SOCKETS = 8 };

/* The sockets that a service listens on. */
struct listening {
    int sockets[LISTENER_SOCKETS];
    size_t count;
};

void listening_close(const struct listening *listening);

struct listener {
    struct listener_source {
        struct event_source source; /* a listening socket */
        struct listener *listener;
    } sources[LISTENER_SOCKETS];
    size_t source_count;
    struct http_loop *loops;
    size_t loop_count;
    size_t connections, max_connections;
    size_t max_per_client; /* connections per client; 0: unlimited, and not counted */
    struct client_totals clients;
    bool is_watched, is_ended;
    struct timer timer; /* for the next attempt after descriptors, memory or connections have run out */
    struct eviction {
        struct message message; /* visits the loops one after the other, and comes back */
        size_t loop;            /* the next one */
        struct client_address client;
        bool is_on_its_way, has_closed;
    } eviction;
};

/* Start accepting connections for these loops. `max_per_client` limits the connections of one client; 0 means no limit.
 * Returns false when out of memory. */
bool listener_begin(struct listener *listener, const struct listening *listening, struct http_loop *loops,
                    size_t loop_count, size_t max, size_t max_per_client);

/* Stop accepting. Does nothing if already stopped. */
void listener_end(struct listener *listener);

/* Free the listener's resources. All connections must be closed. */
void listener_clear(struct listener *listener);

/* A connection was closed, or could not be opened: uncount and free it. Call it on the thread that owns the
 * connection. */
void listener_take_back(struct connection *connection);
