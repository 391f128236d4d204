/* The listening sockets: accepts connections, counts them, and gives each to the loop that has the fewest. On the first
 * loop's thread.
 *
 * When all connections are taken, and another client waits for one, a connection of the client with the most is closed
 * (watch_close_one). No limit for each client can do that: one that a proxy or a NAT never reaches does not keep one
 * address from taking everything. */
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
    size_t max_per_client; /* connections of one client; 0: any number, and they are not counted */
    struct client_totals clients;
    bool is_watched, is_ended;
    struct timer timer; /* for the next try, after a lack of descriptors, memory or connections */
    struct eviction {
        struct message message; /* visits the loops, and returns */
        size_t loop;            /* the next one */
        struct client_address client;
        bool is_on_its_way, has_closed;
    } eviction;
};

/* Begin to accept for these loops. `max_per_client`: connections of one client, 0: any number. False when the system
 * has no memory for it. */
bool listener_begin(struct listener *listener, const struct listening *listening, struct http_loop *loops,
                    size_t loop_count, size_t max, size_t max_per_client);

/* Stop accepting. Nothing happens if it has stopped already. */
void listener_end(struct listener *listener);

/* Free what it holds. All connections are closed. */
void listener_clear(struct listener *listener);

/* A connection is closed, or could not be opened: uncount and free it. Called by the thread that owns the connection.
 */
void listener_take_back(struct connection *connection);
